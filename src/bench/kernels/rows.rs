//! The rows of the table: a kernel, its sizes, and what it is held against.

/// The C files that the rows are functions of.
#[derive(Debug, PartialEq)]
pub struct Source {
    /// Its name: `mm.c`.
    pub name: &'static str,
    /// A few functions of plain loops, and a driver for each row, `ROW(name)`.
    pub text: &'static str,
    /// The functions that are converted.
    pub functions: &'static [&'static str],
}

/// A kernel at some sizes.
#[derive(Debug)]
pub struct Row {
    /// The name that its driver has in the C file.
    pub kernel: &'static str,
    /// Numbers that the driver takes, for each line of the table.
    pub sizes: &'static [&'static [i64]],
    /// Numbers at which it is simulated and compared with the C loops: small, and no multiples of anything.
    pub tiny: &'static [i64],
    /// Bytes that must move: each array once for each time that it is read or written as a whole.
    pub bytes: Count,
    /// Multiplications and additions, two for a pair of them.
    pub flops: Flops,
    /// A library's call that does the same, and how many of them do.
    pub call: Option<(&'static str, f64)>,
    /// Per cent of the baseline's speed that the converted program is to reach.
    pub target: f64,
}

/// A number that follows from the sizes.
pub type Count = fn(&[f64]) -> f64;

/// Floating-point operations, by the width that they have.
#[derive(Debug, Clone, Copy)]
pub enum Flops {
    /// Too few to be a ceiling.
    Few,
    Single(Count),
    Double(Count),
}

/// Where only a library's call is the measure.
const NONE: Count = |_| 0.0;

/// Copy rate alone; the fields that a row leaves out.
const ROW: Row = Row { kernel: "", sizes: &[], tiny: &[], bytes: NONE, flops: Flops::Few, call: None, target: 95.0 };

/// Elements of a matrix.
const fn area(s: &[f64]) -> f64 {
    s[0] * s[1]
}

/// Elements of a cube.
const fn cube(s: &[f64]) -> f64 {
    s[0] * s[0] * s[0]
}

macro_rules! source {
    ($name:literal, $($function:literal),+) => {
        Source {
            name: $name,
            text: include_str!(concat!("../../../templates/bench/kernels/", $name)),
            functions: &[$($function),+],
        }
    };
}

/// Every C file.
pub static SOURCES: [Source; 15] = [
    source!("elementwise.c", "madd", "complex_product", "outer_product"),
    source!("transpose.c", "transpose"),
    source!("mv.c", "mv_f32", "mv_f64", "tmv_f32", "tmv_f64"),
    source!("mm.c", "mm_f32", "mm_f64"),
    source!("strassen.c", "strassen", "winograd"),
    source!("strsm.c", "strsm"),
    source!("sum.c", "sum", "sums_of_6", "complex_sum"),
    source!("prefix_sum.c", "prefix_sum_f32", "prefix_sum_f64"),
    source!("histogram.c", "histogram_bytes", "histogram_keys", "histogram_weights"),
    source!("convolution.c", "convolution", "convolution_7x7"),
    source!("stencil2d.c", "five_point_f32", "five_point_f64", "nine_point_f32", "nine_point_f64"),
    source!("stencil3d.c", "seven_point_f32", "seven_point_f64", "twenty_seven_point_f32", "twenty_seven_point_f64"),
    source!("images.c", "regional_maximum", "demosaic", "life"),
    source!("physics.c", "lattice_boltzmann", "fdtd3d", "wave3d"),
    source!("aes.c", "aes_counter"),
];

