//! A source whose statements have text around them, as [`made`](super::made) has it.

use super::lex::{self, Token, TokenKind};
use super::made::{Made, Remade, inserted};
use super::{Source, Span};
use std::collections::BTreeMap;

impl Source {
    /// The source with text around statements, which are apart and in the order of the text; without definitions of other files.
    pub fn remade(&self, made: &[Made]) -> Source {
        let own = &self.bytes[..self.own_end as usize];
        let (bytes, ends) = inserted(own, made.iter().map(|m| (m.place.lo as usize..m.place.hi as usize, &m.texts)));
        let (users, _) = inserted(&self.user_bytes, made.iter().map(|m| (m.users.clone(), &m.texts)));
        let mut lines = BTreeMap::new();
        for m in made {
            for at in [m.users.start, m.users.end.saturating_sub(1)] {
                let index = self.user_line_starts.partition_point(|s| *s as usize <= at);
                let lo = self.user_line_start(index as u32);
                lines.insert(index as u32, self.user_text[lo..].lines().next().unwrap_or_default().to_owned());
            }
        }
        let remade = Remade {
            places: made.iter().map(|m| m.place.lo).collect(),
            before: ends.iter().map(|[lo, mid, _]| Span { lo: *lo, hi: *mid }).collect(),
            statements: ends.iter().map(|[_, mid, hi]| Span { lo: *mid, hi: *hi }).collect(),
            lines,
        };
        Source { macros: self.macros.clone(), remade, ..Source::new(self.path.clone(), users, bytes) }
    }

    /// The texts before statements, a line each.
    pub fn remade_text(&self) -> String {
        self.remade.before.iter().map(|s| format!("line {}: {}\n", self.line(*s), self.slice(*s))).collect()
    }

    /// Test that all words of a text mean themselves: none is the name of a macro with its own name in its text.
    pub fn is_literal(&self, text: &str) -> bool {
        let is_plain = |t: &Token| t.kind != TokenKind::Word || !self.macros.has(t.text(text));
        lex::tokens(text).iter().all(is_plain)
    }
}
