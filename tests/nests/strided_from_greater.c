/* Loops that begin at the greater of two and move by more than one: where they begin was not seen, and isl takes the
   equation of their subscripts for a bound of them. */
#include <stdio.h>
#include <stdlib.h>
static long f[80];
static void of_numbers(int m) {
    for (int i = (0 > 8 ? 0 : 8); i < m; i += 3)
        for (int j = 0; j < m; j++) f[2 * i] += ~i + j;
}
static void of_sizes(int n, int m) {
    for (int i = (n > 8 ? n : 8); i < m; i += 3)
        for (int j = 0; j < m; j++) f[2 * i] += ~i - j;
}
static int read_behind(int n, int m) {
    int i;
    for (i = (n > 8 ? n : 8); i < m; i++) f[2 * i] += i;
    return i;
}
static void counted_down(int n, int d) {
    for (int i = (n < 30 / (d ? d : 1) ? n : 30 / (d ? d : 1)); i >= 0; i -= 2)
        for (int j = 0; j < n; j++) f[i + j] ^= i;
}
static void by_nobody_knows(int n, int m) {
    for (int i = (n % 5 > n % 7 ? n * n % 3 : 2); i < m; i += 2)
        for (int j = 0; j < m; j++) f[2 * i] += j;
}
int main(void) {
    for (int i = 0; i < 80; i++) f[i] = i * 7 % 11;
    of_numbers(5);
    of_numbers(25);
    of_sizes(11, 31);
    of_sizes(-3, 31);
    printf("%d\n", read_behind(12, 30));
    counted_down(28, 2);
    counted_down(35, 0);
    by_nobody_knows(9, 20);
    for (int i = 0; i < 80; i++) printf("%ld\n", f[i]);
    return 0;
}
