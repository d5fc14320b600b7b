void abc(int X, int Y, int Z, double *ex, double *exy0, double c) {
  int mm, nn, pp;
  nn = 0;
  for (mm = 0; mm < X - 1; mm++)
    for (pp = 0; pp < Z; pp++) {
      ex[(mm * Y + nn) * Z + pp] = exy0[mm * Z + pp] + c * (ex[(mm * Y + nn + 1) * Z + pp] - ex[(mm * Y + nn) * Z + pp]);
      exy0[mm * Z + pp] = ex[(mm * Y + nn + 1) * Z + pp];
    }
  nn = Y - 1;
  for (mm = 0; mm < X - 1; mm++)
    for (pp = 0; pp < Z; pp++) {
      ex[(mm * Y + nn) * Z + pp] = exy0[mm * Z + pp] + c * (ex[(mm * Y + nn - 1) * Z + pp] - ex[(mm * Y + nn) * Z + pp]);
      exy0[mm * Z + pp] = ex[(mm * Y + nn - 1) * Z + pp];
    }
}
