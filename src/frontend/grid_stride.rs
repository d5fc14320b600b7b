//! Loops in which the threads of a whole grid go through elements in turns: `for (i = index; i < n; i += stride)`.
//!
//! All their iterations together are `for (i = 0; i < n; i++)`, whatever the launch. A thread that carries something from
//! one of its elements to the next, or does something beside the loop, is no such loop.

use super::kernel::{Found, Reader};
use super::names;
use super::threads::Threads;
use crate::diag::Diagnostic;
use std::ops::Range;

/// A loop over all threads of a grid: its dimension, the tokens of its first value and of its step.
struct Strided {
    dim: usize,
    first: Range<usize>,
    step: Range<usize>,
}

impl Reader<'_> {
    /// Loops `for (i = index; i < n; i += stride)`, whose iterations are all of the grid's threads' together.
    pub(super) fn grid_strides(
        &self,
        threads: &Threads,
        statements: &[Range<usize>],
        found: &mut Found,
    ) -> Result<(), Diagnostic> {
        let mut inside = statements.to_vec();
        loop {
            let strided = inside.iter().enumerate().find_map(|(at, s)| Some((at, self.strided(threads, s)?)));
            let Some((at, Strided { dim, first, step })) = strided else { return Ok(()) };
            if let Some(other) = inside.iter().enumerate().find(|(k, s)| *k != at && !self.is_private(s)) {
                let why = "beside a loop over all threads of the grid it does something else";
                let place = other.1.start..other.1.start + 1;
                let help = "give what stands beside the loop a kernel of its own";
                return Err(self.left("grid-stride", place, why).help(help));
            }
            self.carries_nothing(&inside, at, &step)?;
            let text = &self.code.text;
            found.edits.replace(text, self.code.bytes(first.clone()), "0");
            found.edits.replace(text, self.code.bytes(step.start + 1..step.end), "++");
            found.in_place[dim] = true;
            found.counters.push(self.code.at(step.start).to_owned());
            let index = self.first_index(threads, &first, found);
            found.taken.push(index);
            let Some(close) = self.code.partner(inside[at].start + 1) else { return Ok(()) };
            let block = self.code.partner(close + 1).filter(|_| self.code.at(close + 1) == "{");
            let body = block.map_or(close + 1..inside[at].end, |end| close + 2..end);
            inside = self.code.statements(body).unwrap_or_default();
        }
    }

    /// Nothing that a thread has outside its loop over the grid changes in it: the iterations of a thread would hand it on.
    fn carries_nothing(&self, inside: &[Range<usize>], at: usize, step: &Range<usize>) -> Result<(), Diagnostic> {
        let counter = self.code.at(step.start);
        let others = inside.iter().enumerate().filter(|(k, _)| *k != at).flat_map(|(_, s)| s.clone());
        for token in others.filter(|token| self.code.is_word(*token) && self.code.at(*token) != counter) {
            let name = self.code.at(token);
            let is_changed = |k: &usize| self.code.at(*k) == name && names::is_assigned(self.code, *k);
            if let Some(changed) = inside[at].clone().find(is_changed) {
                let why = format!("a thread hands `{name}` from one of its elements to the next");
                let help = "let the loop add to an array by `atomicAdd`, or declare inside it what each element has for itself";
                return Err(self.left("grid-stride", changed..changed + 1, &why).help(help));
            }
        }
        Ok(())
    }

    /// The tokens of the index that a loop begins with. Where a variable brings it there and goes nowhere else, its
    /// declaration goes.
    fn first_index(&self, threads: &Threads, first: &Range<usize>, found: &mut Found) -> Range<usize> {
        let name = self.code.at(first.start);
        let body = &self.f.body;
        let value = body.clone().find(|k| self.code.at(*k) == name && self.code.at(k + 1) == "=");
        let uses = body.clone().filter(|k| self.code.at(*k) == name).count();
        match value.and_then(|at| threads.sum(at + 2)) {
            Some(sum) if uses == 2 && threads.sum(first.start).is_none() => {
                found.edits.replace(&self.code.text, self.code.bytes(sum.range.clone()), "0");
                sum.range
            }
            _ => first.clone(),
        }
    }

    /// The loop over all threads of a grid that a statement is, if it is one.
    fn strided(&self, threads: &Threads, s: &Range<usize>) -> Option<Strided> {
        let close = self.code.partner(s.start + 1).filter(|_| self.code.at(s.start) == "for")?;
        let [first, _, step] = <[_; 3]>::try_from(self.code.split(s.start + 2..close, &[";"])).ok()?;
        let (dim, end) = threads.stride(step.start + 3).filter(|_| self.code.is(step.start + 1, &["+", "="]))?;
        let equals = self.code.find(first.clone(), "=")?;
        let (of, index_end) = self.index(threads, equals + 1)?;
        let is_same = self.code.at(equals - 1) == self.code.at(step.start);
        let is_it = end == step.end && index_end == first.end && of == dim && is_same;
        is_it.then_some(Strided { dim, first: equals + 1..index_end, step })
    }
}
