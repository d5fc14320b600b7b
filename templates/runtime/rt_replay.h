// Steps of a loop that launch the same kernels with the same arguments, as a CUDA graph: recorded once, launched many
// times. A node of a graph takes 0.6 us where a launch takes 3.1 (measured on an H200).
//
// (A graph whose arguments depend on the step would be recorded again and updated at each step, which costs the host
// about what the launches cost that it saves. So such a loop launches its kernels, or stays resident: rt_barrier.h.)
#pragma once

#include <cuda_runtime.h>

#include "rt_copy.h"

namespace rt {

// Where kernels go: the default stream, or the one that is recorded; and how many have gone.
inline cudaStream_t launch_stream;
inline long n_launched;

// Graphs that may still run: destroyed after the next synchronisation.
inline list<cudaGraphExec_t> spent_graphs;

inline void release_spent_graphs()
{
    for (cudaGraphExec_t graph : spent_graphs) cudaGraphExecDestroy(graph);
    spent_graphs.clear();
}

// Turns what is launched in its scope into a graph, also where a launch fails and the scope is left.
class recording {
public:
    explicit recording(const place &at) : at(at)
    {
        check_cuda(at, cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags",
                   "the stream that is recorded");
        // Relaxed: a kernel's first launch may allocate.
        const cudaError_t status = cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
        if (status != cudaSuccess) cudaStreamDestroy(stream);
        check_cuda(at, status, "cudaStreamBeginCapture", "the stream that is recorded");
        launch_stream = stream;
    }
    recording(const recording &) = delete;
    ~recording()
    {
        if (launch_stream) end(nullptr);
    }
    cudaGraphExec_t graph()
    {
        cudaGraphExec_t made = nullptr;
        check_cuda(at, end(&made), "cudaGraphInstantiate", "the recorded steps");
        return made;
    }

private:
    const place &at;
    cudaStream_t stream = nullptr;

    cudaError_t end(cudaGraphExec_t *const made)
    {
        launch_stream = nullptr;
        cudaGraph_t captured = nullptr;
        cudaError_t status = cudaStreamEndCapture(stream, &captured);
        if (status == cudaSuccess && made) status = cudaGraphInstantiate(made, captured, 0);
        if (captured) cudaGraphDestroy(captured);
        cudaStreamDestroy(stream);
        return status;
    }
};

// Some steps of a loop as a graph; of no steps where launching is cheaper.
struct recorded_steps {
    long steps = 0;
    cudaGraphExec_t graph = nullptr;

    void launch(const place &at) const
    {
        check_cuda(at, cudaGraphLaunch(graph, nullptr), "cudaGraphLaunch", "the recorded steps");
    }
};

// How many steps one graph holds. A node costs the host about 2 us once, a graph's launch about 8 each time: the cost
// is least at nodes = sqrt(4 x all launches). So many that the last, incomplete graph is not missed much.
inline long steps_of_graph(const long n_steps, const long launches)
{
    constexpr long fewest = 32, most_nodes = 256;
    const long all = n_steps * launches;
    if (n_steps < 2 || all < fewest) return 0;
    long steps = 1;
    while (steps < n_steps && (steps + 1) * launches <= most_nodes && steps * launches * steps * launches < 4 * all)
        steps++;
    return n_steps / (n_steps / steps);
}

// Records as many steps as are worth it.
template <class F> recorded_steps record_steps(const place &at, const long n_steps, const F &step)
{
    recorded_steps out;
    if (n_steps < 2) return out;
    if (spent_graphs.size() >= 16) {
        check_cuda(at, cudaDeviceSynchronize(), "cudaDeviceSynchronize", "a kernel of the region");
        release_spent_graphs();
    }
    recording record(at);
    const long before = n_launched;
    step();
    out.steps = steps_of_graph(n_steps, n_launched - before);
    if (out.steps == 0) return out;
    for (long k = 1; k < out.steps; k++) step();
    out.graph = record.graph();
    spent_graphs.push_back(out.graph);
    return out;
}

} // namespace rt
