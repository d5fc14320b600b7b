//! Functions of C's and POSIX' libraries by their names: what they touch.

use crate::facts::callable;

/// Functions of C's and POSIX' libraries that touch nothing but what they are handed, and call nobody but whom they are
/// handed.
const STANDARD: &[&str] = &[
    "printf",
    "fprintf",
    "sprintf",
    "snprintf",
    "puts",
    "putchar",
    "fputs",
    "fputc",
    "putc",
    "perror",
    "scanf",
    "fscanf",
    "sscanf",
    "fgets",
    "fgetc",
    "getc",
    "getchar",
    "fopen",
    "fclose",
    "fflush",
    "fread",
    "fwrite",
    "fseek",
    "ftell",
    "rewind",
    "feof",
    "ferror",
    "remove",
    "malloc",
    "calloc",
    "realloc",
    "free",
    "aligned_alloc",
    "posix_memalign",
    "memcpy",
    "memmove",
    "memset",
    "memcmp",
    "strlen",
    "strcpy",
    "strncpy",
    "strcat",
    "strncat",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strchr",
    "strrchr",
    "strstr",
    "strtol",
    "strtoul",
    "strtoll",
    "strtod",
    "strtof",
    "atoi",
    "atol",
    "atoll",
    "atof",
    "strerror",
    "isdigit",
    "isspace",
    "isalpha",
    "toupper",
    "tolower",
    "rand",
    "srand",
    "random",
    "srandom",
    "drand48",
    "srand48",
    "lrand48",
    "time",
    "clock",
    "difftime",
    "gettimeofday",
    "clock_gettime",
    "localtime",
    "strftime",
    "ctime",
    "exit",
    "abort",
    "_exit",
    "getenv",
    "getopt",
    "qsort",
    "bsearch",
    "div",
    "ldiv",
    "frexp",
    "frexpf",
    "ldexp",
    "ldexpf",
    "modf",
    "modff",
    "scalbn",
    "logb",
    "ilogb",
    "lround",
    "lrint",
    "llround",
    "isnan",
    "isinf",
    "isfinite",
    "__isnan",
    "__isinf",
    "__finite",
    "signbit",
    "__assert_fail",
    "sleep",
    "usleep",
    "getpid",
    "access",
    "mkdir",
    "unlink",
    "__errno_location",
    "__ctype_b_loc",
    "__isoc99_sscanf",
    "__isoc99_fscanf",
    "__isoc99_scanf",
    "omp_get_wtime",
    "omp_get_max_threads",
    "omp_get_num_threads",
    "omp_get_thread_num",
    "omp_set_num_threads",
    "getrusage",
    "sincos",
    "sincosf",
    "jn",
    "yn",
    "j0",
    "j1",
    "y0",
    "y1",
    "nan",
    "nanf",
    "nextafter",
];

/// Those of them that change no variable of the program.
pub const PRINTING: &[&str] = &["printf", "fprintf", "puts", "putchar", "fputs", "fflush", "exit", "abort"];

/// Test for a function of C's library by that name, which touches nothing but what it is handed.
pub fn is_standard(name: &str) -> bool {
    callable::math(name).is_some() || STANDARD.contains(&name.strip_prefix("__builtin_").unwrap_or(name))
}

/// Calls after which the program's statements are no longer one sequence.
pub fn is_strange(name: &str) -> bool {
    const NAMES: &[&str] =
        &["fork", "vfork", "setjmp", "_setjmp", "sigsetjmp", "longjmp", "siglongjmp", "signal", "sigaction", "atexit"];
    ["pthread_", "thrd_"].iter().any(|prefix| name.starts_with(prefix)) || NAMES.contains(&name)
}

/// Calls that touch memory where no fault can be answered: by hardware (networks, GPUs by calls of its own), and where the device
/// is gone, behind the end of `main`.
pub fn is_hardware(name: &str) -> bool {
    const PREFIXES: &[&str] = &["MPI_", "ibv_", "io_uring_", "cuda", "cublas", "cusparse", "nccl", "shmem_"];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || ["atexit", "on_exit"].contains(&name)
}

/// Calls of them that may run functions of the program that nobody has seen.
pub const ENDING: &[&str] = &["exit", "quick_exit"];
