//! Functions of the program's other files that loops call.
//!
//! ```text
//! main.c: for (t...) step(grid);    grid.c: void step(...) { for (i...) ... }    ->    the loops of `step` are in `main.c`, too
//! ```
//! Their definitions are read once more behind the text of the file that calls them, as if they were `static` there, and are
//! looked up like its own: opened where loops call them ([`crate::normalize::inlining`]), or called by the device. They are not
//! searched for loops again. A definition has the same meaning there if each name in it has: a variable of file level is one that both
//! files share (the streams of C's library are), and the types of all that it names, with all members, are those that its own file
//! gives them.

use crate::ast::visit::Piece;
use crate::ast::{
    Expr, ExprKind, Function, Signature, Stmt, StmtKind, Storage, StructId, THROUGH_POINTER, Type, Unit, Var, VarId,
    print,
};
use crate::facts::loops::is_loop;
use crate::facts::pointer_calls;
use crate::source::{Definition, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The most functions that a file takes over.
const MOST: usize = 400;

/// The files of a program, for what one of them calls of another.
#[derive(Debug, Default)]
pub struct Files {
    files: Vec<(Source, Unit)>,
    /// The one file that defines a function which others may call; not one that several define.
    public: BTreeMap<String, Option<usize>>,
    /// Functions whose address a file takes, by name.
    taken: BTreeSet<String>,
}

/// A function to take over: its file, and its place there.
type Place = (usize, usize);

impl Files {
    /// For these files.
    pub fn new(files: Vec<(Source, Unit)>) -> Files {
        let mut public: BTreeMap<String, Option<usize>> = BTreeMap::new();
        for (at, (_, unit)) in files.iter().enumerate() {
            for f in unit.functions.iter().filter(|f| !f.is_static) {
                public.entry(f.name.clone()).and_modify(|file| *file = None).or_insert(Some(at));
            }
        }
        let mut taken: BTreeSet<String> = files.iter().flat_map(|(_, unit)| &unit.addresses.taken).cloned().collect();
        let texts: Vec<_> = files.iter().map(|(source, _)| String::from_utf8_lossy(&source.bytes)).collect();
        taken.retain(|name| !texts.iter().any(|text| pointer_calls::is_weak(text, name)));
        drop(texts);
        Files { files, public, taken }
    }

    /// Takes note in a unit of the functions whose address other files take: its pointers may lead to them.
    pub fn note_taken(&self, unit: &mut Unit) {
        let known = self.taken.iter().filter(|name| unit.addresses.prototypes.contains_key(*name)).cloned();
        unit.addresses.taken.extend(known.collect::<Vec<_>>());
    }

    /// The functions that calls through pointers of a unit may lead to, in other files.
    fn led_to(&self, unit: &Unit) -> Vec<&str> {
        let mut types = BTreeSet::new();
        for f in &unit.functions {
            f.body.exprs(&mut |e| {
                e.walk(&mut |e| {
                    let of = pointer_calls::through(e).and_then(|(pointer, _)| pointer.ty.signature());
                    types.extend(of.map(|of| Meaning::of_function(unit, of)));
                });
            });
        }
        let is_of_type = |name: &&str| {
            let home = self.public.get(*name).copied().flatten().map(|file| &self.files[file].1);
            let declared = home.and_then(|home| Some((home, &home.addresses.prototypes.get(*name)?.ty)));
            matches!(declared, Some((home, Type::Function(of))) if types.contains(&Meaning::of_function(home, of)))
        };
        let taken = self.taken.iter().map(String::as_str);
        if types.is_empty() { vec![] } else { taken.filter(is_of_type).collect() }
    }

    /// The source of a file, if it was read.
    pub fn source(&self, path: &str) -> Option<&Source> {
        self.files.iter().map(|(source, _)| source).find(|source| source.path == path)
    }

    /// The definitions of functions to take over, behind declarations of what they call of C's library.
    pub fn definitions(&self, chosen: &Chosen) -> Vec<Definition> {
        let mut declared: BTreeMap<&str, Definition> = BTreeMap::new();
        for (file, at) in chosen.places.values() {
            let (source, from) = &self.files[*file];
            from.functions[*at].body.walk(&mut |piece| {
                if let Piece::Expr(Expr { kind: ExprKind::Call { name, .. }, ty, span }) = piece
                    && let (true, None) = (is_declarable(ty) && name != THROUGH_POINTER, from.function(name))
                {
                    let text = format!("{} {name}();", print::type_name(from, ty));
                    declared.entry(name).or_insert_with(|| Definition { text, ..source.definition(*span) });
                }
            });
        }
        let definition = |(file, at): &Place| {
            let (source, from) = &self.files[*file];
            source.definition(from.functions[*at].definition)
        };
        let definitions: Vec<Definition> = chosen.places.values().map(definition).collect();
        declared.into_values().chain(definitions).collect()
    }

    /// Leaves of a unit's functions those of its own, and sets aside the chosen ones that mean what they do at home.
    pub fn set_aside(&self, Chosen { places, refused }: Chosen, source: &Source, unit: &mut Unit) {
        unit.kept_out = refused;
        let all = std::mem::take(&mut unit.functions);
        let (own, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|f| f.span.lo < source.own_end());
        unit.functions = own;
        for f in others {
            let Some((file, at)) = places.get(&f.name) else { continue };
            let home = &self.files[*file].1;
            match Meaning::of(home, &home.functions[*at]) == Meaning::of(unit, &f) {
                true => unit.imported.push(f),
                false => drop(unit.kept_out.insert(f.name, "uses types or constants that are others in this file")),
            }
        }
        unit.note_addresses();
    }

    /// The functions that loops of a file call, with all that these call, wherever names in them mean what they do at home.
    pub fn chosen(&self, unit: &Unit) -> Chosen {
        let mut out = Chosen::default();
        let own: BTreeMap<&str, &Function> = unit.functions.iter().map(|f| (f.name.as_str(), f)).collect();
        let shared = shared_variables(unit);
        let called: BTreeSet<&str> = unit.functions.iter().flat_map(|f| f.body.calls()).collect();
        let called_here = called_in_loops(unit).into_iter().chain(self.led_to(unit));
        let mut next: Vec<(&str, Option<usize>)> = called_here.map(|name| (name, None)).collect();
        while let Some((name, by)) = next.pop() {
            if own.contains_key(name) || out.places.contains_key(name) || out.places.len() == MOST {
                continue;
            }
            let Some((file, at)) = self.find(name, by) else { continue };
            let f = &self.files[file].1.functions[at];
            let is_another = f.is_static && called.contains(name);
            match self.refusal(f, file, &own, &shared).or(is_another.then_some("is not the one that this file means")) {
                Some(why) => drop(out.refused.insert(name.to_owned(), why)),
                None => {
                    next.extend(f.body.calls().into_iter().map(|name| (name, Some(file))));
                    out.places.insert(name.to_owned(), (file, at));
                }
            }
        }
        // Of several functions of one name only one is there: what calls another stays where it is.
        let calls_another = |places: &BTreeMap<String, Place>, (file, at): Place| {
            let names = self.files[file].1.functions[at].body.calls();
            names.iter().any(|name| places.get(*name).is_some_and(|x| self.find(name, Some(file)) != Some(*x)))
        };
        while let Some(name) =
            out.places.iter().find(|(_, x)| calls_another(&out.places, **x)).map(|(name, _)| name.clone())
        {
            out.places.remove(&name);
            out.refused.insert(name, CALLS_ANOTHER);
        }
        out
    }

    /// The function that a name means in a file, or in one whose functions are known by name alone.
    fn find(&self, name: &str, by: Option<usize>) -> Option<Place> {
        let within =
            |file: usize| self.files[file].1.functions.iter().position(|f| f.name == name).map(|at| (file, at));
        by.and_then(within).or_else(|| within((*self.public.get(name)?)?))
    }

    /// Reason why a function of a file may not stand beside those of another: of these it may call those alone that all may call.
    fn refusal(
        &self,
        f: &Function,
        file: usize,
        own: &BTreeMap<&str, &Function>,
        shared: &BTreeSet<&str>,
    ) -> Option<&'static str> {
        let home = &self.files[file].1;
        let is_same = |name: &&str| own.get(name).is_none_or(|own| !own.is_static && home.function(name).is_none());
        match () {
            () if !f.body.is_modelled() => Some("holds C that is not modelled"),
            () if takes_addresses(f) => Some("takes the address of a function"),
            () if names_others(home, f, shared) => Some("names a variable that this file does not share with it"),
            () if !f.body.calls().iter().all(is_same) => Some(CALLS_ANOTHER),
            () => None,
        }
    }
}

