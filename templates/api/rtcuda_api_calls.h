/* The functions that programs call: each checks its arguments, and leaves the rest to the parts above. */

/* ---- Checks. They give RT_OK or the code of the failure. */

static void begin(const char *call)
{
    state.call = call;
    state.n_calls++;
}

static int is_there(const char *name, const void *argument)
{
    return argument ? RT_OK : rtapi_fail(RT_ENULL, "%s is NULL", name);
}

static const char *type_name(RTtype type)
{
    return type == RT_SINGLE ? "RT_SINGLE" : "RT_DOUBLE";
}

static int is_type(RTtype type)
{
    if (type == RT_SINGLE || type == RT_DOUBLE) return RT_OK;
    return rtapi_fail(RT_ETYPE, "%d is no type: RT_SINGLE and RT_DOUBLE are", (int)type);
}

static int is_format(RTformat format)
{
    if (format == RT_COO || format == RT_CSR || format == RT_CSC) return RT_OK;
    return rtapi_fail(RT_EFORMAT, "%d is no format: RT_COO, RT_CSR and RT_CSC are", (int)format);
}

static int is_size(long rows, long cols, long most)
{
    if (rows >= 0 && cols >= 0 && rows <= most && cols <= most) return RT_OK;
    return rtapi_fail(RT_EVALUE, "%ld x %ld: rows and columns are 0 to %ld", rows, cols, most);
}

static int is_of(const char *name, RTtype found, RTtype type)
{
    if (found == type) return RT_OK;
    return rtapi_fail(RT_ETYPE, "%s is %s, and %s is meant", name, type_name(found), type_name(type));
}

static int is_dense(const char *name, const RTdense *a, RTtype type)
{
    return a ? is_of(name, a->type, type) : is_there(name, a);
}

static int is_sparse(const char *name, const RTsparse *a, RTtype type)
{
    return a ? is_of(name, a->type, type) : is_there(name, a);
}

static int is_other(const char *name, const void *result, const void *argument)
{
    return result != argument ? RT_OK : rtapi_fail(RT_EALIAS, "%s is the result, too: give another object", name);
}

static int is_shape(const char *name, const RTdense *a, long rows, long cols)
{
    if (a->rows == rows && a->cols == cols) return RT_OK;
    return rtapi_fail(RT_ESHAPE, "%s is %ld x %ld, and %ld x %ld is needed", name, a->rows, a->cols, rows, cols);
}

static int is_vector(const char *name, const RTdense *x, long n)
{
    if ((x->rows == 1 || x->cols == 1) && elements(x) == n) return RT_OK;
    return rtapi_fail(RT_ESHAPE, "%s is %ld x %ld, and a vector of %ld elements is needed", name, x->rows, x->cols, n);
}

static int fit(long a_rows, long a_cols, long b_rows, long b_cols)
{
    if (a_cols == b_rows) return RT_OK;
    return rtapi_fail(RT_ESHAPE, "A is %ld x %ld and B is %ld x %ld: the columns of A are not the rows of B", a_rows,
                      a_cols, b_rows, b_cols);
}

static int is_square(const RTsparse *a)
{
    if (a->rows == a->cols) return RT_OK;
    return rtapi_fail(RT_ESHAPE, "A is %ld x %ld, and a square matrix is needed", a->rows, a->cols);
}

/* Chooses who computes, once a program. */
static int choose_backend(void)
{
    const char *wish = getenv("RTCUDA_BACKEND");
    const char *moving = getenv("RTCUDA_MOVE");
    const int is_cpu = wish && strcmp(wish, "cpu") == 0, is_cuda = wish && strcmp(wish, "cuda") == 0;
    if (state.backend) return RT_OK;
    if (is_cpu)
        state.why_host = "RTCUDA_BACKEND is cpu";
    else if (rtapi_device)
        state.backend = rtapi_device(&state.why_host);
    else if (is_cuda)
        state.why_host = "rtcuda_api.cu is not linked";
    if (!state.backend && is_cuda) return rtapi_fail(RT_EDEVICE, "RTCUDA_BACKEND is cuda, but %s", state.why_host);
    if (!state.backend) state.backend = &host_backend;
    state.is_moving = moving && strcmp(moving, "1") == 0;
    return RT_OK;
}

