struct point { int id; double *at; };

/* The pointers lie as far apart as the structures, of which the region sets another member. */
void nearest(int n, int m, struct point *p, const double *centre) {
    for (int i = 0; i < n; i++) {
        double d = 0;
        for (int k = 0; k < m; k++)
            d += (p[i].at[k] - centre[k]) * (p[i].at[k] - centre[k]);
        p[i].id = d < 1;
    }
}
