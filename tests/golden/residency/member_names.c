// A member that bears the name of a function is no use of the function: all its callers are known.
struct counts {
    long step, total;
} counts;
double u[1000]; int rand(void);
void step(void) {
    for (int i = 0; i < 1000; i++)
        u[i] = 0.5 * u[i] + i;
    counts.step++;
}
int main(void) {
    for (int t = 0; t < 100; t++)
        step(), rand();
    return u[7] > 3;
}