/// Every row.
pub static ROWS: [Row; 38] = [
    Row { kernel: "madd", sizes: &[&[16384, 16384]], tiny: &[13, 37], bytes: |s| 12.0 * area(s), ..ROW },
    Row { kernel: "complex_product", sizes: &[&[1 << 26]], tiny: &[74], bytes: |s| 12.0 * s[0], ..ROW },
    Row {
        kernel: "outer_product",
        sizes: &[&[16384, 16384]],
        tiny: &[19, 41],
        bytes: |s| 4.0 * area(s),
        target: 92.0,
        ..ROW
    },
    Row {
        kernel: "transpose",
        sizes: &[&[16384, 16384], &[16381, 16381]],
        tiny: &[37, 71],
        bytes: |s| 8.0 * area(s),
        ..ROW
    },
    Row {
        kernel: "mv_f32",
        sizes: &[&[16384, 16384], &[4096, 65536], &[262144, 1024]],
        tiny: &[37, 71],
        bytes: |s| 4.0 * area(s),
        call: Some(("sgemv", 1.0)),
        target: 97.0,
        ..ROW
    },
    Row {
        kernel: "mv_f64",
        sizes: &[&[16384, 16384]],
        tiny: &[21, 45],
        bytes: |s| 8.0 * area(s),
        call: Some(("dgemv", 1.0)),
        target: 97.0,
        ..ROW
    },
    Row {
        kernel: "tmv_f32",
        sizes: &[&[16384, 16384], &[4096, 65536], &[262144, 1024]],
        tiny: &[37, 71],
        bytes: |s| 4.0 * area(s),
        call: Some(("tsgemv", 1.0)),
        ..ROW
    },
    Row {
        kernel: "tmv_f64",
        sizes: &[&[16384, 16384]],
        tiny: &[21, 45],
        bytes: |s| 8.0 * area(s),
        call: Some(("tdgemv", 1.0)),
        ..ROW
    },
    Row {
        kernel: "mm_f32",
        sizes: &[&[1024], &[4096], &[4097], &[8192]],
        tiny: &[37],
        call: Some(("sgemm", 1.0)),
        ..ROW
    },
    Row { kernel: "mm_f64", sizes: &[&[4096]], tiny: &[35], call: Some(("dgemm", 1.0)), target: 90.0, ..ROW },
    Row { kernel: "strassen", sizes: &[&[4096], &[8192]], tiny: &[26], call: Some(("sgemm", 1.0)), ..ROW },
    Row { kernel: "winograd", sizes: &[&[4096], &[8192]], tiny: &[26], call: Some(("sgemm", 1.0)), ..ROW },
    Row { kernel: "strsm", sizes: &[&[1024], &[4096]], tiny: &[23], call: Some(("strsm", 1.0)), target: 70.0, ..ROW },
    Row { kernel: "sum", sizes: &[&[1 << 28]], tiny: &[1237], call: Some(("reduce", 1.0)), target: 98.0, ..ROW },
    Row { kernel: "sums_of_6", sizes: &[&[1 << 28]], tiny: &[517], call: Some(("reduce", 6.0)), target: 98.0, ..ROW },
    Row { kernel: "complex_sum", sizes: &[&[1 << 26]], tiny: &[998], call: Some(("reduce", 1.0)), target: 98.0, ..ROW },
    Row {
        kernel: "prefix_sum_f32",
        sizes: &[&[50000000]],
        tiny: &[1237],
        call: Some(("scanf", 1.0)),
        target: 70.0,
        ..ROW
    },
    Row {
        kernel: "prefix_sum_f64",
        sizes: &[&[50000000]],
        tiny: &[1237],
        call: Some(("scand", 1.0)),
        target: 70.0,
        ..ROW
    },
    Row {
        kernel: "histogram_bytes",
        sizes: &[&[1 << 28, 256], &[1 << 28, 1]],
        tiny: &[1237, 256],
        call: Some(("bytes", 1.0)),
        target: 70.0,
        ..ROW
    },
    Row {
        kernel: "histogram_keys",
        sizes: &[&[1 << 26, 64, 64], &[1 << 26, 4096, 4096], &[1 << 26, 65536, 65536], &[1 << 26, 4096, 1]],
        tiny: &[1237, 50, 37],
        call: Some(("keys", 1.0)),
        target: 70.0,
        ..ROW
    },
    Row {
        kernel: "histogram_weights",
        sizes: &[&[1 << 26, 64, 64], &[1 << 26, 4096, 4096], &[1 << 26, 65536, 65536]],
        tiny: &[1237, 50, 37],
        bytes: |s| 8.0 * s[0],
        target: 70.0,
        ..ROW
    },
    Row {
        kernel: "convolution",
        sizes: &[&[4096, 4096, 32]],
        tiny: &[19, 37, 5],
        bytes: |s| 8.0 * area(s),
        flops: Flops::Single(|s| 2.0 * area(s) * s[2] * s[2]),
        target: 60.0,
        ..ROW
    },
    Row {
        kernel: "convolution_7x7",
        sizes: &[&[8192, 8192]],
        tiny: &[19, 37],
        bytes: |s| 8.0 * area(s),
        flops: Flops::Single(|s| 98.0 * area(s)),
        target: 80.0,
        ..ROW
    },
    Row {
        kernel: "five_point_f32",
        sizes: &[&[8192, 8192]],
        tiny: &[21, 45],
        bytes: |s| 8.0 * area(s),
        target: 92.0,
        ..ROW
    },
    Row {
        kernel: "five_point_f64",
        sizes: &[&[8192, 8192]],
        tiny: &[21, 45],
        bytes: |s| 16.0 * area(s),
        target: 92.0,
        ..ROW
    },
    Row {
        kernel: "nine_point_f32",
        sizes: &[&[8192, 8192]],
        tiny: &[21, 45],
        bytes: |s| 8.0 * area(s),
        target: 92.0,
        ..ROW
    },
    Row {
        kernel: "nine_point_f64",
        sizes: &[&[8192, 8192]],
        tiny: &[21, 45],
        bytes: |s| 16.0 * area(s),
        target: 92.0,
        ..ROW
    },
    Row { kernel: "seven_point_f32", sizes: &[&[512]], tiny: &[11], bytes: |s| 8.0 * cube(s), target: 90.0, ..ROW },
    Row { kernel: "seven_point_f64", sizes: &[&[512]], tiny: &[11], bytes: |s| 16.0 * cube(s), target: 90.0, ..ROW },
    Row {
        kernel: "twenty_seven_point_f32",
        sizes: &[&[512]],
        tiny: &[11],
        bytes: |s| 8.0 * cube(s),
        flops: Flops::Single(|s| 54.0 * cube(s)),
        target: 80.0,
        ..ROW
    },
    Row {
        kernel: "twenty_seven_point_f64",
        sizes: &[&[512]],
        tiny: &[11],
        bytes: |s| 16.0 * cube(s),
        flops: Flops::Double(|s| 54.0 * cube(s)),
        target: 80.0,
        ..ROW
    },
    Row {
        kernel: "lattice_boltzmann",
        sizes: &[&[4096, 4096]],
        tiny: &[13, 37],
        bytes: |s| 72.0 * area(s),
        target: 85.0,
        ..ROW
    },
    Row {
        kernel: "regional_maximum",
        sizes: &[&[8192, 8192]],
        tiny: &[13, 37],
        bytes: |s| 8.0 * area(s),
        target: 85.0,
        ..ROW
    },
    Row {
        kernel: "demosaic",
        sizes: &[&[8192, 8192]],
        tiny: &[13, 37],
        bytes: |s| 16.0 * area(s),
        target: 85.0,
        ..ROW
    },
    Row { kernel: "life", sizes: &[&[8192, 8192]], tiny: &[21, 45], bytes: |s| 2.0 * area(s), target: 85.0, ..ROW },
    Row {
        kernel: "fdtd3d",
        sizes: &[&[256], &[384], &[512]],
        tiny: &[9],
        bytes: |s| 72.0 * cube(s),
        target: 85.0,
        ..ROW
    },
    Row { kernel: "wave3d", sizes: &[&[512]], tiny: &[11], bytes: |s| 12.0 * cube(s), target: 85.0, ..ROW },
    Row { kernel: "aes_counter", sizes: &[&[128 << 20]], tiny: &[336], bytes: |s| 2.0 * s[0], target: 50.0, ..ROW },
];

impl Row {
    /// The C file that has its driver.
    pub fn source(&self) -> Option<&'static Source> {
        let driver = format!("\nROW({}) {{", self.kernel);
        SOURCES.iter().find(|source| source.text.contains(&driver))
    }
}
