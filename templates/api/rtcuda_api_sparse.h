/* Sparse matrices in memory: from entries, between formats, random ones, incomplete factorisations. All on the host. */

/* Entries as they come, in any order. */
typedef struct entries {
    long rows, cols, n, room;
    int *row, *col;
    double *value;
} entries;

static void free_entries(entries *e)
{
    free(e->row);
    free(e->col);
    free(e->value);
    memset(e, 0, sizeof *e);
}

/* Room for one more. It grows with what is there: what a file promises is not believed. */
static int add_entry(entries *e, long row, long col, double value)
{
    if (e->n >= RTAPI_MOST) return rtapi_fail(RT_EVALUE, "there are more than %ld entries", RTAPI_MOST);
    if (e->n == e->room) {
        const long room = e->room < 1024 ? 1024 : e->room + e->room / 2;
        int *rows = realloc(e->row, (size_t)room * sizeof *rows);
        if (rows) e->row = rows;
        int *cols = rows ? realloc(e->col, (size_t)room * sizeof *cols) : NULL;
        if (cols) e->col = cols;
        double *values = cols ? realloc(e->value, (size_t)room * sizeof *values) : NULL;
        if (!values) return no_memory((size_t)room * (2 * sizeof *rows + sizeof *values));
        e->value = values;
        e->room = room;
    }
    e->row[e->n] = (int)row;
    e->col[e->n] = (int)col;
    e->value[e->n++] = value;
    return RT_OK;
}

static double value_at(RTtype type, const void *values, long at)
{
    return type == RT_SINGLE ? (double)((const float *)values)[at] : ((const double *)values)[at];
}

/* Whether it is a number of that type. */
static int put_value(RTtype type, void *values, long at, double value)
{
    if (type == RT_SINGLE)
        ((float *)values)[at] = (float)value;
    else
        ((double *)values)[at] = value;
    return fabs(value) <= (type == RT_SINGLE ? FLT_MAX : DBL_MAX);
}

/* The order of n entries by a key below `extent`, those of one key as they were: a counting sort. `before` may be NULL. */
static int *ordered(long n, const int *key, long extent, const int *before)
{
    int *start = calloc((size_t)extent + 1, sizeof *start), *order = malloc(((size_t)n + 1) * sizeof *order);
    if (!start || !order) {
        free(start);
        free(order);
        no_memory(((size_t)extent + (size_t)n) * sizeof *start);
        return NULL;
    }
    for (long p = 0; p < n; p++) start[key[p] + 1]++;
    for (long i = 0; i < extent; i++) start[i + 1] += start[i];
    for (long p = 0; p < n; p++) {
        const int at = before ? before[p] : (int)p;
        order[start[key[at]]++] = at;
    }
    free(start);
    return order;
}

/* Fills a new matrix, in RT_CSR, from entries. */
static int fill_from(RTsparse *a, const entries *e)
{
    int *by_col = ordered(e->n, e->col, a->cols, NULL);
    int *order = by_col ? ordered(e->n, e->row, a->rows, by_col) : NULL;
    int code = order ? RT_OK : state.code;
    free(by_col);
    a->count = e->n;
    if (code == RT_OK) code = size_entries(a);
    int *starts = rtapi_host(&a->row, RTAPI_WRITE), *indices = code == RT_OK ? rtapi_host(&a->col, RTAPI_WRITE) : NULL;
    void *values = indices ? rtapi_host(&a->values, RTAPI_WRITE) : NULL;
    if (code == RT_OK && (!starts || !values)) code = state.code;
    long end = 0, row = 0;
    for (long p = 0; code == RT_OK && p < e->n;) {
        const int at = order[p];
        double sum = 0;
        for (; p < e->n && e->row[order[p]] == e->row[at] && e->col[order[p]] == e->col[at]; p++) sum += e->value[order[p]];
        while (row <= e->row[at]) starts[row++] = (int)end;
        indices[end] = e->col[at];
        if (!put_value(a->type, values, end++, sum))
            code = rtapi_fail(RT_EVALUE, "the entry at row %d, column %d (from 0) is no finite %s", e->row[at], e->col[at],
                              a->type == RT_SINGLE ? "float" : "double");
    }
    free(order);
    if (code != RT_OK) return code;
    while (row <= a->rows) starts[row++] = (int)end;
    a->count = end;
    return shrink_entries(a);
}

