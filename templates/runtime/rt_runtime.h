// The runtime of converted programs: one set of names for a GPU (nvcc) and for the simulation on the CPU
// (`g++ -x c++ -std=c++20 -DRT_SIM`). Emitted files include this header alone.
//
//   rt_base.h    errors, environment, exit status, JSON           rt_math.h    min, max, division, operators
//   rt_cuda.h    the GPU: memory, launches; rt_copy.h transfers   rt_sim.h     the simulated GPU (rt_sim_*.h)
//   rt_code.h    code for the device, and kernels in it; rt_apart.h the host's part of a file alone
//   rt_host.h    region    rt_array.h array: what an entry point is made of    rt_profile.h times
//   rt_reduce.h  reductions of a block, atomics                   rt_check.h   comparison with the original:
//   rt_wide.h    vectors, asynchronous copies to tiles            rt_mma.h     matrices that a warp multiplies
//   rt_scan.h    scans over all blocks                          rt_complex.h complex numbers by their parts
//   rt_random.h  states of random generators many steps on
//   rt_compare.h elements that agree or not                       rt_stand_in.h  what rounding alone does
//   rt_barrier.h barriers of the grid                             rt_replay.h  steps as CUDA graphs
//   rt_interrupt.h  loops that end when the program is asked to
//   rt_stay.h    what stays on the device (rt_stay_device.h, rt_stay_rows.h; rt_spans.h bytes); rt_pages.h pages that are
//                closed to the host meanwhile; rt_faults.h its touches of them, rt_system.h the system's;
//                rt_signals.h its signals; rt_mappings.h memory that it maps
//   rt_reach.h   how far memory goes behind a pointer            rt_blocks.h  blocks that the program has, as
//   rt_outside.h accesses that lead out of it are held back                    rt_allocator.h is told, rt_symbols.h static arrays
//   rt_costs.h   what a core of the host and copies take          rt_work.h    whether a call is worth a device; rt_patience.h,
//                rt_measured.h what calls took
//
// Environment of a converted program:
//   RTCUDA_ON_ERROR=fallback   after an error (no memory, no device) the original loops run; else exit status 3
//   RTCUDA_PROFILE=FILE        times of regions, kernels and copies, as JSON
//   RTCUDA_REPORT=FILE         check mode: what was compared and what differed, as JSON; a difference: exit status 1
//   RTCUDA_RTOL=X              check mode: relative tolerance; 1e-4 for float and 1e-9 for double unless set. It is of
//                              the value, or of a thousandth of the array's largest where that is more; 16 units of
//                              rounding (FLT_EPSILON, DBL_EPSILON) of the array's largest pass in any case. What is
//                              further apart is rounding if the original moves as far under another rounding mode
//                              (rt_stand_in.h). 0: exactly
//   RTCUDA_CHECK_FOR=SECONDS   check mode: later calls run the original alone
//   RTCUDA_CHOICE=device|host|shuffle:SEED   calls that go to the device: all of them, none, or any; by the model unless set
//   RTCUDA_GUARD=0             nothing stays on the device but what the program's text announces to be touched
//   RTCUDA_POSITIONS=64        kernels with an instance for positions of 32 bits run the one for 64 in every call
// and of its simulation:
//   RT_SIM_ORDER=forward|reverse|shuffle:SEED    of blocks and threads
//   RT_SIM_MEMORY=BYTES        of device memory
//   RT_SIM_RESIDENT=N          blocks that the device holds at once; 3 unless set, 13 where they wait for neighbours
//   RT_SIM_ONE_BLOCK=N         work in threads up to which a resident kernel runs as one block; 64 unless set
//   RTCUDA_FINDINGS=FILE       what the simulation found, as JSON; a finding: exit status 4
//   RT_SIM_KEEP_GOING=1        findings do not change the exit status
#pragma once

#ifndef RT_SIM
#include "rt_code.h"
#endif
#include "rt_base.h"
#include "rt_math.h"
#include "rt_random.h"
#include "rt_complex.h"
#ifdef RT_SIM
#include "rt_sim.h"
#include "rt_sim_outside.h"
#else
#include "rt_cuda.h"
#include "rt_outside.h"
#endif
#include "rt_array.h"
#include "rt_faults.h"
#include "rt_signals.h"
#include "rt_system.h"
#include "rt_reduce.h"
#include "rt_scan.h"
#include "rt_mma.h"
#include "rt_wide.h"
#include "rt_check.h"

// By this name `rtcuda cc` sees when it links what an object needs beside C.
extern "C" {
#ifdef RT_SIM
[[gnu::used]] inline char rtcuda_object_simulated = 1;
#else
[[gnu::used]] inline char rtcuda_object_cuda = 1;
#endif
}
