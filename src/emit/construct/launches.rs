//! Launches of kernels, calls of libraries, and what is recorded of them.

use serde::Serialize;

spelled! {
    AlignedArray "aligned_array"
    Blas "blas"
    BlasPays "blas_pays"
    ByPositions "by_positions"
    CutLongRows "cut_long_rows"
    Either "either"
    Fills "fills"
    FillsUnevenly "fills_unevenly"
    Instance "instance"
    Launch "launch"
    Matrix "matrix"
    OneBlock "one_block"
    Product "product"
    ProductPays "product_pays"
    Replay "replay"
    Resident "resident"
    ShortenColumns "shorten_columns"
    SliceRows "slice_rows"
    SparseMatrix "sparse_matrix"
    SparsePays "sparse_pays"
    SparseProduct "sparse_product"
}

/// A launch of a kernel.
#[derive(Serialize)]
pub struct Launch {
    pub line: u32,
    /// A literal: the kernel's name.
    pub label: String,
    /// The bytes of shared memory that it asks for, where it must.
    pub shared: Option<String>,
    /// One of its instances.
    pub kernel: String,
    /// The extents of the grid and of a block.
    pub grid: Vec<String>,
    pub block: Vec<String>,
    pub arguments: Vec<String>,
}

/// Test that an array begins where a vector of so many elements may.
#[derive(Serialize)]
pub struct AlignedArray {
    pub array: String,
    pub count: String,
}

/// Test that blocks fill the device as well as others do, as `rt::fills` of `templates/runtime/rt_positions.h`.
#[derive(Serialize)]
pub struct Fills {
    pub blocks: String,
    pub others: String,
    /// The time of the others, as a factor, and the blocks that a processor runs at once.
    pub times: f64,
    pub at_once: i64,
}

/// Test that blocks which have more or less to do each level out.
#[derive(Serialize)]
pub struct FillsUnevenly {
    pub blocks: String,
}

/// Test that one block does the work of a step sooner than many.
#[derive(Serialize)]
pub struct OneBlock {
    pub work: String,
    pub most: i64,
}

/// A kernel with its template's arguments.
#[derive(Serialize)]
pub struct Instance {
    pub name: String,
    pub arguments: Vec<String>,
}

/// One of two instances, by a condition.
#[derive(Serialize)]
pub struct Either {
    pub condition: String,
    pub then: String,
    pub other: String,
}

/// One of two instances, by the products that the call chooses by, as factors.
#[derive(Serialize)]
pub struct ByPositions {
    pub products: Vec<Vec<String>>,
    pub short: String,
    pub long: String,
}

/// The launch of a resident kernel: of one block, or of as many as the device holds.
#[derive(Serialize)]
pub struct Resident {
    pub line: u32,
    /// A literal: the kernel's name.
    pub label: String,
    pub name: String,
    /// The work of a step.
    pub work: String,
    pub is_one_block: bool,
    /// The threads of a block at most, and what they are a multiple of.
    pub threads: i64,
    pub unit: i64,
    /// Room on chip that its threads have use for.
    pub keeps: Option<Keeps>,
    pub arguments: Vec<String>,
}

/// A kernel with arrays on chip: the bytes of an element of all of them, and how many elements threads have together.
#[derive(Serialize)]
pub struct Keeps {
    pub name: String,
    pub bytes: i64,
    pub elements: String,
    pub rows: Option<KeptRows>,
}

/// Rows of a sparse matrix, one for each element: the bytes of an entry of all their arrays, and the rows that begin in `start`.
#[derive(Serialize)]
pub struct KeptRows {
    pub bytes: i64,
    pub start: String,
    pub first: String,
    pub last: String,
}

/// Steps that are recorded once, and launched again and again.
#[derive(Serialize)]
pub struct Replay {
    pub line: u32,
    /// How often.
    pub count: String,
    /// Call of a library, which must have been made ready.
    pub uses_library: bool,
    pub body: String,
}

