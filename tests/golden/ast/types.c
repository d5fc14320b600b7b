/* Names are resolved, typedefs and enumerators gone. */
typedef float real;
typedef struct { real re, im; } complex_t;
enum { ROWS = 4, COLUMNS = ROWS * 2 };
static real table[ROWS][COLUMNS], *row, (*rows)[COLUMNS];
const int limit = ROWS + 1;

static inline real norm(const complex_t *z) { return z->re * z->re + z->im * z->im; }

unsigned mixed(short s, unsigned u, long l, char c) { return s + u * c - (unsigned)l / sizeof table; }
unsigned long bytes(int n, const double *x) { return sizeof(_Bool) * n + (_Bool) *x; }
