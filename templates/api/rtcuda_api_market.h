/* Matrix Market files: coordinate and array; real, integer and pattern; general, symmetric and skew-symmetric. Comments
 * and blank lines anywhere, CRLF or CR alone, any case, exponents as Fortran writes them, a `%` too few before the first
 * line, and AmgX's vectors behind the entries, which are passed over. What is wrong is said with its line. No number depends
 * on the locale. `rtcuda matrix` and `rtcuda solve` take and refuse the same files. */

/* Characters of a line, and of a number, are fewer. */
#define RTAPI_LINE (1L << 19)
#define RTAPI_DIGITS 500

/* A file in memory, ended by a zero, and where its reader is. */
typedef struct reader {
    const char *path;
    char *text;
    const char *at; /* in the line */
    char *next; /* the line after it */
    char *end;
    long line;
    int is_array, is_pattern, is_integer;
    const char *point; /* of the locale: at most as long as a character */
    int mirror; /* of an element, at its transposed place: 1, -1, or 0 for none */
    long below, above; /* lines of the first entries on either side of the diagonal, where there is a mirror; else 0 */
    int has_rhs, has_solution; /* vectors behind the entries */
} reader;

static int at_fault(const reader *r, const char *format, ...)
{
    char what[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return rtapi_fail(RT_ESYNTAX, "%s:%ld: %s", r->path, r->line, what);
}

static int read_text(reader *r, const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t length = 0, room = 1 << 16;
    memset(r, 0, sizeof *r);
    r->path = path;
    r->point = strlen(localeconv()->decimal_point) < 8 ? localeconv()->decimal_point : ".";
    if (!file) return rtapi_fail(RT_EFILE, "%s cannot be opened: %s", path, strerror(errno));
    for (;;) {
        char *text = realloc(r->text, room + 1);
        if (!text) {
            fclose(file);
            return no_memory(room);
        }
        r->text = text;
        length += fread(text + length, 1, room - length, file);
        if (length < room) break;
        room *= 2;
    }
    const int is_bad = ferror(file);
    fclose(file);
    if (is_bad) return rtapi_fail(RT_EFILE, "%s cannot be read: %s", path, strerror(errno));
    r->next = r->text;
    r->end = r->text + length;
    *r->end = 0;
    r->line = 0;
    /* Lines end as on an old Macintosh where the first ones do not end otherwise. */
    if (!memchr(r->text, '\n', length < RTAPI_LINE ? length : RTAPI_LINE))
        for (size_t i = 0; i < length; i++)
            if (r->text[i] == '\r') r->text[i] = '\n';
    if (length >= 2 && memcmp(r->text, "\x1f\x8b", 2) == 0)
        return rtapi_fail(RT_ESYNTAX, "%s:1: the file is compressed: gunzip it first", path);
    const char *zero = memchr(r->text, 0, length);
    for (const char *c = r->text; zero && c < zero; c++) r->line += *c == '\n';
    if (zero) return rtapi_fail(RT_ESYNTAX, "%s:%ld: a byte is zero: this is no text", path, r->line + 1);
    for (const char *line = r->text; line < r->end;) {
        const char *end = memchr(line, '\n', (size_t)(r->end - line));
        r->line++;
        if ((end ? end : r->end) - line >= RTAPI_LINE) return at_fault(r, "a line of more than %ld kB", RTAPI_LINE / 1024);
        line = end ? end + 1 : r->end;
    }
    r->line = 0;
    return RT_OK;
}

/* The next line, ended by a zero; 0 at the end of the file. */
static int read_line(reader *r)
{
    if (r->next >= r->end) return 0;
    char *end = memchr(r->next, '\n', (size_t)(r->end - r->next));
    r->at = r->next;
    if (!end) end = r->end;
    *end = 0;
    r->next = end + 1;
    r->line++;
    return 1;
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* The next line that says something. */
static int read_data_line(reader *r)
{
    while (read_line(r)) {
        while (is_blank(*r->at)) r->at++;
        if (*r->at && *r->at != '%') return 1;
    }
    return 0;
}

/* The next word of a line, cut to what fits; its whole length, 0 for none. */
static size_t read_word(reader *r, char *word, size_t room)
{
    size_t length = 0;
    while (is_blank(*r->at)) r->at++;
    for (; *r->at && !is_blank(*r->at); r->at++, length++)
        if (length + 1 < room) word[length] = *r->at;
    word[length < room ? length : room - 1] = 0;
    return length;
}

static int is_word(const char *word, const char *wanted)
{
    for (; *word && tolower((unsigned char)*word) == *wanted; word++) wanted++;
    return !*word && !*wanted;
}

/* A count or index, `least` to `most`; a `+` may precede it. */
static int read_count(reader *r, const char *what, long least, long most, long *out)
{
    long value = 0;
    const char *first;
    while (is_blank(*r->at)) r->at++;
    first = r->at;
    if (*r->at == '+') r->at++;
    const char *digit = r->at;
    for (; *r->at >= '0' && *r->at <= '9'; r->at++)
        if (value <= most) value = 10 * value + (*r->at - '0');
    const int is_number = r->at > digit && (!*r->at || is_blank(*r->at));
    if (!is_number || value < least || value > most) {
        char word[40];
        r->at = first;
        read_word(r, word, sizeof word);
        if (is_number) return at_fault(r, "%s is %s, not between %ld and %ld", what, word, least, most);
        return at_fault(r, *word ? "%s is expected, not `%s`" : "%s is missing", what, word);
    }
    *out = value;
    return RT_OK;
}

/* A number in the program's locale and with an exponent that C knows: 1.5D+03 and 1.5-103 are Fortran's. */
static int read_unusual(reader *r, const char *word, double *out)
{
    char text[1024], *end, *to = text;
    int has_exponent = 0;
    for (const char *from = word; *from && to < text + sizeof text - 8; from++) {
        const char c = *from, lower = (char)(c | ' ');
        const int is_number = (c >= '0' && c <= '9') || c == '.' || c == '+' || c == '-';
        const int is_letter = !is_number && (lower == 'd' || lower == 'q' || lower == 'e');
        const int is_bare = (c == '+' || c == '-') && !isalpha((unsigned char)(from > word ? from[-1] : 'e'));
        if (from > word && !has_exponent && (is_letter || is_bare)) {
            has_exponent = 1;
            *to++ = 'e';
            if (is_letter) continue;
        }
        if (c == '.') {
            for (const char *point = r->point; *point; point++) *to++ = *point;
            continue;
        }
        /* What only strtod knows: infinities, NaN, hexadecimal numbers. */
        if (!is_number && strchr("xpin", lower)) return at_fault(r, "`%.40s` is not a finite number", word);
        *to++ = c;
    }
    *to = 0;
    *out = strtod(text, &end);
    if (end == text || *end) return at_fault(r, "`%.40s` is not a number", word);
    if (!(fabs(*out) <= DBL_MAX)) return at_fault(r, "`%.40s` is beyond the range of doubles", word);
    return RT_OK;
}

/* Doubles hold every integer up to 2^53, and not every one beyond. */
#define RTAPI_INTEGER 9007199254740992.0

static int read_integer(reader *r, const char *word, double *out)
{
    const char *digits = word + (*word == '+' || *word == '-'), *first = digits + strspn(digits, "0");
    if (!*digits || digits[strspn(digits, "0123456789")]) return at_fault(r, "`%.40s` is not an integer", word);
    unsigned long long value = 0;
    for (const char *c = first; *c && c < first + 18; c++) value = 10 * value + (unsigned long long)(*c - '0');
    if (strlen(first) > 16 || value > (unsigned long long)RTAPI_INTEGER)
        return at_fault(r, "`%.40s` is beyond 2^53, and not every such integer is a double: the first line can say `real`", word);
    *out = *word == '-' ? -(double)value : (double)value;
    return RT_OK;
}

/* Up to 15 digits and a power of ten up to 22 are exact doubles, and so is one operation on them (Clinger, How to read
 * floating point numbers accurately): most numbers of a file need no more. */
static int read_number(reader *r, double *out)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    while (is_blank(*r->at)) r->at++;
    const char *at = r->at;
    const int is_negative = *at == '-';
    long long digits = 0;
    int n_digits = 0, exponent = 0, n_all = 0, is_whole = 1;
    if (*at == '-' || *at == '+') at++;
    for (int after = 0; (*at >= '0' && *at <= '9') || (*at == '.' && !after); at++) {
        if (*at == '.') {
            after = 1;
            is_whole = 0;
            continue;
        }
        n_all++;
        n_digits += digits > 0 || *at != '0';
        if (n_digits <= 15) digits = 10 * digits + (*at - '0');
        exponent -= after;
    }
    if (n_all > 0 && (*at == 'e' || *at == 'E')) {
        const int sign = at[1] == '-' ? -1 : 1;
        const char *digit = at + 1 + (at[1] == '-' || at[1] == '+');
        int power = 0;
        is_whole = 0;
        if (*digit < '0' || *digit > '9') n_all = 0;
        for (at = digit; *at >= '0' && *at <= '9'; at++) power = power < 10000 ? 10 * power + (*at - '0') : power;
        exponent += sign * power;
    }
    const int is_usual = n_all > 0 && at - r->at < RTAPI_DIGITS && n_digits <= 15 && exponent >= -22 && exponent <= 22 &&
                         (!*at || is_blank(*at));
    if (is_usual && (is_whole || !r->is_integer)) {
        const double value = exponent < 0 ? (double)digits / powers[-exponent] : (double)digits * powers[exponent];
        *out = is_negative ? -value : value;
        r->at = at;
        return RT_OK;
    }
    char word[RTAPI_DIGITS];
    const size_t length = read_word(r, word, sizeof word);
    if (length == 0) return at_fault(r, "the value is missing");
    if (length >= sizeof word) return at_fault(r, "`%.40s...` is too long for a number", word);
    return r->is_integer ? read_integer(r, word, out) : read_unusual(r, word, out);
}

static int ends_here(reader *r)
{
    char word[40];
    if (read_word(r, word, sizeof word)) return at_fault(r, "`%s` is more than the line should have", word);
    return RT_OK;
}

static int read_banner(reader *r)
{
    char word[40];
    if (!read_line(r)) return rtapi_fail(RT_ESYNTAX, "%s:1: the file is empty", r->path);
    /* Some editors put a byte order mark before the text. */
    if (strncmp(r->at, "\xef\xbb\xbf", 3) == 0) r->at += 3;
    read_word(r, word, sizeof word);
    if (!is_word(word, "%%matrixmarket") && !is_word(word, "%matrixmarket"))
        return at_fault(r, "a Matrix Market file begins with `%%%%MatrixMarket matrix coordinate real general`, or the like");
    read_word(r, word, sizeof word);
    if (!is_word(word, "matrix")) return at_fault(r, "`%s` is no object that is read: `matrix` is", word);
    read_word(r, word, sizeof word);
    r->is_array = is_word(word, "array");
    if (!r->is_array && !is_word(word, "coordinate"))
        return at_fault(r, "`%s` is no format: `coordinate` and `array` are", word);
    read_word(r, word, sizeof word);
    r->is_pattern = is_word(word, "pattern");
    r->is_integer = is_word(word, "integer");
    if (is_word(word, "complex")) return at_fault(r, "complex matrices are not read: these operators are of real ones");
    if (!r->is_pattern && !r->is_integer && !is_word(word, "real") && !is_word(word, "double"))
        return at_fault(r, "`%s` is no field: `real`, `integer` and `pattern` are", word);
    if (r->is_array && r->is_pattern) return at_fault(r, "an array has values: it cannot be a `pattern`");
    read_word(r, word, sizeof word);
    r->mirror = is_word(word, "symmetric") ? 1 : is_word(word, "skew-symmetric") ? -1 : 0;
    if (r->mirror == 0 && !is_word(word, "general"))
        return at_fault(r, "`%s` is no symmetry of real matrices: `general`, `symmetric` and `skew-symmetric` are", word);
    if (r->is_pattern && r->mirror < 0) return at_fault(r, "a pattern has no values that could be skew-symmetric");
    return ends_here(r);
}

/* A comment before the size, by which AmgX says what stands behind the entries: `%%AMGX rhs solution`. */
static int read_amgx(reader *r)
{
    char word[40];
    read_word(r, word, sizeof word);
    if (r->is_array || (!is_word(word, "%%amgx") && !is_word(word, "%%nvamg"))) return RT_OK;
    while (read_word(r, word, sizeof word)) {
        if (is_word(word, "diagonal") || is_word(word, "base0")) return at_fault(r, "AmgX's `%s` is not read", word);
        r->has_rhs |= is_word(word, "rhs");
        r->has_solution |= is_word(word, "solution");
    }
    return RT_OK;
}

/* The line with the size. */
static int read_size_line(reader *r)
{
    while (read_line(r)) {
        while (is_blank(*r->at)) r->at++;
        if (*r->at && *r->at != '%') return RT_OK;
        const int code = *r->at ? read_amgx(r) : RT_OK;
        if (code != RT_OK) return code;
    }
    return at_fault(r, "the file ends before the size of the matrix");
}

/* Vectors behind the entries, a number on each line: of as many as there are rows, which a line of its own may say before. */
static int read_vectors(reader *r, long rows)
{
    const long one = rows + 1, n_vectors = r->has_rhs + r->has_solution;
    long n = 0;
    int is_counted = 1;
    for (r->is_integer = 0; read_data_line(r); n++) {
        double value;
        int code;
        if ((code = read_number(r, &value)) || (code = ends_here(r))) return code;
        is_counted &= n % one != 0 || value == (double)rows;
    }
    if ((is_counted && n == n_vectors * one) || n == n_vectors * rows) return RT_OK;
    return at_fault(r, "%ld numbers stand behind the entries, and AmgX's comment promises %ld vectors of %ld each", n, n_vectors,
                    rows);
}

/* Of a matrix with a mirror one half is listed. */
static int check_half(reader *r, long row, long col)
{
    if (r->mirror == 0 || row == col) return RT_OK;
    long *first = row > col ? &r->below : &r->above, other = row > col ? r->above : r->below;
    if (*first == 0) *first = r->line;
    if (other == 0) return RT_OK;
    return at_fault(r, "an entry %s the diagonal, and line %ld has one on its other side: the first line says that one half is listed",
                    row > col ? "below" : "above", other);
}

/* Entries of the same place: of a pattern the first counts, and a sum of integers is one. */
static int join_entries(const reader *r, entries *e)
{
    if (r->is_array || (!r->is_pattern && !r->is_integer)) return RT_OK;
    int *by_col = ordered(e->n, e->col, e->cols, NULL), *order = by_col ? ordered(e->n, e->row, e->rows, by_col) : NULL;
    int code = order ? RT_OK : state.code;
    for (long p = 0; code == RT_OK && p < e->n;) {
        const int at = order[p];
        double sum = 0;
        for (; p < e->n && e->row[order[p]] == e->row[at] && e->col[order[p]] == e->col[at]; p++) {
            if (r->is_pattern && order[p] != at) e->value[order[p]] = 0;
            sum += e->value[order[p]];
        }
        if (r->is_integer && fabs(sum) > RTAPI_INTEGER)
            code = at_fault(r, "the sum of the entries at row %d, column %d is beyond 2^53", e->row[at] + 1, e->col[at] + 1);
    }
    free(by_col);
    free(order);
    return code;
}

/* An element, from 0, and its mirror. */
static int put_element(const reader *r, entries *e, long row, long col, double value)
{
    int code = add_entry(e, row, col, value);
    if (code == RT_OK && r->mirror != 0 && row != col) code = add_entry(e, col, row, r->mirror * value);
    return code;
}

static int read_coordinates(reader *r, entries *e, long listed)
{
    for (long n = 0; n < listed; n++) {
        long row, col;
        double value = 1;
        int code;
        if (!read_data_line(r)) return at_fault(r, "the file ends after %ld of %ld entries", n, listed);
        if ((code = read_count(r, "the row", 1, e->rows, &row)) || (code = read_count(r, "the column", 1, e->cols, &col)) ||
            (!r->is_pattern && (code = read_number(r, &value))) || (code = ends_here(r)))
            return code;
        if (r->mirror < 0 && row == col && value != 0)
            return at_fault(r, "a skew-symmetric matrix has no entries on its diagonal");
        if ((code = check_half(r, row, col)) || (code = put_element(r, e, row - 1, col - 1, value))) return code;
    }
    return RT_OK;
}

/* By columns; of a symmetric matrix what stands below the diagonal, with it, or if it is skew-symmetric without. */
static int read_array(reader *r, entries *e)
{
    for (long col = 0; col < e->cols; col++)
        for (long row = r->mirror == 0 ? 0 : col + (r->mirror < 0); row < e->rows; row++) {
            double value;
            int code;
            if (!read_data_line(r))
                return at_fault(r, "the file ends before the element of row %ld, column %ld", row + 1, col + 1);
            if ((code = read_number(r, &value)) || (code = ends_here(r))) return code;
            if (value != 0 && (code = put_element(r, e, row, col, value))) return code;
        }
    return RT_OK;
}

static int read_matrix(reader *r, entries *e)
{
    long listed = 0;
    int code = read_banner(r);
    if (code != RT_OK) return code;
    if ((code = read_size_line(r)) || (code = read_count(r, "the number of rows", 0, RTAPI_MOST, &e->rows)) ||
        (code = read_count(r, "the number of columns", 0, RTAPI_MOST, &e->cols)) ||
        (!r->is_array && (code = read_count(r, "the number of entries", 0, RTAPI_MOST, &listed))) || (code = ends_here(r)))
        return code;
    if (r->mirror != 0 && e->rows != e->cols)
        return at_fault(r, "a %ld x %ld matrix cannot be symmetric", e->rows, e->cols);
    code = r->is_array ? read_array(r, e) : read_coordinates(r, e, listed);
    if (code == RT_OK) code = join_entries(r, e);
    if (code == RT_OK && (r->has_rhs || r->has_solution)) return read_vectors(r, e->rows);
    if (code == RT_OK && read_data_line(r)) return at_fault(r, "there is more than the size of the matrix says");
    return code;
}

/* Reads a file; the entries are the caller's, also after an error. */
static int read_market(const char *path, entries *e)
{
    reader r;
    int code = read_text(&r, path);
    memset(e, 0, sizeof *e);
    if (code == RT_OK) code = read_matrix(&r, e);
    free(r.text);
    return code;
}

/* ---- Writing. */

/* As many digits as bring the number back, with a point. */
static int write_number(FILE *file, RTtype type, double value)
{
    char text[64];
    snprintf(text, sizeof text, type == RT_SINGLE ? "%.9g" : "%.17g", value);
    const char *point = localeconv()->decimal_point;
    char *at = strstr(text, point);
    if (at) {
        memmove(at + 1, at + strlen(point), strlen(at + strlen(point)) + 1);
        *at = '.';
    }
    return fputs(text, file) >= 0;
}

static int write_entries(FILE *file, const RTsparse *a)
{
    const int *row = a->row.host, *col = a->col.host;
    const int *starts = a->format == RT_CSC ? col : row;
    const long extent = a->format == RT_CSC ? a->cols : a->rows;
    long major = 0;
    int is_well = fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n%ld %ld %ld\n", a->rows, a->cols,
                          a->count) >= 0;
    for (long p = 0; is_well && p < a->count; p++) {
        if (a->format != RT_COO)
            while (major < extent && starts[major + 1] <= p) major++;
        const long i = a->format == RT_CSR ? major : row[p], j = a->format == RT_CSC ? major : col[p];
        is_well = fprintf(file, "%ld %ld ", i + 1, j + 1) >= 0 &&
                  write_number(file, a->type, value_at(a->type, a->values.host, p)) && fputc('\n', file) != EOF;
    }
    return is_well;
}

static int write_array(FILE *file, const RTdense *a)
{
    int is_well = fprintf(file, "%%%%MatrixMarket matrix array real general\n%ld %ld\n", a->rows, a->cols) >= 0;
    for (long j = 0; is_well && j < a->cols; j++)
        for (long i = 0; is_well && i < a->rows; i++)
            is_well = write_number(file, a->type, value_at(a->type, a->values.host, i * a->cols + j)) &&
                      fputc('\n', file) != EOF;
    return is_well;
}

/* Writes one of the two. */
static int write_market(const char *path, const RTsparse *sparse, const RTdense *dense)
{
    FILE *file = fopen(path, "w");
    if (!file) return rtapi_fail(RT_EFILE, "%s cannot be opened: %s", path, strerror(errno));
    const int is_well = sparse ? write_entries(file, sparse) : write_array(file, dense);
    if (fclose(file) != 0 || !is_well) return rtapi_fail(RT_EFILE, "%s cannot be written: %s", path, strerror(errno));
    return RT_OK;
}
