//! What the integration tests share: the random loop nests of the property test.

pub mod draw;
pub mod nests;
pub mod render;
pub mod rng;
pub mod shrink;
