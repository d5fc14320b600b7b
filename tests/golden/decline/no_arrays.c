/* Loops without arrays: each has an answer. */
int next(int);
int printf(const char *, ...);
static void report(int n) { printf("%d\n", next(n)); }  // decline: `printf`

int counted(int n) {
    int k = 0;
    for (int i = 0; i < n; i++) k += 2;  // decline: nothing is computed here but counters
    return k;
}

double generated(int n) {
    long state = 1907;
    double inside = 0;
    for (int i = 0; i < n; i++) {  // decline: iterations depend on each other through `state`
        state = (state * state + 1) % 74383;
        inside += state * 0.5;
    }
    return inside;
}

void calls(int n) {
    for (int i = 0; i < n; i++) next(i);  // decline: `next` cannot be called on the device
    for (int i = 0; i < n; i++) report(i);
    while (n > 0) n = next(n);  // decline: `next` is called here, between nests of one region, and is not one of math.h
}

volatile double _Complex seen;

/* What keeps the loops around is a reason, too, not only that the inner one ends early. */
void escapes(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double _Complex z = 0;
            for (int k = 0; k < 10; k++) {
                z = z * z + (double)i / n;
                if (__real__ z > 4) break;  // decline: this jump
            }
            seen += z;  // decline: `__real__ seen` is volatile
        }
}
