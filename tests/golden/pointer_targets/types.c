typedef double real_function(double);
struct ops { real_function *f; double (*g)(const double *, int); };

double square(double x);
double sum(const double *x, int n) { return x[0] + x[n - 1]; }
float narrow(float x) { return x; }
double never(double x) { return x; }

/* Of the pointer's type, and with a body. */
double of_type(struct ops *o, const double *x, float (*h)(float)) { return (*o->f)(o->g(x, 3)) + (**h)(1.0f); }

/* Of this type nobody takes an address. */
int of_none(int (*f)(int)) { return f(3); }

/* Each call of a table, or of what a call gives, is left. */
real_function *find(int k);
double left(real_function **table, int k) { return table[k++](1.0) + find(k)(2.0); }

double square(double x) { return x * x; }
struct ops ops = {square, .g = sum};
float (*other)(float) = narrow;
double called(void) { return never(1.0) + (square)(2.0) + (*narrow)(3.0f); }
