typedef unsigned char byte;
/* Heads without a type, in the style before C89: the parameters are declared behind them, or are `int`. */
darken(in, out, by, n, m)
    byte *in, *out;
    float by;
    int n;
{
    int i;
    for (i = 0; i < n * m; i++) out[i] = in[i] * by;
    return m;
}
