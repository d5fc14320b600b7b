// A program that stands still at a region's call and runs candidates for it, one after the other, on the data of that
// call: `rtcuda tune` builds it and asks it by a socket, $RTCUDA_TUNE.
//
//   rtcuda                                      this process, which never touches a GPU
//   ──────                                      ────────────────────────────────────────
//                                               hello n=4096            what the region was called with
//   run CANDIDATE.so SAMPLES SECONDS BEST LEAST a copy of it loads the candidate, runs it, compares, measures; then for LEAST
//                                               seconds on end, where these are not 0, for who meters the device
//                                               {"status":"ok",...}     or what was wrong
//   original                                    forks; the copy runs the original loops and compares
//   ended                                       {"status":"running"} or how that copy ended
//
// A copy has all memory as it was at the call. It runs a few candidates, since a device takes long to begin with, and is
// given up with the first that is wrong: whatever that did to memory, or to the device, ends with the copy. The first
// candidate is the reference: what it computes, the later ones must compute; the original loops judge it.
#pragma once

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/un.h>

#include <tuple>
#include <type_traits>

#include "rt_runtime.h"

namespace rt {

class tuner {
public:
    // In the place of a call of the region's entry on copies: whether it was converted.
    template <class... P, class... A>
    static int call(check &c, const char *entry, const char *names, int (*)(P...), A &&...given)
    {
        static bool is_done = false;
        const char *const path = env("RTCUDA_TUNE"), *const wanted = env("RTCUDA_TUNE_ENTRY");
        not_converted_reason = "another region is being tuned";
        if (!path || !wanted || strcmp(wanted, entry) != 0 || is_done) return 0;
        is_done = true;
        std::tuple<P...> arguments{given...};
        tuner t(c, path);
        t.greet(names, arguments);
        return t.serve(arguments);
    }

private:
    // A scalar that the region writes.
    struct scalar {
        char *at;
        size_t bytes;
        type t;
        char before[16];
    };

    check &c;
    const int socket_;
    list<scalar> scalars;
    char *reference = nullptr; // what the first candidate left, in memory that copies of the process share
    bool has_reference = false;
    pid_t original = -1;
    int original_status = -1;
    // A copy that runs candidates, and the ways to it and from it.
    pid_t runner = -1;
    int to_runner = -1, from_runner = -1, n_run = 0;
    static constexpr int most_run = 16; // what their runtimes keep of the device's memory ends with the copy

    tuner(check &c, const char *path) : c(c), socket_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_un at{};
        at.sun_family = AF_UNIX;
        snprintf(at.sun_path, sizeof at.sun_path, "%s", path);
        if (socket_ < 0 || connect(socket_, (sockaddr *)&at, sizeof at) != 0) _exit(exit_failed);
    }

    // ---- what the region was called with

    template <class... P> void greet(const char *names, std::tuple<P...> &arguments)
    {
        text hello = "hello";
        std::apply([&](P &...p) { (take(next(names), p, hello), ...); }, arguments);
        size_t bytes = 0;
        for (const stretch &a : c.arrays) bytes += a.live() > 0 ? a.live() * a.element_bytes : 0;
        for (const scalar &s : scalars) bytes += s.bytes;
        void *const shared = mmap(nullptr, bytes + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (shared == MAP_FAILED) _exit(exit_failed);
        reference = (char *)shared;
        say(hello);
    }
    // The next of the names, which commas part; what stands in brackets is none.
    static text next(const char *&names)
    {
        const char *end = names;
        while (*end && *end != ',') end++;
        const text name = format("%.*s", (int)(end - names), names);
        names = *end ? end + 1 : end;
        while (*names == ' ') names++;
        return name;
    }
    template <class P> void take(const text &name, const P &p, text &hello)
    {
        using T = std::remove_pointer_t<P>;
        if constexpr (std::is_integral_v<P>)
            hello = hello + format(" %s=%lld", name.c_str(), (long long)p);
        else if constexpr (std::is_pointer_v<P> && std::is_arithmetic_v<T> && !std::is_const_v<T>) {
            scalars.push_back({(char *)p, sizeof(T), type_of<T>(), {}});
            memcpy(scalars.back().before, p, sizeof(T));
        }
    }

    // ---- requests

    void say(const text &line) const
    {
        const text whole = line + "\n";
        const char *from = whole.c_str();
        for (size_t left = strlen(from); left > 0;) {
            const ssize_t n = send(socket_, from, left, MSG_NOSIGNAL);
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) leave();
            from += n, left -= n;
        }
    }
    // Nobody asks any more: nothing is left to do, for the copies neither.
    [[noreturn]] void leave() const
    {
        for (const pid_t copy : {original, runner})
            if (copy > 0) kill(copy, SIGKILL);
        _exit(0);
    }
    void hear(char *line, const size_t most) const
    {
        for (size_t n = 0; n + 1 < most; n++) {
            ssize_t got;
            while ((got = recv(socket_, line + n, 1, 0)) < 0 && errno == EINTR) {
            }
            if (got <= 0) leave();
            line[n + 1] = 0;
            if (line[n] != '\n') continue;
            line[n] = 0;
            return;
        }
        _exit(exit_failed);
    }

