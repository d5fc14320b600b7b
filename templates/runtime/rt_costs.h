// Figures of the cost model: what a core of the host and copies take. Written from src/cost/host.rs by its tests.
#pragma once

namespace rt::costs
{

constexpr double call_ns = 4000;                    // to begin and to end a call on a device
constexpr double start_ns = 250000000;              // until CUDA has begun, once in a program
constexpr double doubt = 2;                         // times that it must be saved, as estimates go
constexpr double copy_ns = 5000;                    // a copy that moves next to nothing
constexpr double fault_ns = 10000;                  // the answer to an access to a closed page, beside its copy
constexpr double asked_ns = 100;                    // a call that has nothing to do with what stays, and is asked
constexpr double iteration_ns = 10;                 // an iteration of which nothing is known, until some are measured
constexpr double bytes_a_ns = 12;                   // what a copy moves
constexpr double staged_bytes = 8388608;            // from here several threads stage a copy (rt_copy.h)
constexpr double staged_ns = 130000;                // until they are at work
constexpr double staged_bytes_a_ns = 36;            // what they move
constexpr double operation_ns = 0.1;                // of a core: an addition
constexpr double access_ns = 0.15;                  // the next element, in its cache
constexpr double far_access_ns = 0.45;              // the same in memory
constexpr double far_at_once = 2;                   // of which so many are no faster
constexpr double cache_bytes = 16777216;            // of its cache
constexpr double many_iterations = 512;             // of unknown length, enough for a device
constexpr double starting_iterations = 262144;      // enough for a device to begin

} // namespace rt::costs
