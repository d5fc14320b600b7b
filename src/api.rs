//! The operators that C programs call: `rtcuda_api.h`, what implements it, and who uses it.
//!
//! Products, solves and factorisations of dense and sparse matrices (RT-CUDA, sections 4.3 to 4.6 and Table 5) are a C
//! library, not a matter of conversion: to the passes a call is an external function. A program that includes the header
//! gets the files into its output folder and its build:
//! ```text
//! #include "rtcuda_api.h"  ->  cg.c  rtcuda_api.h  rtcuda_api.c (the CPU)  rtcuda_api.cu (a GPU)  Makefile  ...
//! ```

/// What programs include.
pub const HEADER: &str = "rtcuda_api.h";
/// What is compiled as C, and for a GPU beside it as CUDA: `rtcuda_api.c`, `rtcuda_api.cu`.
pub const STEM: &str = "rtcuda_api";

macro_rules! files {
    ($($name:literal)*) => { &[$(($name, include_str!(concat!("../templates/api/", $name)))),*] };
}

/// Every file, by its name.
pub const FILES: &[(&str, &str)] = files! {
    "rtcuda_api.c"
    "rtcuda_api.cu"
    "rtcuda_api.h"
    "rtcuda_api_blas.h"
    "rtcuda_api_calls.h"
    "rtcuda_api_device.h"
    "rtcuda_api_host.h"
    "rtcuda_api_inside.h"
    "rtcuda_api_libraries.h"
    "rtcuda_api_loops.h"
    "rtcuda_api_market.h"
    "rtcuda_api_sparse.h"
    "rtcuda_api_sparse_calls.h"
};

/// The text of a file.
pub fn text(name: &str) -> &'static str {
    FILES.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text)
}