/* All of it becomes zero, wherever it lies. */
static int zero(RTdense *a)
{
    a->values.on_host = a->values.on_device = 0;
    return RT_OK;
}

const char *RTdevice(void)
{
    begin("RTdevice");
    return choose_backend() == RT_OK ? state.backend->name() : state.message;
}

int RTwait(void)
{
    begin("RTwait");
    return state.backend ? state.backend->wait() : RT_OK;
}

/* ---- Dense matrices. */

static int make_dense(const char *call, RTdense **out, RTtype type, long rows, long cols)
{
    int code;
    begin(call);
    if ((code = is_there("out", out))) return code;
    *out = NULL;
    if ((code = is_type(type)) || (code = is_size(rows, cols, LONG_MAX))) return code;
    return new_dense(out, type, rows, cols);
}

int RTdAlloc(RTdense **out, RTtype type, long rows, long cols)
{
    return make_dense("RTdAlloc", out, type, rows, cols);
}

int RTdRandom(RTdense **out, RTtype type, long rows, long cols, unsigned long long seed)
{
    int code = make_dense("RTdRandom", out, type, rows, cols);
    if (code != RT_OK) return code;
    void *values = rtapi_host(&(*out)->values, RTAPI_WRITE);
    if (!values) {
        RTdFree(*out);
        *out = NULL;
        return state.code;
    }
    for (long p = 0; p < rows * cols; p++) put_value(type, values, p, uniform(&seed, type));
    return RT_OK;
}

/* The elements of a new matrix from entries. */
static int scatter(RTdense *a, const entries *e)
{
    void *values = rtapi_host(&a->values, RTAPI_WRITE);
    if (!values) return state.code;
    for (long p = 0; p < e->n; p++) {
        const long at = e->row[p] * a->cols + e->col[p];
        if (!put_value(a->type, values, at, value_at(a->type, values, at) + e->value[p]))
            return rtapi_fail(RT_EVALUE, "the element at row %d, column %d (from 0) is no finite %s", e->row[p], e->col[p],
                              a->type == RT_SINGLE ? "float" : "double");
    }
    return RT_OK;
}

int RTdLoad(RTdense **out, RTtype type, const char *path)
{
    entries e;
    int code = make_dense("RTdLoad", out, type, 0, 0);
    if (code != RT_OK) return code;
    RTdFree(*out);
    *out = NULL;
    if ((code = is_there("path", path))) return code;
    code = read_market(path, &e);
    if (code == RT_OK) code = new_dense(out, type, e.rows, e.cols);
    if (code == RT_OK) code = scatter(*out, &e);
    free_entries(&e);
    if (code != RT_OK) {
        RTdFree(*out);
        *out = NULL;
    }
    return code;
}

int RTdSave(const RTdense *a, const char *path)
{
    int code;
    begin("RTdSave");
    if ((code = is_there("A", a)) || (code = is_there("path", path))) return code;
    return rtapi_host(&a->values, RTAPI_READ) ? write_market(path, NULL, a) : state.code;
}

long RTdRows(const RTdense *a)
{
    begin("RTdRows");
    return is_there("A", a) == RT_OK ? a->rows : -1;
}

long RTdCols(const RTdense *a)
{
    begin("RTdCols");
    return is_there("A", a) == RT_OK ? a->cols : -1;
}

static void *dense_data(const char *call, const RTdense *a, RTtype type, rtapi_access access)
{
    begin(call);
    return is_dense("A", a, type) == RT_OK ? rtapi_host(&a->values, access) : NULL;
}

float *RTdSData(RTdense *a)
{
    return dense_data("RTdSData", a, RT_SINGLE, RTAPI_UPDATE);
}

