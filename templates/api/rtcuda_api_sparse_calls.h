/* The functions of sparse matrices that programs call. */

static int make_sparse(const char *call, RTsparse **out, RTtype type, RTformat format, long rows, long cols)
{
    int code;
    begin(call);
    if ((code = is_there("out", out))) return code;
    *out = NULL;
    if ((code = is_type(type)) || (code = is_format(format)) || (code = is_size(rows, cols, RTAPI_MOST))) return code;
    return new_sparse(out, type, rows, cols);
}

int RTspAlloc(RTsparse **out, RTtype type, long rows, long cols)
{
    return make_sparse("RTspAlloc", out, type, RT_CSR, rows, cols);
}

/* Ends the making of a matrix from entries, which are freed. */
static int finish(RTsparse **out, RTformat format, entries *e, int code)
{
    if (code == RT_OK) code = fill_from(*out, e);
    free_entries(e);
    if (code == RT_OK) code = convert(*out, format);
    return give(out, *out, code);
}

int RTspEntries(RTsparse **out, RTtype type, RTformat format, long rows, long cols, long n, const long *row,
                const long *col, const double *value)
{
    entries e = {0, 0, 0, 0, NULL, NULL, NULL};
    int code = make_sparse("RTspEntries", out, type, format, rows, cols);
    if (code != RT_OK) return code;
    if (n < 0 || n > RTAPI_MOST) code = rtapi_fail(RT_EVALUE, "n is %ld: 0 to %ld entries are possible", n, RTAPI_MOST);
    if (code == RT_OK && n > 0 && !((code = is_there("row", row)) || (code = is_there("col", col))))
        code = is_there("value", value);
    for (long p = 0; p < n && code == RT_OK; p++) {
        if (row[p] < 0 || row[p] >= rows || col[p] < 0 || col[p] >= cols)
            code = rtapi_fail(RT_EVALUE, "entry %ld is at row %ld, column %ld (from 0) of a %ld x %ld matrix", p, row[p],
                              col[p], rows, cols);
        else
            code = add_entry(&e, row[p], col[p], value[p]);
    }
    return finish(out, format, &e, code);
}

int RTspRandom(RTsparse **out, RTtype type, RTformat format, long rows, long cols, double density,
               unsigned long long seed)
{
    entries e = {rows, cols, 0, 0, NULL, NULL, NULL};
    int code = make_sparse("RTspRandom", out, type, format, rows, cols);
    if (code != RT_OK) return code;
    if (!(density >= 0 && density <= 1)) code = rtapi_fail(RT_EVALUE, "the density is %g, not between 0 and 1", density);
    if (code == RT_OK) code = random_entries(&e, type, density, seed);
    return finish(out, format, &e, code);
}

int RTspLoad(RTsparse **out, RTtype type, RTformat format, const char *path)
{
    entries e = {0, 0, 0, 0, NULL, NULL, NULL};
    int code = make_sparse("RTspLoad", out, type, format, 0, 0);
    if (code != RT_OK) return code;
    if ((code = is_there("path", path)) == RT_OK) code = read_market(path, &e);
    if (code == RT_OK) {
        RTspFree(*out);
        *out = NULL;
        code = new_sparse(out, type, e.rows, e.cols);
    }
    return finish(out, format, &e, code);
}

int RTspSave(const RTsparse *a, const char *path)
{
    int code;
    begin("RTspSave");
    if ((code = is_there("A", a)) || (code = is_there("path", path))) return code;
    return sparse_on_host(a, RTAPI_READ) ? write_market(path, a, NULL) : state.code;
}

long RTspRows(const RTsparse *a)
{
    begin("RTspRows");
    return is_there("A", a) == RT_OK ? a->rows : -1;
}

long RTspCols(const RTsparse *a)
{
    begin("RTspCols");
    return is_there("A", a) == RT_OK ? a->cols : -1;
}

long RTspCount(const RTsparse *a)
{
    begin("RTspCount");
    return is_there("A", a) == RT_OK ? a->count : -1;
}

const int *RTspRowArray(const RTsparse *a)
{
    begin("RTspRowArray");
    return is_there("A", a) == RT_OK && sparse_on_host(a, RTAPI_READ) ? a->row.host : NULL;
}

const int *RTspColArray(const RTsparse *a)
{
    begin("RTspColArray");
    return is_there("A", a) == RT_OK && sparse_on_host(a, RTAPI_READ) ? a->col.host : NULL;
}

static void *sparse_data(const char *call, const RTsparse *a, RTtype type, rtapi_access access)
{
    begin(call);
    return is_sparse("A", a, type) == RT_OK ? sparse_on_host(a, access) : NULL;
}

float *RTspSData(RTsparse *a)
{
    return sparse_data("RTspSData", a, RT_SINGLE, RTAPI_UPDATE);
}

double *RTspDData(RTsparse *a)
{
    return sparse_data("RTspDData", a, RT_DOUBLE, RTAPI_UPDATE);
}

const float *RTspSRead(const RTsparse *a)
{
    return sparse_data("RTspSRead", a, RT_SINGLE, RTAPI_READ);
}

