typedef double real;