const CALLS_ANOTHER: &str = "calls a function whose name is another one's here";

/// The functions to take over, and why others of the program stay in their file.
#[derive(Default)]
pub struct Chosen {
    places: BTreeMap<String, Place>,
    /// Words that follow on "its body, in another file,".
    pub refused: BTreeMap<String, &'static str>,
}

impl Chosen {
    /// Test that there is nothing to take over.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

/// Test for what a function of C's library gives that a declaration without its header can say: `malloc` and `free`, too.
fn is_declarable(ty: &Type) -> bool {
    ty.is_scalar() || *ty == Type::Void || matches!(ty, Type::Pointer { to, .. } if **to == Type::Void)
}

/// The functions that are called in loops, or in what loops call.
fn called_in_loops(unit: &Unit) -> BTreeSet<&str> {
    let mut out = BTreeSet::new();
    let mut next: Vec<&Stmt> = vec![];
    for f in &unit.functions {
        f.body.walk(&mut |piece| {
            if let Piece::Stmt(s) = piece
                && is_loop(s)
            {
                next.push(s);
            }
        });
    }
    while let Some(s) = next.pop() {
        for name in s.calls() {
            if out.insert(name) {
                next.extend(unit.function(name).map(|f| &f.body));
            }
        }
    }
    out
}

/// Streams of C's library, by the names that its headers give them: one and the same in all files.
const STREAMS: &[&str] = &["stdin", "stdout", "stderr", "__stdinp", "__stdoutp", "__stderrp"];

fn is_stream(unit: &Unit, v: VarId) -> bool {
    unit.var(v).storage == Storage::Global && STREAMS.contains(&unit.var(v).name.as_str())
}

fn takes_addresses(f: &Function) -> bool {
    let mut takes = false;
    f.body.walk(&mut |piece| takes |= matches!(piece, Piece::Expr(Expr { kind: ExprKind::Function(_), .. })));
    takes
}

/// The variables of file level that a file shares with others, by name.
fn shared_variables(unit: &Unit) -> BTreeSet<&str> {
    let is_shared = |var: &&Var| var.storage == Storage::Global && !var.is_static;
    unit.vars.iter().filter(is_shared).map(|var| var.name.as_str()).collect()
}

/// Test for a variable in a function that lasts from call to call, and is not one of those that another file shares.
fn names_others(unit: &Unit, f: &Function, shared: &BTreeSet<&str>) -> bool {
    let is_other = |v: VarId| match unit.var(v) {
        Var { storage: Storage::Param | Storage::Local, .. } => false,
        Var { storage: Storage::StaticLocal, .. } => true,
        var => !is_stream(unit, v) && (var.is_static || !shared.contains(var.name.as_str())),
    };
    let mut names = false;
    f.body.walk(&mut |piece| match piece {
        // What a function itself declares at file level (`extern`) is not declared where it is read once more.
        Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) => {
            names |= ds.iter().any(|d| matches!(unit.var(d.var).storage, Storage::Global | Storage::StaticLocal));
        }
        Piece::Expr(e) => names |= matches!(e.kind, ExprKind::Var(v) if is_other(v)),
        Piece::Stmt(_) => {}
    });
    names
}

