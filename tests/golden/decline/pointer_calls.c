/* Calls through pointers that stay with the original. */
typedef double (*real_function)(double);
struct ops { real_function f; };

static double a1(double x) { return x + 1; }
static double a2(double x) { return x + 2; }
static double a3(double x) { return x + 3; }
static double a4(double x) { return x + 4; }
static double a5(double x) { return x + 5; }
real_function all[] = {a1, a2, a3, a4, a5};

static float b1(float x) { return x + 1; }
static float b2(float x) { return x + 2; }
float (*two[])(float) = {b1, b2};

static int counts(int x) {
    static int times;
    return x + times++;
}
int (*counter)(int) = counts;

void too_many(int n, double *a, real_function f) {
    for (int i = 0; i < n; i++)
        a[i] = f(a[i]);  // decline: 5 functions of its type have their address taken, and a loop is made for 4 at most
}

void of_no_function(int n, long *a, long (*f)(long)) {
    for (int i = 0; i < n; i++)
        a[i] = f(a[i]);  // decline: none of its type whose body is known here has its address taken in this program
}

void of_a_table(int n, int k, float *a) {
    for (int i = 0; i < n; i++)
        a[i] = two[k](a[i]);  // decline: it is reached through more than variables and members
}

void of_each(int n, float *a, float (*f)(float)) {
    for (int i = 0; i < n; i++) {
        a[i] = f(a[i]);  // decline: it may be another in each iteration, or is not known before the loop
        f = two[i % 2];
    }
}

void with_state(int n, int *a) {
    for (int i = 0; i < n; i++)
        a[i] = counter(a[i]);  // decline: it keeps `times` from call to call
}

/* Another file may have the function of that name which is called. */
__attribute__((weak)) short soft(short x) { return x + 1; }
short late(short x) __attribute__((weak));
short late(short x) { return x + 2; }
short (*soft_or_late[])(short) = {soft, late};

void of_weak_functions(int n, short *a, short (*f)(short)) {
    for (int i = 0; i < n; i++)
        a[i] = f(a[i]);  // decline: none of its type whose body is known here has its address taken in this program
}
