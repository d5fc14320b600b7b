/* What the library is handed may be any of it, each time. */
typedef struct _IO_FILE FILE;
unsigned long fread(void *, unsigned long, unsigned long, FILE *);
static double u[5000], v[5000];
int main(void) {
    for (int t = 0; t < 10; t++) {
        for (int i = 0; i < 5000; i++)
            v[i] += u[i];
        fread(u, sizeof u, 1, (FILE *)0);
    }
    return v[3] > 0;
}
