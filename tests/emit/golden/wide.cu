// c += alpha a: vectors where they may begin, elements elsewhere
template <typename rt_position, int BLOCK_0, int V>
RT_KERNEL void RT_THREADS(BLOCK_0, 1) scaled(const rt_position n, const rt_position m, const float alpha,
                                             const rt_in<float> a, const rt_inout<float> c)
{
    const rt_position i = blockIdx.y;
    const rt_position j = ((rt_position)blockIdx.x * BLOCK_0 + (rt_position)threadIdx.x) * V;
    if (i < n && j + V <= m && rt_aligned<V>(a, i * m + j) && rt_aligned<V>(c, i * m + j)) {
        RT_LOCAL(float, x, [V]);
        RT_LOCAL(float, y, [V]);
        rt_load_vector(x, a, i * m + j);                                        // wide.c:3
        rt_load_vector(y, c, i * m + j);                                        // wide.c:3
        RT_UNROLL
        for (rt_position k = 0; k < V; k++) {
            y[k] += alpha * x[k];                                               // wide.c:3
        }
        rt_store_vector(c, i * m + j, y);                                       // wide.c:3
    } else {
        for (rt_position k = j; k < rt_min(m, j + V); k++) {
            c[i * m + k] += alpha * a[i * m + k];                               // wide.c:3
        }
    }
}

// c = a transposed: n is a multiple of 8
RT_KERNEL void turned(const int n, const rt_in<double> a, const rt_out<double> c)
{
    RT_SHARED(double, tile, [8][10]);
    RT_LOCAL(double, x, [2]);
    rt_load_vector(x, a, ((int)blockIdx.y * 8 + (int)threadIdx.y) * n + (int)blockIdx.x * 8 + (int)threadIdx.x * 2);  // wide.c:6
    for (int k = 0; k < 2; k++) {
        tile[(int)threadIdx.x * 2 + k][threadIdx.y] = x[k];                     // wide.c:6
    }
    __syncthreads();
    rt_load_vector(x, tile[threadIdx.y], (int)threadIdx.x * 2);                 // wide.c:6
    rt_store_vector(c, ((int)blockIdx.x * 8 + (int)threadIdx.y) * n + (int)blockIdx.y * 8 + (int)threadIdx.x * 2, x);  // wide.c:6
}

// c = a b: n is a multiple of T; tiles of STAGES stages
template <typename rt_position, int T, int STAGES>
RT_KERNEL void RT_THREADS(T * T, 1) product(const rt_position n, const rt_in<float> a, const rt_in<float> b,
                                            const rt_out<float> c)
{
    RT_SHARED(float, ta, [STAGES][T][T]);
    RT_SHARED(float, tb, [STAGES][T][T]);
    float sum = 0.0f;
    RT_UNROLL
    for (rt_position p = 0; p < STAGES - 1; p++) {
        if (p * T < n) {
            rt_copy_async<1>(ta[p][threadIdx.y], threadIdx.x, a, ((rt_position)blockIdx.y * T + (rt_position)threadIdx.y) * n + p * T + (rt_position)threadIdx.x);  // wide.c:9
            if ((rt_position)threadIdx.x < T / 4) {
                rt_copy_async<4>(tb[p][threadIdx.y], (rt_position)threadIdx.x * 4, b, (p * T + (rt_position)threadIdx.y) * n + (rt_position)blockIdx.x * T + (rt_position)threadIdx.x * 4);  // wide.c:9
            }
        }
        rt_commit_copies();
    }
    for (rt_position s = 0; s < n / T; s++) {
        rt_wait_copies<STAGES - 2>();
        __syncthreads();
        const rt_position next = s + STAGES - 1;
        if (next * T < n) {
            rt_copy_async<1>(ta[rt_mod(next, STAGES)][threadIdx.y], threadIdx.x, a, ((rt_position)blockIdx.y * T + (rt_position)threadIdx.y) * n + next * T + (rt_position)threadIdx.x);  // wide.c:9
            if ((rt_position)threadIdx.x < T / 4) {
                rt_copy_async<4>(tb[rt_mod(next, STAGES)][threadIdx.y], (rt_position)threadIdx.x * 4, b, (next * T + (rt_position)threadIdx.y) * n + (rt_position)blockIdx.x * T + (rt_position)threadIdx.x * 4);  // wide.c:9
            }
        }
        rt_commit_copies();
        RT_UNROLL
        for (rt_position k = 0; k < T; k++) {
            sum += ta[rt_mod(s, STAGES)][threadIdx.y][k] * tb[rt_mod(s, STAGES)][k][threadIdx.x];  // wide.c:9
        }
    }
    rt_wait_copies<0>();
    c[((rt_position)blockIdx.y * T + (rt_position)threadIdx.y) * n + (rt_position)blockIdx.x * T + (rt_position)threadIdx.x] = sum;  // wide.c:9
}

// c[i, j] = a[i, n - 1 - j]: more shared memory than the compiler may place; n is T
template <int T>
RT_KERNEL void mirrored(const int n, const rt_in<double> a, const rt_out<double> c)
{
    RT_SHARED_FIRST(double, row, [T][T + 1]);
    RT_SHARED_BEHIND(int, place, [T], row);
    RT_SHARED_BEHIND(double, weight, [T][48], place);
    const long i = blockIdx.x;
    row[T - 1][(long)threadIdx.x + 1] = a[i * n + threadIdx.x];                 // wide.c:12
    place[threadIdx.x] = n - 1 - (long)threadIdx.x;                             // wide.c:12
    weight[threadIdx.x][47] = 1.0;                                              // wide.c:12
    __syncthreads();
    c[i * n + threadIdx.x] = row[T - 1][(long)place[threadIdx.x] + 1] * weight[T - 1 - (long)threadIdx.x][47];  // wide.c:12
}