    template <class... P> int serve(std::tuple<P...> &arguments)
    {
        for (;;) {
            char line[5000], object[4097];
            hear(line, sizeof line);
            int samples;
            double seconds, best, least;
            if (sscanf(line, "run %4096s %d %lf %lf %lf", object, &samples, &seconds, &best, &least) == 5)
                run(line, seconds, arguments);
            else if (strcmp(line, "original") == 0) {
                original = fork();
                if (original == 0) return in_original();
                say("{\"status\":\"running\"}");
            } else
                say(how_original_ended());
        }
    }

    // In a copy: what the first candidate computed, to be compared with what the original loops compute.
    int in_original()
    {
        close(socket_);
        check::ends_with_call = true;
        const char *from = reference;
        for (const stretch &a : c.arrays) {
            if (a.live() <= 0) continue;
            memcpy(a.copy + a.live_first * (long)a.element_bytes, from, a.live() * a.element_bytes);
            from += a.live() * a.element_bytes;
        }
        for (const scalar &s : scalars) {
            memcpy(s.at, from, s.bytes);
            from += s.bytes;
        }
        return 1;
    }
    text how_original_ended()
    {
        if (original > 0 && original_status < 0 && waitpid(original, &original_status, WNOHANG) != original) original_status = -1;
        return original_status < 0 ? text("{\"status\":\"running\"}") : format("{\"status\":\"ended\",\"code\":%d}", original_status);
    }

    // Has a candidate run in a copy of this process, for so long at most, and says what the copy said or how it ended.
    template <class... P> void run(const char *request, const double seconds, std::tuple<P...> &arguments)
    {
        if (runner < 0) start_runner(arguments);
        text said;
        const bool is_asked = dprintf(to_runner, "%s\n", request) > 0;
        const int how = is_asked ? listen(seconds, said) : gone;
        if (how == silent) kill(runner, SIGKILL);
        int status = 0;
        if (how != answered)
            while (waitpid(runner, &status, 0) < 0 && errno == EINTR) {
            }
        const text answer = how == silent ? format("{\"status\":\"hangs\",\"why\":\"no answer within %.3g s\"}", seconds)
                                          : answer_in(said, status);
        const bool is_well = how == answered && strncmp(answer.c_str(), "{\"status\":\"ok\"", 14) == 0;
        has_reference |= is_well;
        if (!is_well || ++n_run >= most_run) end_runner(how == answered);
        say(answer);
    }
    template <class... P> void start_runner(std::tuple<P...> &arguments)
    {
        int to[2], from[2];
        if (pipe(to) != 0 || pipe(from) != 0 || (runner = fork()) < 0) _exit(exit_failed);
        if (runner == 0) {
            close(to[1]), close(from[0]), close(socket_);
            dup2(from[1], STDERR_FILENO); // errors of the runtime, too
            run_all(fdopen(to[0], "r"), from[1], arguments);
        }
        close(to[0]), close(from[1]);
        signal(SIGPIPE, SIG_IGN);
        to_runner = to[1], from_runner = from[0], n_run = 0;
    }
    void end_runner(const bool is_alive)
    {
        if (is_alive) {
            kill(runner, SIGKILL);
            while (waitpid(runner, nullptr, 0) < 0 && errno == EINTR) {
            }
        }
        close(to_runner), close(from_runner);
        runner = -1;
    }
    enum { answered, silent, gone };
    // Reads up to the end of a line that is an answer.
    int listen(const double seconds, text &said) const
    {
        for (const double end = seconds_now() + seconds;;) {
            const double left = end - seconds_now();
            pollfd p{from_runner, POLLIN, 0};
            if (left <= 0 || poll(&p, 1, (int)(1000 * left) + 1) == 0) return silent;
            char bytes[4096];
            const ssize_t n = read(from_runner, bytes, sizeof bytes);
            if (n == 0) return gone;
            if (n > 0) said += format("%.*s", (int)n, bytes);
            const char *const answer = strstr(said.c_str(), "\n{\"status\":");
            if (answer && strchr(answer + 1, '\n')) return answered;
        }
    }
    // The last line, if it is an answer; else the last words and how it ended.
    static text answer_in(const text &said, const int status)
    {
        text last;
        for (const char *at = said.c_str(); *at;) {
            const size_t length = strcspn(at, "\n");
            if (length > 0) last = format("%.*s", (int)length, at);
            at += length + (at[length] != 0);
        }
        if (status == 0 && last.c_str()[0] == '{') return last;
        const text how = WIFSIGNALED(status) ? format("killed by signal %d", WTERMSIG(status))
                                             : format("exit status %d", WEXITSTATUS(status));
        return format("{\"status\":\"failed\",\"why\":%s}", quoted(how + (last.empty() ? "" : ": ") + last).c_str());
    }

    // ---- in a copy: candidates, one after the other

