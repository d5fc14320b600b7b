/* Functions that say no type, as before C99. */
typedef long size;
static table[4];
static fill() {
    int i;
    for (i = 0; i < 4; i++) table[i] = i;
}
inline static twice(int x, double *y) { return *y > 0 ? 2 * x : x; }
sum(x, y) { return x + y; }
static size (of)(int n) { return n; }
main() {
    fill();
    return sum(table[1], twice(2, 0));
}
