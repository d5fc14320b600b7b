/* AES with a key of 128 bits in counter mode (FIPS 197, NIST SP 800-38A): a block of four words at a time, a round by
   tables that join its steps. Words are numbers whose highest byte is the first. */
#include "kernels.h"

typedef unsigned int word;

static void aes_counter(int n, const word *key, word table[4][256], const word *last, const word *nonce, word in[n][4],
                        word out[n][4]) {
    for (int i = 0; i < n; i++) {
        word a = nonce[0] ^ key[0], b = nonce[1] ^ key[1], c = nonce[2] ^ key[2], d = (nonce[3] + i) ^ key[3];
        for (int r = 1; r < 10; r++) {
            word p = table[0][a >> 24] ^ table[1][b >> 16 & 255] ^ table[2][c >> 8 & 255] ^ table[3][d & 255];
            word q = table[0][b >> 24] ^ table[1][c >> 16 & 255] ^ table[2][d >> 8 & 255] ^ table[3][a & 255];
            word s = table[0][c >> 24] ^ table[1][d >> 16 & 255] ^ table[2][a >> 8 & 255] ^ table[3][b & 255];
            word t = table[0][d >> 24] ^ table[1][a >> 16 & 255] ^ table[2][b >> 8 & 255] ^ table[3][c & 255];
            a = p ^ key[4 * r];
            b = q ^ key[4 * r + 1];
            c = s ^ key[4 * r + 2];
            d = t ^ key[4 * r + 3];
        }
        out[i][0] = in[i][0] ^ key[40] ^
                    (last[a >> 24] << 24 | last[b >> 16 & 255] << 16 | last[c >> 8 & 255] << 8 | last[d & 255]);
        out[i][1] = in[i][1] ^ key[41] ^
                    (last[b >> 24] << 24 | last[c >> 16 & 255] << 16 | last[d >> 8 & 255] << 8 | last[a & 255]);
        out[i][2] = in[i][2] ^ key[42] ^
                    (last[c >> 24] << 24 | last[d >> 16 & 255] << 16 | last[a >> 8 & 255] << 8 | last[b & 255]);
        out[i][3] = in[i][3] ^ key[43] ^
                    (last[d >> 24] << 24 | last[a >> 16 & 255] << 16 | last[b >> 8 & 255] << 8 | last[c & 255]);
    }
}

/* Products in the field of 256 elements. */
static word times(word a, word b) {
    word product = 0;
    for (; b; b >>= 1) {
        if (b & 1)
            product ^= a;
        a = a << 1 ^ (a & 128 ? 0x11b : 0);
    }
    return product;
}

static word turned(word w, int bits) { return w >> bits | w << (32 - bits); }

static void aes_tables(word table[4][256], word *last) {
    for (word x = 0; x < 256; x++) {
        word inverse = 1;
        for (int k = 0; k < 254; k++)
            inverse = times(inverse, x);
        word bits = inverse * 0x01010101u;
        last[x] = (inverse ^ turned(bits, 7) ^ turned(bits, 6) ^ turned(bits, 5) ^ turned(bits, 4)) & 255;
        last[x] ^= 0x63;
        word column = times(last[x], 2) << 24 | last[x] << 16 | last[x] << 8 | times(last[x], 3);
        for (int k = 0; k < 4; k++)
            table[k][x] = k ? turned(column, 8 * k) : column;
    }
}

static void aes_key(const word *last, word *key) {
    word constant = 1;
    for (int k = 4; k < 44; k++) {
        word w = key[k - 1];
        if (k % 4 == 0) {
            w = w << 8 | w >> 24;
            w = last[w >> 24] << 24 | last[w >> 16 & 255] << 16 | last[w >> 8 & 255] << 8 | last[w & 255];
            w ^= constant << 24;
            constant = times(constant, 2);
        }
        key[k] = key[k - 4] ^ w;
    }
}

ROW(aes_counter) {
    long n = size[0] / 16;
    /* The key and the counter of NIST SP 800-38A, F.5.1. */
    word key[44] = {0x2b7e1516, 0x28aed2a6, 0xabf71588, 0x09cf4f3c};
    word nonce[4] = {0xf0f1f2f3, 0xf4f5f6f7, 0xf8f9fafb, 0xfcfdfeff};
    word table[4][256], last[256], *in = zeros(16 * n), *out = zeros(16 * n);
    aes_tables(table, last);
    aes_key(last, key);
    in[0] = 0x6bc1bee2, in[1] = 0x2e409f96, in[2] = 0xe93d7e11, in[3] = 0x7393172a;
    for (int run = 0; run < runs; run++)
        aes_counter(n, key, table, last, nonce, (void *)in, (void *)out);
    /* What the standard says comes of its first block. */
    if (out[0] != 0x874d6191 || out[1] != 0xb620e326 || out[2] != 0x1bef6864 || out[3] != 0x990db6ce) {
        fputs("this is not AES\n", stderr);
        exit(1);
    }
    free(in), free(out);
}
