//! The file: directives, variables, functions.

use super::body;
use super::fault::ReadError;
use super::token::{self, Kind};
use super::tokens::Tokens;
use super::variable;
use crate::ptx::module::{Function, LaunchBounds, Module};
use crate::ptx::types::Space;
use std::collections::BTreeMap;

/// The most bytes of a text.
const MOST_BYTES: usize = 64 << 20;

/// The module of a PTX text.
///
/// # Errors
/// Fault of the text, and its line.
pub fn read(text: &str) -> Result<Module, ReadError> {
    if text.len() > MOST_BYTES {
        let message = format!("the text has {} MB, more than {} MB", text.len() >> 20, MOST_BYTES >> 20);
        return Err(ReadError::with_help(1, message, "give the PTX of one source file"));
    }
    let mut tokens = Tokens::new(token::tokens(text)?, text.len());
    let mut module = Module::default();
    let mut globals = BTreeMap::new();
    let mut has_version = false;
    while let Some(kind) = tokens.peek() {
        let Kind::Word(word) = kind else { return Err(tokens.fault("a directive is missing")) };
        let start = tokens.byte();
        tokens.take();
        match word {
            ".version" => {
                tokens.number()?;
                has_version = true;
            }
            ".target" => {
                module.target = tokens.word()?.to_owned();
                while tokens.take_sign(',') {
                    tokens.word()?;
                }
            }
            ".address_size" => {
                if tokens.integer()? != 64 {
                    let help = "compile for addresses of 64 bits, as nvcc does unless it is told otherwise";
                    return Err(ReadError::with_help(tokens.line(), "addresses of 32 bits are not read", help));
                }
            }
            ".file" => file(&mut tokens, &mut module)?,
            ".section" => {
                tokens.word()?;
                tokens.skip_braces()?;
            }
            ".pragma" | ".alias" => tokens.skip_past(';')?,
            ".loc" => (0..3).try_for_each(|_| tokens.count().map(drop))?,
            _ => declaration(&mut tokens, &mut module, &mut globals, (word, start))?,
        }
    }
    if !has_version {
        return Err(ReadError::new(1, "this is no PTX: it has no `.version`"));
    }
    Ok(module)
}

fn file(tokens: &mut Tokens, module: &mut Module) -> Result<(), ReadError> {
    let number = tokens.count()?;
    let Some(Kind::Text(name)) = tokens.take() else { return Err(tokens.fault("the name of a file is missing")) };
    module.files.insert(number, name.to_owned());
    // Its time and size.
    while tokens.take_sign(',') {
        tokens.integer()?;
    }
    Ok(())
}

/// A variable or a function, with its linkage.
fn declaration<'t>(
    tokens: &mut Tokens<'t>,
    module: &mut Module,
    globals: &mut BTreeMap<String, usize>,
    (mut word, start): (&'t str, usize),
) -> Result<(), ReadError> {
    let mut is_extern = false;
    while matches!(word, ".visible" | ".extern" | ".weak" | ".common") {
        is_extern |= word == ".extern";
        word = tokens.word()?;
    }
    match word {
        ".entry" | ".func" => {
            if let Some(mut function) = function(tokens, word == ".entry", globals)? {
                function.span = start..tokens.byte_behind_sign();
                module.functions.push(function);
            }
            Ok(())
        }
        ".global" | ".const" | ".shared" => {
            let space = word.strip_prefix('.').and_then(Space::named).unwrap_or(Space::Global);
            for variable in variable::variables(tokens, space, is_extern)? {
                globals.insert(variable.name.clone(), module.variables.len());
                module.variables.push(variable);
            }
            Ok(())
        }
        _ => Err(tokens.fault(format!("the directive `{word}` is not known"))),
    }
}

/// A kernel or a function; `None` where it is only declared.
fn function(
    tokens: &mut Tokens,
    is_kernel: bool,
    globals: &BTreeMap<String, usize>,
) -> Result<Option<Function>, ReadError> {
    let line = tokens.line();
    while tokens.take_word(".attribute") {
        tokens.skip_past(')')?;
    }
    let results = if tokens.peek() == Some(Kind::Sign('(')) { variable::parameters(tokens)? } else { Vec::new() };
    let name = tokens.word()?.to_owned();
    let parameters = if tokens.peek() == Some(Kind::Sign('(')) { variable::parameters(tokens)? } else { Vec::new() };
    let start = tokens.byte();
    let bounds = bounds(tokens)?;
    let directives = start..tokens.byte();
    if tokens.take_sign(';') {
        return Ok(None);
    }
    let function = Function {
        name,
        is_kernel,
        results: results.len(),
        parameters: parameters.len(),
        variables: results.into_iter().chain(parameters).collect(),
        bounds,
        line,
        directives,
        ..Function::default()
    };
    body::body(tokens, function, globals).map(Some)
}

/// Launch bounds, up to the body.
fn bounds(tokens: &mut Tokens) -> Result<LaunchBounds, ReadError> {
    let mut bounds = LaunchBounds::default();
    while let Some(Kind::Word(word)) = tokens.peek() {
        tokens.take();
        match word {
            ".maxntid" => bounds.most = Some(extents(tokens)?),
            ".reqntid" => bounds.required = Some(extents(tokens)?),
            ".minnctapersm" => bounds.blocks = Some(tokens.count()?),
            ".maxnreg" => bounds.registers = Some(tokens.count()?),
            ".maxnctapersm" | ".maxclusterrank" => drop(tokens.count()?),
            ".reqnctapercluster" => drop(extents(tokens)?),
            ".noreturn" | ".explicitcluster" | ".blocksareclusters" => {}
            ".pragma" => tokens.skip_past(';')?,
            _ => return Err(tokens.fault(format!("the directive `{word}` of a kernel is not known"))),
        }
    }
    Ok(bounds)
}

/// Up to three extents; those that are missing are 1.
fn extents(tokens: &mut Tokens) -> Result<[u32; 3], ReadError> {
    let mut found = [1; 3];
    found[0] = tokens.count()?;
    for extent in &mut found[1..] {
        if !tokens.take_sign(',') {
            break;
        }
        *extent = tokens.count()?;
    }
    Ok(found)
}