double *RTdDData(RTdense *a)
{
    return dense_data("RTdDData", a, RT_DOUBLE, RTAPI_UPDATE);
}

const float *RTdSRead(const RTdense *a)
{
    return dense_data("RTdSRead", a, RT_SINGLE, RTAPI_READ);
}

const double *RTdDRead(const RTdense *a)
{
    return dense_data("RTdDRead", a, RT_DOUBLE, RTAPI_READ);
}

/* ---- Table 5, dense. */

static int dense_product(const char *call, RTtype type, const RTdense *a, const RTdense *b, RTdense *c)
{
    int code;
    begin(call);
    if ((code = is_dense("A", a, type)) || (code = is_dense("B", b, type)) || (code = is_dense("C", c, type)) ||
        (code = fit(a->rows, a->cols, b->rows, b->cols)) || (code = is_shape("C", c, a->rows, b->cols)) ||
        (code = is_other("A", c, a)) || (code = is_other("B", c, b)) || (code = choose_backend()))
        return code;
    if (elements(c) == 0 || a->cols == 0) return zero(c);
    return state.backend->product(a, b, c);
}

int RTdSMM(const RTdense *a, const RTdense *b, RTdense *c)
{
    return dense_product("RTdSMM", RT_SINGLE, a, b, c);
}

int RTdDMM(const RTdense *a, const RTdense *b, RTdense *c)
{
    return dense_product("RTdDMM", RT_DOUBLE, a, b, c);
}

static int dense_by_vector(const char *call, RTtype type, const RTdense *a, const RTdense *x, RTdense *y)
{
    int code;
    begin(call);
    if ((code = is_dense("A", a, type)) || (code = is_dense("x", x, type)) || (code = is_dense("y", y, type)) ||
        (code = is_vector("x", x, a->cols)) || (code = is_vector("y", y, a->rows)) || (code = is_other("A", y, a)) ||
        (code = is_other("x", y, x)) || (code = choose_backend()))
        return code;
    if (elements(a) == 0) return zero(y);
    return state.backend->product_with_vector(a, x, y);
}

int RTdSMV(const RTdense *a, const RTdense *x, RTdense *y)
{
    return dense_by_vector("RTdSMV", RT_SINGLE, a, x, y);
}

int RTdDMV(const RTdense *a, const RTdense *x, RTdense *y)
{
    return dense_by_vector("RTdDMV", RT_DOUBLE, a, x, y);
}

static int dense_transpose(const char *call, RTtype type, const RTdense *a, RTdense *b)
{
    int code;
    begin(call);
    if ((code = is_dense("A", a, type)) || (code = is_dense("B", b, type)) ||
        (code = is_shape("B", b, a->cols, a->rows)) || (code = is_other("A", b, a)) || (code = choose_backend()))
        return code;
    return elements(a) == 0 ? RT_OK : state.backend->transpose(a, b);
}

int RTdSMT(const RTdense *a, RTdense *b)
{
    return dense_transpose("RTdSMT", RT_SINGLE, a, b);
}

int RTdDMT(const RTdense *a, RTdense *b)
{
    return dense_transpose("RTdDMT", RT_DOUBLE, a, b);
}

static int outer_product(const char *call, RTtype type, const RTdense *x, const RTdense *y, RTdense *c)
{
    int code;
    begin(call);
    if ((code = is_dense("x", x, type)) || (code = is_dense("y", y, type)) || (code = is_dense("C", c, type)) ||
        (code = is_vector("x", x, elements(x))) || (code = is_vector("y", y, elements(y))) ||
        (code = is_shape("C", c, elements(x), elements(y))) || (code = is_other("x", c, x)) ||
        (code = is_other("y", c, y)) || (code = choose_backend()))
        return code;
    return elements(c) == 0 ? RT_OK : state.backend->outer(x, y, c);
}

int RTdSVV(const RTdense *x, const RTdense *y, RTdense *c)
{
    return outer_product("RTdSVV", RT_SINGLE, x, y, c);
}