/* The same matrix compressed along its other side: from `extent` rows to `other` columns, or the reverse. */
typedef struct compressed {
    int *starts, *indices;
    void *values;
} compressed;

static int flip(const RTsparse *a, long extent, long other, const int *starts, const int *indices, const void *values,
                compressed *out)
{
    const size_t size = type_size(a->type);
    out->starts = calloc((size_t)other + 2, sizeof *out->starts);
    out->indices = malloc(((size_t)a->count + 1) * sizeof *out->indices);
    out->values = malloc(((size_t)a->count + 1) * size);
    if (!out->starts || !out->indices || !out->values) {
        free(out->starts);
        free(out->indices);
        free(out->values);
        return no_memory(((size_t)other + (size_t)a->count * 2) * sizeof(int) + (size_t)a->count * size);
    }
    /* One place further, so that what counts up while entries are placed ends as the starts. */
    int *next = out->starts + 1;
    for (long p = 0; p < a->count; p++) next[indices[p] + 1]++;
    for (long j = 0; j < other; j++) next[j + 1] += next[j];
    for (long i = 0; i < extent; i++)
        for (int p = starts[i]; p < starts[i + 1]; p++) {
            const int at = next[indices[p]]++;
            out->indices[at] = (int)i;
            memcpy((char *)out->values + (size_t)at * size, (const char *)values + (size_t)p * size, size);
        }
    return RT_OK;
}

/* RT_CSR to RT_CSC, or the reverse. */
static int flip_in_place(RTsparse *a)
{
    compressed to;
    const void *values = sparse_on_host(a, RTAPI_READ);
    const int is_csr = a->format == RT_CSR;
    if (!values) return state.code;
    const int code = is_csr ? flip(a, a->rows, a->cols, a->row.host, a->col.host, values, &to)
                            : flip(a, a->cols, a->rows, a->col.host, a->row.host, values, &to);
    if (code != RT_OK) return code;
    forget_sparse(a);
    replace(is_csr ? &a->col : &a->row, to.starts, ((size_t)(is_csr ? a->cols : a->rows) + 1) * sizeof(int));
    replace(is_csr ? &a->row : &a->col, to.indices, (size_t)a->count * sizeof(int));
    replace(&a->values, to.values, (size_t)a->count * type_size(a->type));
    a->format = is_csr ? RT_CSC : RT_CSR;
    return RT_OK;
}

/* The rows of RT_COO become the starts of rows, or the reverse. */
static int change_rows(RTsparse *a)
{
    if (!sparse_on_host(a, RTAPI_READ)) return state.code;
    const int *row = a->row.host;
    const int is_csr = a->format == RT_CSR;
    const size_t n = is_csr ? (size_t)a->count : (size_t)a->rows + 1;
    int *to = calloc(n + 1, sizeof *to);
    if (!to) return no_memory(n * sizeof *to);
    if (is_csr) {
        for (long i = 0; i < a->rows; i++)
            for (int p = row[i]; p < row[i + 1]; p++) to[p] = (int)i;
    } else {
        for (long p = 0; p < a->count; p++) to[row[p] + 1]++;
        for (long i = 0; i < a->rows; i++) to[i + 1] += to[i];
    }
    forget_sparse(a);
    replace(&a->row, to, n * sizeof *to);
    a->format = is_csr ? RT_COO : RT_CSR;
    return RT_OK;
}