/// Meaning of the names in a function, as text: the same for two of the same text if all names mean the same.
struct Meaning<'u> {
    unit: &'u Unit,
    /// Structures that were told, in this order.
    told: Vec<StructId>,
    text: String,
}

impl<'u> Meaning<'u> {
    fn of(unit: &'u Unit, f: &'u Function) -> String {
        let mut out = Meaning { unit, told: vec![], text: String::new() };
        out.ty(&f.ret);
        f.params.iter().for_each(|p| out.variable(*p));
        f.body.walk(&mut |piece| match piece {
            Piece::Stmt(s) => {
                let _ = write!(out.text, "{:?};", std::mem::discriminant(&s.kind));
                if let StmtKind::Decl(ds) = &s.kind {
                    ds.iter().for_each(|d| out.variable(d.var));
                }
            }
            Piece::Expr(e) => out.expr(e),
        });
        out.text
    }

    /// The meaning of a function's type.
    fn of_function(unit: &'u Unit, of: &Signature) -> String {
        let mut out = Meaning { unit, told: vec![], text: String::new() };
        out.function(of);
        out.text
    }

    fn function(&mut self, of: &Signature) {
        self.text.push_str("function ");
        self.ty(&of.ret);
        of.params.iter().for_each(|ty| self.ty(ty));
    }

