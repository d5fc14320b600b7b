/* An array of twelve elements: however often the loop is to run, it reaches no more. Of an array that the call hands over nobody
   knows that. */
void set(double *all);

double few_elements(int i) {
    double dist[12], running = 0;
    set(dist);
    for (int j = i; j > 0; j--)  // decline: its work, 12 statement instances, is done before a call of a region has begun
        running += dist[j];
    return running;
}

double more(int n, const double a[n]) {
    double running = 0;
    for (int j = 0; j < n; j++)
        running += a[j];
    return running;
}
