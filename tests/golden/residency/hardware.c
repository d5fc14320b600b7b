/* What the network reads no closed page holds up; another file may call this. */
int MPI_Send(const void *, int, int, int, int, int);
void step(int n, double *u) {
    for (int i = 0; i < n; i++)
        u[i] *= 0.5;
    MPI_Send(u, n, 1, 0, 0, 0);
}
