/* GCC's builtins of the bits of a number, in loops and in functions that loops call. */
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 4000
#endif

static uint64_t board[N];
static unsigned key[N];
static int ones[N], level[N], low[N], distance[N];

static int log2_of(unsigned x) { return 31 - __builtin_clz(x); }
static int hamming(uint64_t a, uint64_t b) { return __builtin_popcountll(a ^ b); }

int main(void) {
    int n = N;
    for (int i = 0; i < n; i++) {
        board[i] = 0x9E3779B97F4A7C15ull * (uint64_t)(i + 1);
        key[i] = (unsigned)(board[i] >> 40) | 1u << (i % 32);
    }
    for (int i = 0; i < n; i++) {
        ones[i] = __builtin_popcount(key[i]) + __builtin_popcountl(board[i] >> 32) + __builtin_popcount(-i);
        level[i] = log2_of(key[i]) + __builtin_clzll(board[i]) + __builtin_clzl(1ul << i % 64);
        low[i] = __builtin_ctz(key[i]) + __builtin_ctzl(board[i] | 1ul << 63) + __builtin_ctzll(1ull << i % 64);
        distance[i] = hamming(board[i], board[(i + 7) % n]);
    }
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += ones[i] + 3 * level[i] + 5 * low[i] + 7 * distance[i];
    printf("%ld\n", sum);
    return 0;
}
