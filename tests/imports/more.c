/* Calls between the files; a `static` function of a name that another file gives to all. */
int wrapped(int i, int n);

static int twice(int x) {
    return 3 * x;
}

int shared(int x) {
    return twice(x) + wrapped(x, 5);
}