/* By rows in between: that is what both others know the way to. */
static int convert(RTsparse *a, RTformat format)
{
    int code = RT_OK;
    if (a->format == format) return RT_OK;
    if (a->format == RT_CSC) code = flip_in_place(a);
    if (a->format == RT_COO && code == RT_OK) code = change_rows(a);
    if (format == RT_CSC && code == RT_OK) code = flip_in_place(a);
    if (format == RT_COO && code == RT_OK) code = change_rows(a);
    return code;
}

/* Sorts the columns of each row, where the product that made it may have left them in any order. */
static int sort_rows(RTsparse *a)
{
    const int *starts = a->row.host, *indices = a->col.host;
    int is_sorted = 1;
    for (long i = 0; is_sorted && i < a->rows; i++)
        for (int p = starts[i] + 1; p < starts[i + 1]; p++) is_sorted &= indices[p - 1] < indices[p];
    a->maybe_unsorted = 0;
    if (is_sorted) return RT_OK;
    const int code = flip_in_place(a);
    return code == RT_OK ? flip_in_place(a) : code;
}

/* A copy, in a format. */
static int clone(RTsparse **out, const RTsparse *a, RTformat format)
{
    RTsparse *b = NULL;
    const void *values = sparse_on_host(a, RTAPI_READ);
    int code = values ? new_sparse(&b, a->type, a->rows, a->cols) : state.code;
    if (code != RT_OK) return code;
    b->format = a->format;
    b->count = a->count;
    const rtapi_block *from[] = {&a->row, &a->col, &a->values};
    rtapi_block *to[] = {&b->row, &b->col, &b->values};
    for (int k = 0; k < 3 && code == RT_OK; k++) {
        void *copy = malloc(from[k]->bytes + 1);
        if (!copy) code = no_memory(from[k]->bytes);
        if (!copy) break;
        memcpy(copy, from[k]->host, from[k]->bytes);
        replace(to[k], copy, from[k]->bytes);
    }
    if (code == RT_OK) code = convert(b, format);
    return give(out, b, code);
}

static int transposed(RTsparse **out, const RTsparse *a)
{
    RTsparse *b = NULL;
    int code = clone(&b, a, RT_CSR);
    if (code == RT_OK) {
        /* What was compressed by rows is, of the transpose, by columns. */
        const rtapi_block row = b->row;
        const long rows = b->rows;
        b->row = b->col;
        b->col = row;
        b->rows = b->cols;
        b->cols = rows;
        b->format = RT_CSC;
        code = convert(b, a->format);
    }
    return give(out, b, code);
}

/* ---- Random numbers: splitmix64, by Steele, Lea and Flood. */

