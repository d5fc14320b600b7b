/* What is read of each file of a table, which is the second argument. A line of the table is an expectation, ` | ` and the
 * bytes of a file, with \n, \r, \t, \\, \xHH and \{c*N} for N times c. A line of the output is `refused`, or the rows, the
 * columns and all elements by rows. */
#include "check.h"

/* Decodes to `out`, or counts where that is NULL. */
static size_t decode(const char *in, char *out)
{
    size_t n = 0;
    while (*in && *in != '\n') {
        char c = *in++;
        size_t times = 1;
        if (c == '\\') {
            c = *in++;
            if (c == 'x') {
                const char digits[] = {in[0], in[1], 0};
                c = (char)strtol(digits, NULL, 16);
                in += 2;
            } else if (c == '{') {
                char *end;
                c = in[0];
                times = (size_t)strtol(in + 2, &end, 10);
                in = end + 1;
            } else {
                c = c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
            }
        }
        if (out) memset(out + n, c, times);
        n += times;
    }
    return n;
}

static void show(const char *path)
{
    RTsparse *a;
    if (RTspLoad(&a, RT_DOUBLE, RT_CSR, path) != RT_OK) {
        puts("refused");
        return;
    }
    const long rows = RTspRows(a), cols = RTspCols(a);
    double *x = full(a, RT_DOUBLE);
    printf("%ld %ld", rows, cols);
    for (long i = 0; i < rows * cols; i++) printf(" %.17g", x[i]);
    puts("");
    free(x);
    RTspFree(a);
}

int main(int argc, char **argv)
{
    char path[4096], line[16384];
    CHECK(argc == 3);
    snprintf(path, sizeof path, "%s.mtx", argv[2]);
    FILE *table = fopen(argv[2], "r");
    CHECK(table != NULL);
    while (fgets(line, sizeof line, table)) {
        const char *text = strstr(line, " | ");
        if (!text) continue;
        const size_t n = decode(text + 3, NULL);
        char *bytes = malloc(n + 1);
        CHECK(bytes != NULL);
        decode(text + 3, bytes);
        FILE *file = fopen(path, "wb");
        CHECK(file && fwrite(bytes, 1, n, file) == n && fclose(file) == 0);
        free(bytes);
        show(path);
    }
    fclose(table);
    remove(path);
    return 0;
}
