/* Clocks around loops, in front of each file of a program that `rtcuda profile` measures. */
struct rtcuda_site {
    unsigned long entered, next;
};
struct rtcuda_clock {
    int depth;
};
extern struct rtcuda_site rtcuda_sites[];
extern int rtcuda_start(int);
extern void rtcuda_stop(int);
static __inline__ struct rtcuda_clock rtcuda_enter(int at) {
    struct rtcuda_clock clock = {0};
    if (++rtcuda_sites[at].entered >= rtcuda_sites[at].next) clock.depth = rtcuda_start(at);
    return clock;
}
static __inline__ void rtcuda_leave(struct rtcuda_clock *clock) {
    if (clock->depth) rtcuda_stop(clock->depth);
}