/// A matrix or a vector that a library is given.
#[derive(Serialize)]
pub struct Matrix {
    pub array: String,
    /// Where it begins, and how far apart rows, columns, and matrices of a batch are.
    pub places: Vec<String>,
}

/// A product of matrices.
#[derive(Serialize)]
pub struct Product {
    pub line: u32,
    /// Rows, columns, terms, and how many products, where that is not one.
    pub sizes: Vec<String>,
    /// The factors of the product and of what is kept of the result.
    pub alpha: String,
    pub beta: Option<String>,
    pub a: String,
    pub b: String,
    pub c: String,
}

/// Test whether loading the library pays for a product.
#[derive(Serialize)]
pub struct ProductPays {
    pub sizes: Vec<String>,
}

/// An operator of BLAS.
#[derive(Serialize)]
pub struct Blas {
    pub line: u32,
    /// The operator, as the runtime calls it.
    pub routine: &'static str,
    pub sizes: Vec<String>,
    pub flags: Vec<bool>,
    /// The factor of the operands.
    pub alpha: Option<String>,
    pub operands: Vec<Operand>,
    /// Ability of the operator to keep something of the result, and the factor of it.
    pub may_keep: bool,
    pub kept: Option<String>,
    pub result: String,
}

/// An operand of an operator of BLAS.
#[derive(Serialize)]
pub struct Operand {
    /// Its own factor.
    pub factor: Option<String>,
    pub matrix: String,
}

/// Test whether loading the library pays for an operator of BLAS.
#[derive(Serialize)]
pub struct BlasPays {
    pub sizes: Vec<String>,
    /// How many products it is as much work as.
    pub passes: i64,
}

/// A product of a sparse matrix and vectors.
#[derive(Serialize)]
pub struct SparseProduct {
    pub line: u32,
    pub matrix: String,
    /// How many vectors.
    pub vectors: String,
    /// The factors of the product and of what is kept of the result.
    pub alpha: String,
    pub beta: Option<String>,
    pub x: String,
    pub y: String,
}

/// Test whether loading the library pays for such a product.
#[derive(Serialize)]
pub struct SparsePays {
    pub line: u32,
    pub matrix: String,
    pub vectors: String,
}

/// A sparse matrix.
#[derive(Serialize)]
pub struct SparseMatrix {
    /// `rows`, `columns` or `triplets`.
    pub form: &'static str,
    /// How many rows, columns or triplets.
    pub majors: String,
    /// Pointers, indices and values.
    pub walked: Vec<Walked>,
}

/// An array of a sparse matrix, from an element on.
#[derive(Serialize)]
pub struct Walked {
    pub array: String,
    pub first: String,
}

/// The rows of a sparse matrix, copied into slices.
#[derive(Serialize)]
pub struct SliceRows {
    pub line: u32,
    /// Where rows start, and which rows.
    pub start: String,
    pub first: String,
    pub last: String,
    /// Where slices start.
    pub slices: String,
    /// The arrays of the entries.
    pub entries: Vec<Sliced>,
}

/// The long rows of a sparse matrix, cut in pieces.
#[derive(Serialize)]
pub struct CutLongRows {
    pub line: u32,
    /// The variable for the number of pieces.
    pub count: String,
    /// Where rows start, and which rows.
    pub start: String,
    pub first: String,
    pub last: String,
    /// The pieces before each row, and where each begins and ends.
    pub before: String,
    pub begins: String,
    pub ends: String,
}

/// The columns of a sparse matrix, in 16 bits each.
#[derive(Serialize)]
pub struct ShortenColumns {
    pub line: u32,
    /// The variables for whether all fit, how far before their own number rows begin, and the least distance.
    pub fit: String,
    pub reach: String,
    pub least: String,
    /// Where rows start, and which rows.
    pub start: String,
    pub first: String,
    pub last: String,
    pub column: String,
    pub short: String,
}

/// An array of entries, and its copy in slices.
#[derive(Serialize)]
pub struct Sliced {
    pub array: String,
    pub copy: String,
}
