//! Words of ours in templates: lists, code that is broken where it is too long, lines of the user's C.
//!
//! Their text has marks that [`super::super::layout`] turns into line ends, spaces and comments, once the depth of the
//! line is known.

use super::super::layout::{BREAK, FROM, START};
use handlebars::{
    Context, Handlebars, Helper, HelperDef, HelperResult, JsonRender, JsonTruthy, Output, PathAndJson, RenderContext,
    RenderErrorReason, Renderable, StringOutput,
};
use serde_json::Value;

/// Makes the words known to a registry.
pub fn register(registry: &mut Handlebars) {
    registry.register_helper("if", Box::new(If));
    let listed = format!(",{BREAK}");
    let list = move |x: &Value, out: &mut dyn Output| items(x, (START, &listed), out);
    registry.register_helper("items", Box::new(Word(|x: &Value, out: &mut dyn Output| items(x, ("", ", "), out))));
    registry.register_helper("list", Box::new(Word(list)));
    registry.register_helper("fill", Box::new(Fill));
    registry.register_helper("from", Box::new(Word(from_line)));
}

/// The word's value, which must not be missing.
fn value<'h, 'rc>(h: &'h Helper<'rc>, registry: &Handlebars) -> Result<&'h PathAndJson<'rc>, RenderErrorReason> {
    let param = h.param(0).ok_or(RenderErrorReason::Other(format!("`{}` of nothing", h.name())))?;
    match param.is_value_missing() && registry.strict_mode() {
        true => Err(RenderErrorReason::MissingVariable(param.relative_path().cloned())),
        false => Ok(param),
    }
}

/// `{{#if x}}`, which takes a missing value for an error, too.
struct If;

impl HelperDef for If {
    fn call<'reg: 'rc, 'rc>(
        &self,
        h: &Helper<'rc>,
        registry: &'reg Handlebars<'reg>,
        context: &'rc Context,
        rc: &mut RenderContext<'reg, 'rc>,
        out: &mut dyn Output,
    ) -> HelperResult {
        let holds = value(h, registry)?.value().is_truthy(false);
        let branch = if holds { h.template() } else { h.inverse() };
        branch.map_or(Ok(()), |branch| branch.render(registry, context, rc, out))
    }
}

/// A word that writes a value.
struct Word<F>(F);

impl<F: Fn(&Value, &mut dyn Output) -> HelperResult + Send + Sync> HelperDef for Word<F> {
    fn call<'reg: 'rc, 'rc>(
        &self,
        h: &Helper<'rc>,
        registry: &'reg Handlebars<'reg>,
        _: &'rc Context,
        _: &mut RenderContext<'reg, 'rc>,
        out: &mut dyn Output,
    ) -> HelperResult {
        self.0(value(h, registry)?.value(), out)
    }
}

/// `{{items x}}` and `{{list x}}`.
fn items(list: &Value, (before, between): (&str, &str), out: &mut dyn Output) -> HelperResult {
    let items = list.as_array().ok_or(RenderErrorReason::InvalidParamType("a list"))?;
    out.write(before)?;
    for (n, item) in items.iter().enumerate() {
        if n > 0 {
            out.write(between)?;
        }
        out.write(&item.render())?;
    }
    Ok(())
}

/// `{{from line}}`.
fn from_line(line: &Value, out: &mut dyn Output) -> HelperResult {
    if line.is_truthy(false) {
        out.write(FROM)?;
        out.write(&line.render())?;
    }
    Ok(())
}

/// `{{#fill}} .. {{/fill}}`.
struct Fill;

impl HelperDef for Fill {
    fn call<'reg: 'rc, 'rc>(
        &self,
        h: &Helper<'rc>,
        registry: &'reg Handlebars<'reg>,
        context: &'rc Context,
        rc: &mut RenderContext<'reg, 'rc>,
        out: &mut dyn Output,
    ) -> HelperResult {
        let Some(inside) = h.template() else { return Ok(()) };
        let mut text = StringOutput::new();
        inside.render(registry, context, rc, &mut text)?;
        let text = text.into_string().map_err(|e| RenderErrorReason::Other(e.to_string()))?;
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        out.write(START)?;
        out.write(&lines.join(BREAK))?;
        Ok(())
    }
}
