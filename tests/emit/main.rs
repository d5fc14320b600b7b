//! Emission: the text of hand-made kernels and plans, and the programs that it makes.

mod compiles;
mod contract;
mod sample;
mod text;
mod wide;