static unsigned long long next_random(unsigned long long *seed)
{
    unsigned long long z = *seed += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/* Between 0 and 1, neither of them, in a float too. */
static double uniform(unsigned long long *seed, RTtype type)
{
    const unsigned long long z = next_random(seed);
    return type == RT_SINGLE ? ((double)(z >> 41) + 0.5) / 8388608.0 : ((double)(z >> 12) + 0.5) / 4503599627370496.0;
}

/* From entry to entry, by the number of elements between two of them, which is geometric. */
static int random_entries(entries *e, RTtype type, double density, unsigned long long seed)
{
    const double elements = (double)e->rows * (double)e->cols, log_none = log1p(-density);
    const long long most = (long long)e->rows * e->cols;
    if (density * elements > (double)RTAPI_MOST)
        return rtapi_fail(RT_EVALUE, "a density of %g of %ld x %ld is more than %ld entries", density, e->rows, e->cols,
                          RTAPI_MOST);
    for (long long at = -1; density > 0;) {
        const double gap = density < 1 ? floor(log(uniform(&seed, RT_DOUBLE)) / log_none) : 0;
        if (gap >= (double)(most - at - 1) || at + 1 + (long long)gap >= most) break;
        at += 1 + (long long)gap;
        const int code = add_entry(e, (long)(at / e->cols), (long)(at % e->cols), uniform(&seed, type));
        if (code != RT_OK) return code;
    }
    return RT_OK;
}

/* ---- Incomplete factorisations of a matrix by rows. */

static int ilu0(RTsparse *a)
{
    void *values = sparse_on_host(a, RTAPI_UPDATE);
    int *place = malloc(((size_t)a->cols + 1) * sizeof *place);
    if (!values || !place) {
        free(place);
        return values ? no_memory((size_t)a->cols * sizeof *place) : state.code;
    }
    for (long j = 0; j < a->cols; j++) place[j] = -1;
    const long row = a->type == RT_SINGLE ? ilu0_s(a->rows, a->row.host, a->col.host, values, place)
                                          : ilu0_d(a->rows, a->row.host, a->col.host, values, place);
    free(place);
    if (row < 0) return RT_OK;
    return rtapi_fail(RT_EPIVOT, "the pivot of row %ld (from 0) is zero or no number: A has no ILU(0) in this order of its rows",
                      row);
}

/* Whether A is its own transpose, up to rounding; else one pair of elements that differ is named. */
static int is_symmetric(const RTsparse *a)
{
    compressed by_columns;
    const int *starts = a->row.host, *indices = a->col.host;
    const double tolerance = a->type == RT_SINGLE ? 1e-4 : 1e-8;
    int code = flip(a, a->rows, a->cols, starts, indices, a->values.host, &by_columns);
    if (code != RT_OK) return code;
    for (long i = 0; code == RT_OK && i < a->rows; i++) {
        int p = starts[i], q = by_columns.starts[i];
        while (code == RT_OK && (p < starts[i + 1] || q < by_columns.starts[i + 1])) {
            const int j = p < starts[i + 1] ? indices[p] : INT_MAX;
            const int k = q < by_columns.starts[i + 1] ? by_columns.indices[q] : INT_MAX;
            const double x = j <= k ? value_at(a->type, a->values.host, p++) : 0;
            const double y = k <= j ? value_at(a->type, by_columns.values, q++) : 0;
            if (!(fabs(x - y) <= tolerance * (fabs(x) + fabs(y))))
                code = rtapi_fail(RT_EVALUE, "A is not symmetric: %.9g at row %ld, column %d (from 0), %.9g at its mirror",
                                  x, i, j < k ? j : k, y);
        }
    }
    free(by_columns.starts);
    free(by_columns.indices);
    free(by_columns.values);
    return code;
}

/* Keeps of each row what lies up to the diagonal, which must be there. */
static int keep_lower(RTsparse *a)
{
    int *starts = a->row.host, *indices = a->col.host;
    int end = 0;
    for (long i = 0; i < a->rows; i++) {
        const int first = starts[i], last = starts[i + 1];
        starts[i] = end;
        for (int p = first; p < last && indices[p] <= i; p++) {
            indices[end] = indices[p];
            put_value(a->type, a->values.host, end++, value_at(a->type, a->values.host, p));
        }
        if (end == starts[i] || indices[end - 1] != i)
            return rtapi_fail(RT_EPIVOT, "row %ld (from 0) has no element on the diagonal", i);
    }
    starts[a->rows] = end;
    a->count = end;
    return shrink_entries(a);
}

static int ic0(RTsparse *a)
{
    if (!sparse_on_host(a, RTAPI_UPDATE)) return state.code;
    int code = is_symmetric(a);
    if (code == RT_OK) code = keep_lower(a);
    if (code != RT_OK) return code;
    const long row = a->type == RT_SINGLE ? ic0_s(a->rows, a->row.host, a->col.host, a->values.host)
                                          : ic0_d(a->rows, a->row.host, a->col.host, a->values.host);
    if (row < 0) return RT_OK;
    return rtapi_fail(RT_EPIVOT, "the pivot of row %ld (from 0) is not positive: A is not positive definite, or has no IC(0)",
                      row);
}
