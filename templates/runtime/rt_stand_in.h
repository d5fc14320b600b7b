// A copy of the process that stays where the original loops begin, and runs them again from the same state when it is
// asked to, once for each of the other rounding modes. What happens to it there, happens to nobody else.
//
// The other rounding modes show what rounding alone does to a result: W. Kahan, How Futile are Mindless Assessments of
// Roundoff in Floating-Point Computation?, 2006, on rerunning a program with its roundings redirected.
#pragma once

#include <errno.h>
#include <fenv.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <initializer_list>

namespace rt {

class stand_in {
public:
    static constexpr std::initializer_list<int> modes = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

    stand_in() = default;
    stand_in(const stand_in &) = delete;
    ~stand_in() { dismiss(); }

    // Whether this process is a copy, which runs the original loops.
    static bool is_copy() { return am_copy; }

    // Leaves a copy here; it goes on from here, too, if it is asked.
    void leave()
    {
        int ends[2];
        if (is_useless || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
        process = fork();
        if (process == 0) {
            close(ends[0]);
            return wait_in_copy(ends[1]);
        }
        close(ends[1]);
        channel = ends[0];
        if (process < 0) dismiss();
    }

    // Asks for the results under each of the modes; the loops took that long here. Says whether somebody hears it.
    bool ask(const double seconds)
    {
        const unsigned allowed = seconds < 1e6 ? (unsigned)(2 + 4 * seconds) : 1u << 22;
        return channel >= 0 && send(channel, &allowed, sizeof allowed, MSG_NOSIGNAL) == sizeof allowed;
    }
    // The next bytes that the copy told. Where there are none, its loops did not get to their end.
    bool hear(char *to, size_t bytes)
    {
        while (bytes > 0) {
            const ssize_t n = recv(channel, to, bytes, MSG_WAITALL);
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) {
                is_useless = true;
                return false;
            }
            to += n;
            bytes -= n;
        }
        return true;
    }
    // In the copy.
    void tell(const char *from, size_t bytes)
    {
        while (bytes > 0) {
            const ssize_t n = send(channel, from, bytes, MSG_NOSIGNAL);
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) _exit(1);
            from += n;
            bytes -= n;
        }
    }
    [[noreturn]] static void end_copy() { _exit(0); }

    void dismiss()
    {
        if (channel < 0) return;
        close(channel);
        channel = -1;
        if (process > 0) wait_for(process);
    }

private:
    pid_t process = -1;
    int channel = -1;
    inline static bool am_copy = false, is_useless = false;

    // For each mode a copy of the copy goes on. One whose loops do not end is stopped by the alarm clock.
    void wait_in_copy(const int from)
    {
        unsigned allowed;
        if (recv(from, &allowed, sizeof allowed, MSG_WAITALL) != sizeof allowed) _exit(0);
        close(STDOUT_FILENO); // what the loops say, they have said
        close(STDERR_FILENO);
        for (const int mode : modes) {
            const pid_t runner = fork();
            if (runner == 0) {
                am_copy = true;
                channel = from;
                sigset_t none;
                sigemptyset(&none);
                sigprocmask(SIG_SETMASK, &none, nullptr);
                signal(SIGALRM, SIG_DFL);
                alarm(allowed);
                fesetround(mode);
                return;
            }
            if (runner < 0 || wait_for(runner) != 0) _exit(1);
        }
        _exit(0);
    }

    static int wait_for(const pid_t child)
    {
        int status = 1;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        return status;
    }
};

} // namespace rt