int RTdDVV(const RTdense *x, const RTdense *y, RTdense *c)
{
    return outer_product("RTdDVV", RT_DOUBLE, x, y, c);
}

static int dot_product(const char *call, RTtype type, const RTdense *x, const RTdense *y, double *sum)
{
    int code;
    begin(call);
    if ((code = is_dense("x", x, type)) || (code = is_dense("y", y, type)) || (code = is_there("result", sum)) ||
        (code = is_vector("x", x, elements(x))) || (code = is_vector("y", y, elements(x))) || (code = choose_backend()))
        return code;
    *sum = 0;
    return elements(x) == 0 ? RT_OK : state.backend->dot(x, y, sum);
}

int RTdSDOT(const RTdense *x, const RTdense *y, float *result)
{
    double sum = 0;
    const int code = dot_product("RTdSDOT", RT_SINGLE, x, y, result ? &sum : NULL);
    if (code == RT_OK) *result = (float)sum;
    return code;
}

int RTdDDOT(const RTdense *x, const RTdense *y, double *result)
{
    double sum = 0;
    const int code = dot_product("RTdDDOT", RT_DOUBLE, x, y, result ? &sum : NULL);
    if (code == RT_OK) *result = sum;
    return code;
}

/* ---- Element by element. */

/* Two of one type and one shape; for vectors a row is as good as a column. */
static int match(const char *x_name, const RTdense *x, const char *y_name, const RTdense *y)
{
    int code;
    if ((code = is_there(x_name, x)) || (code = is_there(y_name, y)) || (code = is_of(y_name, y->type, x->type)))
        return code;
    return x->rows == 1 || x->cols == 1 ? is_vector(y_name, y, elements(x)) : is_shape(y_name, y, x->rows, x->cols);
}

int RTdFill(RTdense *x, double value)
{
    int code;
    begin("RTdFill");
    if ((code = is_there("x", x))) return code;
    if (value == 0) return zero(x);
    void *values = rtapi_host(&x->values, RTAPI_WRITE);
    if (!values) return state.code;
    if (x->type == RT_SINGLE)
        fill_s(elements(x), (float)value, values);
    else
        fill_d(elements(x), value, values);
    return RT_OK;
}

int RTdCopy(const RTdense *x, RTdense *y)
{
    int code;
    begin("RTdCopy");
    if ((code = match("x", x, "y", y)) || (code = is_other("x", y, x)) || (code = choose_backend())) return code;
    return elements(x) == 0 ? RT_OK : state.backend->copy(x, y);
}

int RTdScale(double alpha, RTdense *x)
{
    int code;
    begin("RTdScale");
    if ((code = is_there("x", x)) || (code = choose_backend())) return code;
    if (alpha == 0) return zero(x);
    return elements(x) == 0 ? RT_OK : state.backend->scale(alpha, x);
}

int RTdAxpy(double alpha, const RTdense *x, RTdense *y)
{
    int code;
    begin("RTdAxpy");
    if ((code = match("x", x, "y", y)) || (code = is_other("x", y, x)) || (code = choose_backend())) return code;
    return elements(x) == 0 || alpha == 0 ? RT_OK : state.backend->axpy(alpha, x, y);
}

int RTdAdd(double alpha, const RTdense *x, double beta, const RTdense *y, RTdense *z)
{
    int code;
    begin("RTdAdd");
    if ((code = match("x", x, "y", y)) || (code = match("x", x, "z", z)) || (code = choose_backend())) return code;
    if (alpha == 0 && beta == 0) return zero(z);
    return elements(x) == 0 ? RT_OK : state.backend->add(alpha, x, beta, y, z);
}

int RTdNorm(const RTdense *x, double *result)
{
    int code;
    begin("RTdNorm");
    if ((code = is_there("x", x)) || (code = is_there("result", result)) || (code = choose_backend())) return code;
    *result = 0;
    return elements(x) == 0 ? RT_OK : state.backend->norm(x, result);
}
