//! Operands as they are written, before names mean anything.

use super::fault::ReadError;
use super::token::{Kind, Number};
use super::tokens::Tokens;

/// The most operands in braces or parentheses.
const MOST: usize = 256;

/// An operand.
#[derive(Debug, Clone, PartialEq)]
pub enum Raw<'t> {
    Name(&'t str),
    Number(Number),
    /// `name+4`.
    Sum(&'t str, i64),
    /// `!%p1`.
    Not(&'t str),
    /// `%r1|%p1`.
    Pair(&'t str, &'t str),
    /// `[name+4]`; without a name, a number alone.
    Address(Option<&'t str>, i64),
    /// `{%r1, %r2}`.
    Group(Vec<Raw<'t>>),
    /// `(param0, param1)`.
    List(Vec<&'t str>),
}

/// Operands up to the `;`, which is taken.
pub fn operands<'t>(tokens: &mut Tokens<'t>) -> Result<Vec<Raw<'t>>, ReadError> {
    let mut found = Vec::new();
    while !tokens.take_sign(';') {
        if !found.is_empty() {
            tokens.expect(',')?;
        }
        if found.len() >= MOST {
            return Err(tokens.fault(format!("an instruction has more than {MOST} operands")));
        }
        found.push(operand(tokens)?);
    }
    Ok(found)
}

fn operand<'t>(tokens: &mut Tokens<'t>) -> Result<Raw<'t>, ReadError> {
    match tokens.peek() {
        Some(Kind::Sign('{')) => {
            tokens.take();
            let mut group = Vec::new();
            while !tokens.take_sign('}') {
                if !group.is_empty() {
                    tokens.expect(',')?;
                }
                if group.len() >= MOST {
                    return Err(tokens.fault(format!("braces have more than {MOST} operands")));
                }
                group.push(single(tokens)?);
            }
            Ok(Raw::Group(group))
        }
        Some(Kind::Sign('(')) => {
            tokens.take();
            let mut list = Vec::new();
            while !tokens.take_sign(')') {
                if !list.is_empty() {
                    tokens.expect(',')?;
                }
                list.push(tokens.word()?);
            }
            Ok(Raw::List(list))
        }
        Some(Kind::Sign('[')) => {
            tokens.take();
            let name = if matches!(tokens.peek(), Some(Kind::Word(_))) { Some(tokens.word()?) } else { None };
            let offset = if tokens.peek() == Some(Kind::Sign(']')) { 0 } else { tokens.integer()? };
            tokens.expect(']')?;
            Ok(Raw::Address(name, offset))
        }
        _ => single(tokens),
    }
}

fn single<'t>(tokens: &mut Tokens<'t>) -> Result<Raw<'t>, ReadError> {
    match tokens.peek() {
        Some(Kind::Sign('!')) => {
            tokens.take();
            Ok(Raw::Not(tokens.word()?))
        }
        Some(Kind::Word(name)) => {
            tokens.take();
            match tokens.peek() {
                Some(Kind::Sign('|')) => {
                    tokens.take();
                    Ok(Raw::Pair(name, tokens.word()?))
                }
                Some(Kind::Sign('+' | '-')) => Ok(Raw::Sum(name, tokens.integer()?)),
                _ => Ok(Raw::Name(name)),
            }
        }
        _ => Ok(Raw::Number(tokens.number()?)),
    }
}
