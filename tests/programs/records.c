/* Arrays of structures: members of one type are the numbers of an array, whatever others are beside them. */
#include <math.h>
#include <stdio.h>

#define N 120
#define SPEEDS 9

typedef struct {
    float speeds[SPEEDS];
} cell;
typedef struct {
    double x, y, z;
} vector;
typedef struct {
    float density;
    float velocity[2];
} moment;
typedef struct {
    double x, y;
} __attribute__((aligned(64))) padded;
typedef struct {
    double x;
    int kind;
} mixed;

static cell cells[N], next[N];
static vector p[N], v[N];
static moment field[N / 10][10];
static padded wide[N];
static mixed other[N];

static void start(int n)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < SPEEDS; k++) cells[i].speeds[k] = (float)(i % 7 + k) / 3;
        p[i].x = i;
        p[i].y = 0.5 * i;
        v[i].x = 1;
        v[i].y = i % 3;
        v[i].z = -1;
    }
}

static void collide(int n)
{
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = 0; k < SPEEDS; k++) sum += cells[i].speeds[k];
        for (int k = 0; k < SPEEDS; k++) next[i].speeds[k] = cells[i].speeds[k] + (sum / SPEEDS - cells[i].speeds[k]) / 2;
        field[i / 10][i % 10].density = sum;
    }
    for (int i = 0; i < n / 10; i++)
        for (int j = 0; j < 10; j++)
            for (int k = 0; k < 2; k++) field[i][j].velocity[k] = (float)(i - j + k);
}

static void move(vector *q, const vector *u, int n, double dt)
{
    for (int i = 0; i < n; i++) { // original: u and q overlap
        q[i].x += dt * u[i].x;
        q[i].y += dt * u[i].y;
        q[i].z += dt * u[i].z;
    }
}

static double far(const vector *q, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        if (fabs(q[i].x) > most) most = fabs(q[i].x);
    return most;
}

/* What a pointer to one of them reads may be an element: found out at the call. */
static void pull(vector *q, const vector *to, int n)
{
    for (int i = 0; i < n; i++) q[i].x = 0.5 * (q[i].x + to->x); // original: q and to overlap
}

/* Exchanged after each step. */
static void relax(vector *now, vector *then, int n, int steps)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) then[i].x = 0.5 * (now[i - 1].x + now[i + 1].x) + 1e-3 * now[i].y;
        vector *other = now;
        now = then;
        then = other;
    }
}

static double length(const vector *a)
{
    return sqrt(a->x * a->x + a->y * a->y);
}

static void shorten(int n)
{
    for (int i = 0; i < n; i++) {
        vector *r = &v[i];
        r->z = length(r);
        r->x /= 1 + r->z;
    }
}

static void spread(int n)
{
    for (int i = 0; i < n; i++) wide[i].x = wide[i].y + i; // original: lie elsewhere than C puts them
}

static void mark(int n)
{
    for (int i = 0; i < n; i++) other[i].x = i;
}

int main(void)
{
    start(N);
    collide(N);
    move(p, v, N, 0.25);
    move(p, p, N, 0.25); /* each element is read before it is written */
    move(p, p + 1, N - 1, 0.25); /* overlapping: the original runs */
    pull(p, v, N);
    pull(p, p + 3, N);
    relax(p, v, N, 7);
    shorten(N);
    spread(N);
    mark(N);
    double sum = 0;
    for (int i = 0; i < N; i++) sum += next[i].speeds[i % SPEEDS] + p[i].x - p[i].z + v[i].x + wide[i].x;
    printf("%.6f %.6f %.6f %.6f\n", sum, far(p, N), field[3][4].velocity[1], other[7].x);
    return 0;
}
