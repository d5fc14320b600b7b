//! The operators that C programs call: `rtcuda_api.h`, what implements it, and who uses it.
//!
//! Products, solves and factorisations of dense and sparse matrices (RT-CUDA, sections 4.3 to 4.6 and Table 5) are a C
//! library, not a matter of conversion: to the passes a call is an external function. A program that includes the header
//! gets the files into its output folder and its build:
//! ```text
//! #include "rtcuda_api.h"  ->  cg.c  rtcuda_api.h  rtcuda_api.c (the CPU)  rtcuda_api.cu (a GPU)  Makefile  ...
//! ```
//!
//! The files check arguments once (`templates/api/rtcuda_api_calls.h`); then a table of operators computes, on the CPU
//! (`templates/api/rtcuda_api_host.h`) or on a GPU (`templates/api/rtcuda_api.cu`), which is linked or not, and answers
//! or not when the first operator is called. A matrix knows whether the host, the device or both hold what is current;
//! neither means zeros. Its descriptors, workspaces and analyses are made at their first use and live as long as it
//! does.
//!
//! - Libraries (BLAS too) are loaded by name: one program runs wherever it is copied, and builds need none of them.
//! - Factorisations run on the host, once a matrix, where a zero pivot has a row to name; cuSPARSE's are deprecated.
//! - Products and solves are cuBLAS's and cuSPARSE's also where a generated kernel would be faster (short, even rows):
//!   a program that wants those writes the loop.
//! - All names begin with `RT`, those that are generated with `rt_`: no region's name can meet a function's.

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
