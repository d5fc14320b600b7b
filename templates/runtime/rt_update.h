// How operators leave what they computed in an array, for the GPU and the simulation alike.
#pragma once

#include "rt_runtime.h"

// c[at] = result + beta c[at]; where it is overwritten, what is there is not even read: it may be no number.
template <class T>
RT_DEVICE void rt_update(const rt_inout<T> c, const long at, const bool overwritten, const T beta, const T result)
{
    if (overwritten)
        c[at] = result;
    else
        c[at] = beta * c[at] + result;
}
