#ifndef GRID_H
#define GRID_H
struct grid {
    int n, m;
    double *u, *v;
};
enum { HALO = 1 };
extern struct box {
    double half, width;
    int folded;
} box;
void step(struct grid *g, double r);
void distance(double x, double y, double *d);
void count_folded(double d);
double at(const struct grid *g, int i, int j);
int wrapped(int i, int n);
double rate(double x);
double scaled(double x);
double counted(double x);
double of_pair(double x);
double limited(double x);
int of_case(int x);
int shared(int x);
int twice(int x);
#endif
