/* Members of two types are written: each array of numbers takes home its own. */
struct particle {
    double at[2];
    int cell;
    double mass;
    short seen;
};

void sort(struct particle *all, int n, double width) {
    for (int i = 0; i < n; i++) {
        all[i].cell = (int)(all[i].at[0] / width);
        all[i].at[1] += all[i].mass;
        all[i].seen = 1;
    }
}
