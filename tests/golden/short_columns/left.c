// Columns change at each step.
void written(int n, int m, int steps, const int start[n + 1], int column[m], const double value[m], double x[n], double y[n]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int k = start[i]; k < start[i + 1]; k++)
                sum += value[k] * x[column[k]];
            y[i] = sum;
        }
        for (int k = 0; k < m; k++)
            column[k] = n - 1 - column[k];
        for (int i = 0; i < n; i++)
            x[i] = 0.5 * y[i];
    }
}

// There is no time loop.
void once(int n, int m, const int start[n + 1], const int column[m], const double value[m], const double x[n], double y[n]) {
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = start[i]; k < start[i + 1]; k++)
            sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

// Columns are read elsewhere, too.
void elsewhere(int n, int m, int steps, const int start[n + 1], const int column[m], const double value[m], double x[n],
               double y[n]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int k = start[i]; k < start[i + 1]; k++)
                sum += value[k] * x[column[k]];
            y[i] = sum;
        }
        for (int i = 0; i < n; i++)
            x[i] = column[i] > i ? 0.5 * y[i] : y[i];
    }
}

// They are short already.
void narrow(int n, int m, int steps, const int start[n + 1], const unsigned short column[m], const double value[m], double x[n],
            double y[n]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int k = start[i]; k < start[i + 1]; k++)
                sum += value[k] * x[column[k]];
            y[i] = sum;
        }
        for (int i = 0; i < n; i++)
            x[i] = 0.5 * y[i];
    }
}

// Rows begin where the region itself has put it.
void moved(int n, int m, int steps, int start[n + 1], const int column[m], const double value[m], double x[n], double y[n]) {
    for (int i = 1; i < n; i++)
        start[i] = 7 * i;
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int k = start[i]; k < start[i + 1]; k++)
                sum += value[k] * x[column[k]];
            y[i] = sum;
        }
        for (int i = 0; i < n; i++)
            x[i] = 0.5 * y[i];
    }
}
