//! Declarations of variables and parameters.

use super::fault::ReadError;
use super::token::{Kind, Number};
use super::tokens::Tokens;
use crate::ptx::module::Variable;
use crate::ptx::types::{Scalar, Space};

/// The most bytes of a variable.
const MOST_BYTES: u64 = 1 << 31;
/// The most dimensions and elements that are written out.
const MOST_INITIAL: usize = 1 << 24;

/// Beginning of a declaration, before its names: `.shared .align 8 .b8`.
struct Head {
    align: u64,
    ty: Scalar,
    /// Elements of a vector.
    width: u64,
}

/// Variables of one declaration behind its state space, with the `;`.
pub fn variables(tokens: &mut Tokens, space: Space, is_extern: bool) -> Result<Vec<Variable>, ReadError> {
    let head = head(tokens)?;
    let mut found = Vec::new();
    loop {
        found.push(declarator(tokens, &head, space, is_extern)?);
        if !tokens.take_sign(',') {
            break;
        }
    }
    tokens.expect(';')?;
    Ok(found)
}

/// The parameters between parentheses.
pub fn parameters(tokens: &mut Tokens) -> Result<Vec<Variable>, ReadError> {
    tokens.expect('(')?;
    let mut found = Vec::new();
    while !tokens.take_sign(')') {
        if !found.is_empty() {
            tokens.expect(',')?;
        }
        if tokens.peek() == Some(Kind::Word(".reg")) {
            let help = "code for sm_20 and later passes parameters in `.param` space";
            return Err(ReadError::with_help(tokens.line(), "parameters in registers are not read", help));
        }
        if !tokens.take_word(".param") {
            return Err(tokens.fault("`.param` is missing"));
        }
        let head = head(tokens)?;
        found.push(declarator(tokens, &head, Space::Param, false)?);
    }
    Ok(found)
}

fn head(tokens: &mut Tokens) -> Result<Head, ReadError> {
    let (mut align, mut ty, mut width, mut is_pointer) = (None, None, 1, false);
    while let Some(Kind::Word(word)) = tokens.peek() {
        let Some(word) = word.strip_prefix('.') else { break };
        tokens.take();
        match word {
            // That of what a pointer leads to is not its own.
            "align" if is_pointer => drop(tokens.integer()?),
            "align" => align = Some(tokens.integer()?),
            "ptr" => is_pointer = true,
            "attribute" => {
                tokens.expect('(')?;
                tokens.skip_past(')')?;
            }
            "global" | "shared" | "local" | "const" | "common" => {}
            "v2" => width = 2,
            "v4" => width = 4,
            _ => match Scalar::named(word) {
                Some(found) => ty = Some(found),
                None => return Err(tokens.fault(format!("the type `.{word}` of a variable is not known"))),
            },
        }
    }
    let ty = ty.ok_or_else(|| tokens.fault("the type of a variable is missing"))?;
    let natural = (ty.bytes() * width) as i64;
    let align = align.unwrap_or(natural);
    if align <= 0 || !(align as u64).is_power_of_two() || align > 1 << 16 {
        return Err(tokens.fault(format!("{align} is no alignment")));
    }
    Ok(Head { align: align as u64, ty, width })
}

fn declarator(tokens: &mut Tokens, head: &Head, space: Space, is_extern: bool) -> Result<Variable, ReadError> {
    let name = tokens.word()?.to_owned();
    let (mut elements, mut is_array) = (head.width, head.width > 1);
    while tokens.take_sign('[') {
        is_array = true;
        let extent = if tokens.peek() == Some(Kind::Sign(']')) { 0 } else { tokens.integer()? };
        tokens.expect(']')?;
        elements = u64::try_from(extent).ok().and_then(|n| elements.checked_mul(n)).unwrap_or(u64::MAX);
    }
    let mut variable = Variable {
        name,
        space,
        ty: head.ty,
        is_array,
        bytes: elements.saturating_mul(head.ty.bytes()),
        align: head.align,
        init: Vec::new(),
        addresses: Vec::new(),
        is_extern,
    };
    if tokens.take_sign('=') {
        initial(tokens, &mut variable)?;
    }
    variable.bytes = variable.bytes.max(variable.init.len() as u64);
    if variable.bytes > MOST_BYTES {
        let message = format!("the variable `{}` has more than {MOST_BYTES} bytes", variable.name);
        return Err(ReadError::with_help(tokens.line(), message, "no memory of a multiprocessor is that large"));
    }
    Ok(variable)
}

/// The values of a variable: one, or braces within braces.
fn initial(tokens: &mut Tokens, variable: &mut Variable) -> Result<(), ReadError> {
    let mut depth = 0;
    loop {
        match tokens.peek() {
            Some(Kind::Sign('{')) => {
                tokens.take();
                depth += 1;
            }
            Some(Kind::Sign('}')) if depth > 0 => {
                tokens.take();
                depth -= 1;
            }
            Some(Kind::Sign(',')) if depth > 0 => _ = tokens.take(),
            Some(Kind::Word(_)) => address(tokens, variable)?,
            _ => {
                let value = bits(tokens.number()?, variable.ty);
                variable.init.extend(&value.to_le_bytes()[..variable.ty.bytes() as usize]);
            }
        }
        if variable.init.len() > MOST_INITIAL {
            return Err(tokens.fault(format!("`{}` has more than {MOST_INITIAL} bytes written out", variable.name)));
        }
        if depth == 0 {
            return Ok(());
        }
    }
}

/// The address of a variable: `name`, `name+4`, `generic(name)+4`.
fn address(tokens: &mut Tokens, variable: &mut Variable) -> Result<(), ReadError> {
    let mut name = tokens.word()?;
    if name == "generic" {
        tokens.expect('(')?;
        name = tokens.word()?;
        tokens.expect(')')?;
    }
    let offset = if matches!(tokens.peek(), Some(Kind::Sign('+' | '-'))) { tokens.integer()? } else { 0 };
    variable.addresses.push((variable.init.len(), name.into(), offset));
    variable.init.extend(vec![0; variable.ty.bytes() as usize]);
    Ok(())
}

/// The bits of a number as a value of a type.
pub fn bits(number: Number, ty: Scalar) -> u64 {
    match (number, ty) {
        (Number::Integer(n), Scalar::F32) => u64::from((n as i64 as f32).to_bits()),
        (Number::Integer(n), Scalar::F64) => (n as i64 as f64).to_bits(),
        (Number::Integer(n), _) => n & ty.mask(),
        (Number::Single(bits), Scalar::F64) => f64::from(f32::from_bits(bits)).to_bits(),
        (Number::Single(bits), _) => u64::from(bits) & ty.mask(),
        (Number::Double(x), Scalar::F32 | Scalar::B32) => u64::from((x as f32).to_bits()),
        (Number::Double(x), _) => x.to_bits() & ty.mask(),
    }
}
