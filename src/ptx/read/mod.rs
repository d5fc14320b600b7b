//! PTX text -> [`Module`](super::module::Module).
//!
//! All that nvcc writes for kernels is read: directives that change no result (`.pragma`, debugging sections) are
//! passed over, instructions that are not known stand in the function as unknown, for the commands that need it to decline
//! them by name. Sizes are bounded, so that no text takes memory or time without end.

mod body;
pub mod fault;
mod module;
mod opcode;
mod operand;
mod scopes;
mod token;
mod tokens;
mod variable;

pub use fault::ReadError;
pub use module::read;
pub use opcode::decode;
pub use token::{Kind, tokens};
