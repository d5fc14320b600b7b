/* Clocks around loops, in front of each file of a program that `rtcuda profile` measures. */
struct rtcuda_site {
    unsigned long entered, next;
};
struct rtcuda_clock {
    int depth, was_muted;
};
extern struct rtcuda_site rtcuda_sites[];
/* Set while what runs is a part of a region, or of an entry that is not measured: loops inside are only counted. */
extern __thread int rtcuda_is_muted;
extern int rtcuda_start(int);
extern void rtcuda_stop(int);
static __inline__ struct rtcuda_clock rtcuda_enter(int at) {
    struct rtcuda_clock clock = {0, rtcuda_is_muted};
    const unsigned long entered = ++rtcuda_sites[at].entered;
    if (clock.was_muted) return clock;
    if (entered >= rtcuda_sites[at].next) clock.depth = rtcuda_start(at);
    else rtcuda_is_muted = 1;
    return clock;
}
static __inline__ void rtcuda_leave(struct rtcuda_clock *clock) {
    if (clock->depth) rtcuda_stop(clock->depth);
    rtcuda_is_muted = clock->was_muted;
}