const double *RTspDRead(const RTsparse *a)
{
    return sparse_data("RTspDRead", a, RT_DOUBLE, RTAPI_READ);
}

int RTspConvert(RTsparse *a, RTformat format)
{
    int code;
    begin("RTspConvert");
    if ((code = is_there("A", a)) || (code = is_format(format))) return code;
    return convert(a, format);
}

int RTspMT(RTsparse **out, const RTsparse *a)
{
    int code;
    begin("RTspMT");
    if ((code = is_there("out", out))) return code;
    *out = NULL;
    if ((code = is_there("A", a))) return code;
    return transposed(out, a);
}

int RTdFromSparse(RTdense **out, const RTsparse *a)
{
    int code;
    begin("RTdFromSparse");
    if ((code = is_there("out", out))) return code;
    *out = NULL;
    if ((code = is_there("A", a)) || (code = new_dense(out, a->type, a->rows, a->cols))) return code;
    const void *from = sparse_on_host(a, RTAPI_READ);
    void *to = from ? rtapi_host(&(*out)->values, RTAPI_WRITE) : NULL;
    if (!to) {
        RTdFree(*out);
        *out = NULL;
        return state.code;
    }
    const int *row = a->row.host, *col = a->col.host, *starts = a->format == RT_CSC ? col : row;
    long major = 0;
    for (long p = 0; p < a->count; p++) {
        while (a->format != RT_COO && starts[major + 1] <= p) major++;
        const long i = a->format == RT_CSR ? major : row[p], j = a->format == RT_CSC ? major : col[p];
        put_value(a->type, to, i * a->cols + j, value_at(a->type, from, p));
    }
    return RT_OK;
}

int RTspFromDense(RTsparse **out, RTformat format, const RTdense *a)
{
    entries e = {0, 0, 0, 0, NULL, NULL, NULL};
    int code;
    begin("RTspFromDense");
    if ((code = is_there("out", out))) return code;
    *out = NULL;
    if ((code = is_there("A", a)) || (code = make_sparse("RTspFromDense", out, a->type, format, a->rows, a->cols)))
        return code;
    const void *values = rtapi_host(&a->values, RTAPI_READ);
    if (!values) code = state.code;
    for (long i = 0; i < a->rows && code == RT_OK; i++)
        for (long j = 0; j < a->cols && code == RT_OK; j++) {
            const double value = value_at(a->type, values, i * a->cols + j);
            if (value != 0) code = add_entry(&e, i, j, value);
        }
    return finish(out, format, &e, code);
}

/* ---- Table 5, sparse. */

/* The same matrix by rows: itself, or a copy that is to be freed. */
static int by_rows(const RTsparse *a, const RTsparse **out, RTsparse **made)
{
    *out = a;
    *made = NULL;
    if (a->format == RT_CSR) return RT_OK;
    const int code = clone(made, a, RT_CSR);
    *out = *made;
    return code;
}

static int make_empty(RTsparse *c)
{
    c->count = 0;
    c->maybe_unsorted = c->has_diagonal = 0;
    forget_sparse(c);
    replace(&c->row, NULL, 0);
    return size_entries(c);
}

static int sparse_product(const char *call, RTtype type, const RTsparse *a, const RTsparse *b, RTsparse *c)
{
    const RTsparse *x, *y;
    RTsparse *x_made = NULL, *y_made = NULL;
    int code;
    begin(call);
    if ((code = is_sparse("A", a, type)) || (code = is_sparse("B", b, type)) || (code = is_sparse("C", c, type)) ||
        (code = fit(a->rows, a->cols, b->rows, b->cols)))
        return code;
    if (c->rows != a->rows || c->cols != b->cols)
        return rtapi_fail(RT_ESHAPE, "C is %ld x %ld, and %ld x %ld is needed", c->rows, c->cols, a->rows, b->cols);
    if ((code = is_other("A", c, a)) || (code = is_other("B", c, b)) || (code = choose_backend()) || (code = make_empty(c)) ||
        a->count == 0 || b->count == 0)
        return code;
    code = by_rows(a, &x, &x_made);
    if (code == RT_OK) code = by_rows(b, &y, &y_made);
    if (code == RT_OK) code = state.backend->sparse_product(x, y, c);
    if (code != RT_OK) make_empty(c);
    RTspFree(x_made);
    RTspFree(y_made);
    return code;
}

int RTspSMM(const RTsparse *a, const RTsparse *b, RTsparse *c)
{
    return sparse_product("RTspSMM", RT_SINGLE, a, b, c);
}

int RTspDMM(const RTsparse *a, const RTsparse *b, RTsparse *c)
{
    return sparse_product("RTspDMM", RT_DOUBLE, a, b, c);
}

static int sparse_by_dense(const char *call, RTtype type, const RTsparse *a, const RTdense *b, RTdense *c)
{
    int code;
    begin(call);
    if ((code = is_sparse("A", a, type)) || (code = is_dense("B", b, type)) || (code = is_dense("C", c, type)) ||
        (code = fit(a->rows, a->cols, b->rows, b->cols)) || (code = is_shape("C", c, a->rows, b->cols)) ||
        (code = is_other("B", c, b)) || (code = choose_backend()))
        return code;
    if (elements(c) == 0 || a->count == 0) return zero(c);
    return state.backend->sparse_by_dense(a, b, c);
}

