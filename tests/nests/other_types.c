/* Memory of one type that a pointer of another leads to, by way of `void *`: what is written are numbers of the pointer's type. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 300 };

/* Declared with its value, in the loop. */
static void declared(int n, double *memory) {
    for (int k = 0; k < 4; k++) {
        void *any = memory;
        int *p = any;
        for (int i = 0; i < n; i++) p[i] = 3 * i + k;
    }
}

/* Declared so at the top of the function. */
static void at_top(int n, double *memory) {
    void *any = memory;
    int *p = any;
    for (int i = 0; i < n; i++) p[i] += 7 - i;
}

/* Set by a statement. */
static void set(int n, double *memory) {
    void *any;
    int *p;
    for (int k = 0; k < 2; k++) {
        any = memory;
        p = any;
        for (int i = 0; i < n; i++) p[i] = 2 * p[i] + k;
    }
}

int main(void) {
    double *memory = malloc(N * sizeof(double));
    const int *seen = (const int *)memory;
    long sum = 0;
    declared(N, memory);
    at_top(N, memory);
    set(N, memory);
    for (int i = 0; i < N; i++) sum = (31 * sum + seen[i]) % 1000003;
    printf("%ld\n", sum);
    free(memory);
    return 0;
}
