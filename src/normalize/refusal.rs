//! Reasons why the body of a function cannot stand in the place of a call.

use std::fmt;

/// Reason why a call stays as it is. Written out, it goes on from "this call cannot be part of a region: ".
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    Recursive,
    /// More statements, or calls within calls, than a form may have.
    TooMuchCode,
    /// Another number of arguments than the function has parameters.
    ArgumentCount,
    NotModelled,
    /// A part of its body is not modelled, which is this.
    Holds(String),
    /// A directive says so.
    KeptOnHost,
    /// The call wants a value, and none is returned at the end.
    NoValue,
    /// An effect in what it returns, whose value nobody wants.
    UnusedEffect,
    ReturnsEarly,
    /// A static variable, by name.
    KeepsState(String),
    /// An array whose length is another behind its declaration, by name.
    ResizedArray(String),
    /// A parameter, by name, as the other reasons that follow.
    VolatileParameter(String),
    NoNumberGiven(String),
    NoPlaceGiven(String),
    ParameterChanges(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Recursive => f.write_str("it is recursive"),
            Refusal::TooMuchCode => f.write_str("too much code would stand in the place of its calls"),
            Refusal::ArgumentCount => {
                f.write_str("it is called with another number of arguments than it has parameters")
            }
            Refusal::NotModelled => f.write_str("its body is not modelled"),
            Refusal::Holds(what) => write!(f, "it holds {what}"),
            Refusal::KeptOnHost => f.write_str("a directive keeps it on the host"),
            Refusal::NoValue => f.write_str("its last statement returns no value"),
            Refusal::UnusedEffect => f.write_str("what it returns is computed with an effect, and not used"),
            Refusal::ReturnsEarly => f.write_str("it returns before its end"),
            Refusal::KeepsState(name) => write!(f, "it keeps `{name}` from call to call"),
            Refusal::ResizedArray(name) => write!(f, "the size of its array `{name}` changes"),
            Refusal::VolatileParameter(name) => write!(f, "its parameter `{name}` is volatile"),
            Refusal::NoNumberGiven(name) => write!(f, "what it is given for `{name}` is not a number"),
            Refusal::NoPlaceGiven(name) => {
                write!(f, "what it is given for `{name}` is not a place in an array whose shape is the same for both")
            }
            Refusal::ParameterChanges(name) => {
                write!(f, "its parameter `{name}`, or what is given for it, changes on the way")
            }
        }
    }
}