    fn expr(&mut self, e: &Expr) {
        let _ = match &e.kind {
            // A header may say no more of its type than that there is one.
            ExprKind::Var(v) if is_stream(self.unit, *v) => return self.text.push_str(&self.unit.var(*v).name),
            ExprKind::Var(v) => write!(self.text, "{} {:?}", self.unit.var(*v).name, self.unit.var(*v).storage),
            ExprKind::Call { name, .. } => write!(self.text, "{name}()"),
            ExprKind::Function(name) => write!(self.text, "&{name}"),
            ExprKind::Int(_) | ExprKind::Float(..) | ExprKind::Str(_) => {
                write!(self.text, "{}", print::expr(self.unit, e))
            }
            kind => write!(self.text, "{:?}", std::mem::discriminant(kind)),
        };
        self.ty(&e.ty);
        if let ExprKind::SizeOfType(ty) = &e.kind {
            self.ty(ty);
        }
    }

    fn variable(&mut self, v: VarId) {
        let var = self.unit.var(v);
        let _ = write!(self.text, "{} {} {} {:?}", var.name, var.is_const, var.is_volatile, var.storage);
        self.ty(&var.ty);
    }

    /// A type with all members, each structure once.
    fn ty(&mut self, ty: &Type) {
        match ty {
            Type::Pointer { to, is_const, restrict } => {
                let _ = write!(self.text, "*{is_const}{restrict}");
                self.ty(to);
            }
            Type::Array { of, len } => {
                let len = len.as_ref().map(|len| print::expr(self.unit, len));
                let _ = write!(self.text, "[{len:?}]");
                self.ty(of);
            }
            Type::Struct(id) => {
                let at = self.told.iter().position(|known| known == id);
                let _ = write!(self.text, "struct {at:?}");
                if at.is_some() {
                    return;
                }
                self.told.push(*id);
                let structure = &self.unit.structs[id.0 as usize];
                let _ = write!(self.text, "{:?}{{", structure.name);
                for field in structure.fields.iter().flatten() {
                    let _ = write!(self.text, "{}:", field.name);
                    self.ty(&field.ty);
                }
                self.text.push('}');
            }
            Type::Function(of) => self.function(of),
            Type::Int(_) | Type::Float(_) | Type::Void | Type::Other(_) => {
                let _ = write!(self.text, "{ty:?}");
            }
        }
        self.text.push(';');
    }
}