int RTspdSMM(const RTsparse *a, const RTdense *b, RTdense *c)
{
    return sparse_by_dense("RTspdSMM", RT_SINGLE, a, b, c);
}

int RTspdDMM(const RTsparse *a, const RTdense *b, RTdense *c)
{
    return sparse_by_dense("RTspdDMM", RT_DOUBLE, a, b, c);
}

static int sparse_by_vector(const char *call, RTtype type, const RTsparse *a, const RTdense *x, RTdense *y)
{
    int code;
    begin(call);
    if ((code = is_sparse("A", a, type)) || (code = is_dense("x", x, type)) || (code = is_dense("y", y, type)) ||
        (code = is_vector("x", x, a->cols)) || (code = is_vector("y", y, a->rows)) || (code = is_other("x", y, x)) ||
        (code = choose_backend()))
        return code;
    if (a->count == 0) return zero(y);
    return state.backend->sparse_by_vector(a, x, y);
}

int RTspdSMV(const RTsparse *a, const RTdense *x, RTdense *y)
{
    return sparse_by_vector("RTspdSMV", RT_SINGLE, a, x, y);
}

int RTspdDMV(const RTsparse *a, const RTdense *x, RTdense *y)
{
    return sparse_by_vector("RTspdDMV", RT_DOUBLE, a, x, y);
}

/* ---- Solves and factorisations. */

/* Whether no element of the diagonal is zero: looked at once, until the program asks for the values to write. */
static int has_diagonal(RTsparse *a)
{
    const void *values = a->has_diagonal ? NULL : sparse_on_host(a, RTAPI_READ);
    if (a->has_diagonal) return RT_OK;
    if (!values) return state.code;
    const int *starts = a->format == RT_CSR ? a->row.host : a->col.host;
    const int *indices = a->format == RT_CSR ? a->col.host : a->row.host;
    for (long i = 0; i < a->rows; i++) {
        const double found = a->type == RT_SINGLE ? (double)diagonal_s(i, starts, indices, values)
                                                  : diagonal_d(i, starts, indices, values);
        if (!(fabs(found) > 0))
            return rtapi_fail(RT_EPIVOT, "A is singular: row %ld (from 0) has a zero on the diagonal", i);
    }
    a->has_diagonal = 1;
    return RT_OK;
}

int RTspSolve(RTpart part, RTuse use, const RTsparse *a, const RTdense *b, RTdense *x)
{
    int code;
    begin("RTspSolve");
    if (part < RT_LOWER || part > RT_UNIT_UPPER) return rtapi_fail(RT_EVALUE, "%d is no part of a matrix", (int)part);
    if (use != RT_PLAIN && use != RT_TRANSPOSED)
        return rtapi_fail(RT_EVALUE, "%d is neither RT_PLAIN nor RT_TRANSPOSED", (int)use);
    if ((code = is_there("A", a)) || (code = is_dense("b", b, a->type)) || (code = is_dense("x", x, a->type)) ||
        (code = is_square(a)) || (code = is_vector("b", b, a->rows)) || (code = is_vector("x", x, a->rows)) ||
        (code = is_other("b", x, b)))
        return code;
    if (a->format == RT_COO) return rtapi_fail(RT_EFORMAT, "A is in RT_COO: RTspConvert(A, RT_CSR) first");
    if ((code = choose_backend()) || a->rows == 0) return code;
    const int is_unit = part == RT_UNIT_LOWER || part == RT_UNIT_UPPER;
    if (a->maybe_unsorted && !sparse_on_host(a, RTAPI_READ)) return state.code;
    if (!is_unit && (code = has_diagonal((RTsparse *)a))) return code;
    if (a->count == 0) return state.backend->copy(b, x);
    /* By columns it lies in memory as its transpose by rows. */
    const int is_flipped = a->format == RT_CSC;
    const int is_upper = part == RT_UPPER || part == RT_UNIT_UPPER;
    const rtapi_triangle t = {
        a,        is_flipped ? &a->col : &a->row,        is_flipped ? &a->row : &a->col, is_upper != is_flipped,
        is_unit, (use == RT_TRANSPOSED) != is_flipped,
    };
    return state.backend->solve(&t, b, x);
}

static int factorise(const char *call, RTsparse **out, const RTsparse *a, int (*factor)(RTsparse *))
{
    RTsparse *made = NULL;
    int code;
    begin(call);
    if ((code = is_there("out", out))) return code;
    *out = NULL;
    if ((code = is_there("A", a)) || (code = is_square(a)) || (code = clone(&made, a, RT_CSR))) return code;
    return give(out, made, factor(made));
}

int RTspILU0(RTsparse **lu, const RTsparse *a)
{
    return factorise("RTspILU0", lu, a, ilu0);
}

int RTspIC0(RTsparse **l, const RTsparse *a)
{
    return factorise("RTspIC0", l, a, ic0);
}
