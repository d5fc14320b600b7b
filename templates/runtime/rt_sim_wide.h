// Vectors and asynchronous copies as simulated kernels make them: each element is checked as an access of its own is,
// and the address of the first is to be aligned.
#pragma once

#include "rt_sim_access.h"

namespace rt_sim {

template <class T> rt_ref<T> element(const rt_in<T> &row, const rt_index i)
{
    return row.as_ref(i);
}
template <class A> auto element(const A &row, const rt_index i)
{
    return row[i];
}

template <int N, class T> bool is_aligned(const rt_ref<T> first)
{
    return first.is_aligned(rt_vector_bytes<T, N>);
}
// The first element of a vector that is read, written or copied.
template <int N, class T> void begin_vector(const rt_ref<T> first, const does what, const char *const verb)
{
    first.check_aligned(rt_vector_bytes<T, N>, verb);
    first.touches(rt_vector_bytes<T, N>, what);
}

} // namespace rt_sim

template <class T, size_t N, class Name, class A>
void rt_load_vector(rt_local<T[N], Name> &x, const A &row, const rt_index i)
{
    rt_sim::begin_vector<N>(rt_sim::element(row, i), rt_sim::does::loads, "reads");
    RT_SIM_VECTOR;
    for (long k = 0; k < (long)N; k++) x[k] = (T)row[rt_index(i.at + k, i.where)];
}

template <class T, size_t N, class Name, class A>
void rt_load_vector_part(rt_local<T[N], Name> &x, const A &row, const rt_index i)
{
    rt_sim::begin_vector<N>(rt_sim::element(row, i), rt_sim::does::loads, "reads");
    RT_SIM_VECTOR;
    for (long k = 0; k < (long)N; k++) x[k] = rt_sim::element(row, rt_index(i.at + k, i.where)).or_nothing();
}

template <class A, class T, size_t N, class Name>
void rt_store_vector(const A &row, const rt_index i, rt_local<T[N], Name> &x)
{
    rt_sim::begin_vector<N>(rt_sim::element(row, i), rt_sim::does::stores, "writes");
    RT_SIM_VECTOR;
    for (long k = 0; k < (long)N; k++) row[rt_index(i.at + k, i.where)] = (T)x[k];
}

template <int N, class A> int rt_aligned(const A &row, const rt_index i)
{
    return rt_sim::is_aligned<N>(rt_sim::element(row, i));
}

template <int N, class A, class B>
void rt_copy_async(const A &tile, const rt_index i, const B &row, const rt_index j)
{
    rt_sim::begin_vector<N>(rt_sim::element(tile, i), rt_sim::does::stores, "copies to");
    rt_sim::begin_vector<N>(rt_sim::element(row, j), rt_sim::does::loads, "copies");
    RT_SIM_VECTOR;
    for (long k = 0; k < N; k++) {
        const rt_index to(i.at + k, i.where), from(j.at + k, j.where);
        rt_sim::element(tile, to).begin_copy(row[from]);
    }
}

inline void rt_commit_copies()
{
    rt_sim::run->threads[rt_sim::now.thread].copies.commit();
}

template <int PENDING> void rt_wait_copies()
{
    rt_sim::run->threads[rt_sim::now.thread].copies.wait(PENDING);
}
