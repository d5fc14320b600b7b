/* What is loaded near what is loaded anyway is evaluated whatever the first comparison says: at once, and an operand that
   is no condition becomes one. What the first operand keeps within the array, a division, a call, and what lies elsewhere,
   wait for it. */
#include <math.h>
void peaks(int n, const float a[n], int peak[n]) {
#pragma rt block(64)
    for (int i = 1; i < n - 1; i++) peak[i] = a[i] > a[i - 1] && (a[i] > a[i + 1] || a[i + 1]);
}
void waits(int n, const int a[n], const float b[n], int out[n]) {
#pragma rt block(64)
    for (int i = 0; i < n; i++)
        out[i] = (i > 0 && a[i] > a[i - 1]) + (a[i] && 7 / a[i] > 1) + (b[i] > 0 && sqrtf(b[i]) > 2) +
                 (b[i] > 1 && a[n - 1 - i]);
}