    template <class... P>
    [[noreturn]] void run_all(FILE *requests, const int to, std::tuple<P...> &arguments)
    {
        setenv("RTCUDA_PROFILE", "/dev/null", 1);
        setenv("RTCUDA_CHOICE", "device", 1);
        char object[4097];
        int samples;
        double seconds, best, least;
        while (fscanf(requests, " run %4096s %d %lf %lf %lf", object, &samples, &seconds, &best, &least) == 5)
            dprintf(to, "\n%s\n", measured(object, samples, best, least, arguments).c_str());
        _exit(0);
    }

    template <class... P>
    text measured(const char *object, const int samples, const double best, const double least,
                  std::tuple<P...> &arguments)
    {
        void *const library = dlopen(object, RTLD_NOW | RTLD_LOCAL);
        if (!library) return failure("failed", dlerror());
        const auto f = (int (*)(P...))dlsym(library, "rt_tune_entry");
        const auto kernel_seconds = (double (*)())dlsym(library, "rt_tune_seconds");
        const auto kernels = (const char *(*)())dlsym(library, "rt_tune_kernels");
        const auto repeat = (const char *(*)(long))dlsym(library, "rt_tune_repeat");
        if (!f || !kernel_seconds || !kernels || !repeat) return failure("failed", "it has no entry");
        restore();
        // The first run warms up, and is compared.
        if (!std::apply(f, arguments)) return failure("declined", "this call is outside what was proved: the original loops would run");
        const text wrong = has_reference ? difference() : keep();
        if (!wrong.empty()) return failure("differs", wrong.c_str());
        text times;
        double before = kernel_seconds(), all = 0, quickest = 0;
        for (int k = 0; k < samples; k++) {
            restore();
            std::apply(f, arguments);
            const double now = kernel_seconds(), taken = now - before;
            times = times + format(k > 0 ? ",%.9g" : "%.9g", taken);
            before = now, all += taken;
            quickest = k == 0 ? taken : rt_min(quickest, taken);
            if (best > 0 && taken > 1.5 * best) break; // hopeless
            if (k >= 2 && all > 0.5) break;
        }
        const text told = format("{\"status\":\"ok\",\"samples\":[%s],\"kernels\":[%s]", times.c_str(), kernels());
        if (least <= 0 || quickest <= 0) return told + "}";
        // Results of the kernels are none now: they run on what they have left, too.
        const long n = rt_max(2L, (long)rt_min(1e7, least / quickest + 1));
        restore();
        repeat(n);
        std::apply(f, arguments);
        return told + format(",\"times\":%ld,\"spans\":[%s]}", n, repeat(1));
    }
    static text failure(const char *status, const char *why)
    {
        return format("{\"status\":\"%s\",\"why\":%s}", status, quoted(why).c_str());
    }
    // The arrays that the region writes, as they were before the call.
    void restore()
    {
        for (const stretch &a : c.arrays) {
            const long from = a.live_first * (long)a.element_bytes;
            if (a.live() > 0) memcpy(a.copy + from, a.host + from, a.live() * a.element_bytes);
        }
        for (const scalar &s : scalars) memcpy(s.at, s.before, s.bytes);
    }
    text keep()
    {
        char *to = reference;
        for (const stretch &a : c.arrays) {
            if (a.live() <= 0) continue;
            memcpy(to, a.copy + a.live_first * (long)a.element_bytes, a.live() * a.element_bytes);
            to += a.live() * a.element_bytes;
        }
        for (const scalar &s : scalars) {
            memcpy(to, s.at, s.bytes);
            to += s.bytes;
        }
        has_reference = true;
        return {};
    }
    // The first difference from the reference, if there is one.
    text difference()
    {
        const char *from = reference;
        for (const stretch &a : c.arrays) {
            if (a.live() <= 0) continue;
            const text found = apart(a, from - a.live_first * (long)a.element_bytes, a.copy);
            if (!found.empty()) return found;
            from += a.live() * a.element_bytes;
        }
        for (const scalar &s : scalars) {
            const stretch one{"a scalar", nullptr, s.bytes, s.t, {}, 0, 1, 0, 1, nullptr, 0};
            const text found = apart(one, from, s.at);
            if (!found.empty()) return found;
            from += s.bytes;
        }
        return {};
    }
    static text apart(const stretch &of, const char *expected, const char *found)
    {
        computed two{of, expected, found};
        if (two.is_same()) return {};
        two.floor = small_against(of.t) * of.largest(expected);
        for (long i = of.live_first; i < of.live_last; i++) {
            if (two.agrees(i)) continue;
            return format("%s%s is %s by the default, %s here", of.name, of.position(i).c_str(),
                          text_at(of.t, two.x(i)).c_str(), text_at(of.t, two.y(i)).c_str());
        }
        return {};
    }
};

} // namespace rt

// In the place of a call of a region's entry.
#define RT_TUNED(entry, ...) rt::tuner::call(rt, #entry, #__VA_ARGS__, entry __VA_OPT__(, ) __VA_ARGS__)
