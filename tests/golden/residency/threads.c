/* Statements of threads are no sequence. */
int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
static double u[5000];
static void *step(void *of) {
    for (int i = 0; i < 5000; i++)
        u[i] += i;
    return of;
}
int main(void) {
    unsigned long one;
    pthread_create(&one, 0, step, 0);
    step(0);
    return u[3] > 0;
}
