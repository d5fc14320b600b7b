// Scans over all blocks, by rt_scan.h: right, without a finding, and the same to the bit whatever the order of blocks and
// threads. Prints a word made of the bits of sums of floating-point numbers, and how much is wrong. Runs on a GPU too.
#include "rt_runtime.h"

static int n_wrong;

static void expect(const bool right, const char *what)
{
    if (right) return;
    n_wrong++;
    printf("wrong: %s\n", what);
}

RT_KERNEL void begin(const long n_slots, const rt_out<unsigned long long> slots, const rt_out<unsigned> begun)
{
    for (long k = threadIdx.x; k < n_slots; k += blockDim.x) slots[k] = 0;
    if (threadIdx.x == 0) begun[0] = 0;
}

template <class Op, class T>
RT_KERNEL void scan(const long n, const rt_in<T> x, const rt_out<T> y, const rt_in<T> start,
                    const rt_inout<unsigned long long> slots, const rt_inout<unsigned> begun)
{
    const unsigned block = rt_begin(begun);
    const long i = (long)block * blockDim.x + threadIdx.x;
    T value = Op::template identity<T>();
    if (i < n) value = x[i];
    T carry = value;
    rt_scan_blocks<Op>(carry, start[0], slots, block);
    rt_warp_scan<Op>(value, carry);
    if (i < n) y[i] = value;
}

template <class Op, class T>
static rt::list<T> scanned(rt::region &rt, const char *what, const rt::list<T> &x, const int threads)
{
    const long n = (long)x.size(), n_blocks = rt_ceildiv(n, threads), n_slots = n_blocks * 2 * rt_message_words<T>;
    rt::list<T> y;
    y.assign(n, T(0));
    T three = (T)3;
    rt::array<T> x_dev(rt, "x", x.begin(), n), y_dev(rt, "y", y.begin(), n), start(rt, "start", &three, 1);
    rt::array<unsigned long long> slots(rt, "slots", nullptr, n_slots);
    rt::array<unsigned> begun(rt, "begun", nullptr, 1);
    x_dev.copy_in(0, n);
    start.copy_in(0, 1);
    rt.launch(what, 1, begin, rt_dims(1), rt_dims(256), n_slots, slots, begun);
    rt.launch(what, 2, scan<Op, T>, rt_dims(n_blocks), rt_dims(threads), n, x_dev, y_dev, start, slots, begun);
    y_dev.copy_out(0, n);
    return y;
}

// Every iteration gets what those before it join to.
template <class Op, class T> static void check(rt::region &rt, const char *what, const long n, const int threads)
{
    rt::list<T> x;
    for (long i = 0; i < n; i++) x.push_back((T)(1 + (i * 37) % 11));
    const rt::list<T> y = scanned<Op>(rt, what, x, threads);
    T joined = (T)3;
    for (long i = 0; i < n; i++) {
        expect(joined == y[i], what);
        joined = Op::template join<T>(joined, x[i]);
    }
}

// Bits of sums that rounding makes depend on their order.
template <class T> static unsigned long bits(rt::region &rt, const char *what)
{
    rt::list<T> x;
    for (long i = 0; i < 70000; i++) x.push_back((T)1 / (T)(1 + i * 7919 % 10007));
    unsigned long hash = 0;
    for (const T value : scanned<rt_add>(rt, what, x, 32)) {
        unsigned long word = 0;
        memcpy(&word, &value, sizeof value);
        hash = hash * 1099511628211ul + word;
    }
    return hash;
}

int main()
try {
    rt::region rt("scan", "scan.c", 1);
    check<rt_add, double>(rt, "sums of one block", 250, 256);
    check<rt_add, int>(rt, "sums of one number", 1, 32);
    check<rt_add, long>(rt, "sums of 32 blocks and one", 32 * 32 + 1, 32);
    check<rt_add, double>(rt, "sums of more than 32 blocks", 9000, 256);
    check<rt_xor, unsigned char>(rt, "bits of more than 1024 blocks", 33000, 32);
    check<rt_max_op, float>(rt, "greatest of more than 2048 blocks", 2054 * 64 - 3, 64);
    check<rt_mul, unsigned>(rt, "products of blocks of 1024", 5000, 1024);
    check<rt_min_op, short>(rt, "least of blocks of three warps", 4000, 96);
    check<rt_add, unsigned long>(rt, "sums of 3072 blocks", 3072 * 32, 32);
    const unsigned long of_float = bits<float>(rt, "float"), of_double = bits<double>(rt, "double");
    rt.done();
    printf("%016lx %016lx, %d wrong\n", of_float, of_double, n_wrong);
    return n_wrong > 0;
} catch (const rt::error &e) {
    return rt::failed(e);
}
