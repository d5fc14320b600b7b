//! Code around statements of the user's C: calls of entries, and calls that bring home what is on the device.
//!
//! In their templates `{{original}}` is the user's text, which stays where it is.

use serde::Serialize;

spelled! {
    Around<'a> "around"
    Midway<'a> "midway"
    AroundChecked<'a> "around_checked"
    AroundTeam<'a> "around_team"
    AroundTeamChecked<'a> "around_team_checked"
    HomeAround "home_around"
    HomeBefore "home_before"
    HomeEach "home_each"
    HomeValue "home_value"
}

/// The mark of the user's text.
pub const ORIGINAL: &str = "\u{1a}";

/// The call of an entry, and the original where it returns 0.
#[derive(Serialize)]
pub struct Around<'a> {
    pub original: &'static str,
    #[serde(flatten)]
    pub call: Call<'a>,
    /// Presence of a [`Midway`] in the original.
    pub is_midway: bool,
}

/// The call of the entry in the midst of the original, a loop that has run for so many turns: the rest of it.
#[derive(Serialize)]
pub struct Midway<'a> {
    #[serde(flatten)]
    pub call: Call<'a>,
    pub turns: i64,
}

/// The call of both versions: the converted one before the original, and what compares them behind.
#[derive(Serialize)]
pub struct AroundChecked<'a> {
    pub original: &'static str,
    #[serde(flatten)]
    pub call: Call<'a>,
    /// Presence of a condition under which alone the converted version runs.
    pub is_conditional: bool,
    /// Pointers that the original moves, as they are before it.
    pub walked: Vec<Held<'a>>,
    /// The types of what is compared, and the expressions.
    pub compared_types: Vec<String>,
    pub compared: Vec<String>,
}

/// The call of an entry by one thread of a team for all, and the original, which the team shares out, where it returns 0.
#[derive(Serialize)]
pub struct AroundTeam<'a> {
    pub original: &'static str,
    #[serde(flatten)]
    pub team: Team<'a>,
}

/// The same where both versions run: the converted one before the original, and what compares them behind.
#[derive(Serialize)]
pub struct AroundTeamChecked<'a> {
    pub original: &'static str,
    #[serde(flatten)]
    pub team: Team<'a>,
    /// The types of what is compared, and the expressions.
    pub compared_types: Vec<String>,
    pub compared: Vec<String>,
}

/// Test of a team of threads before one of them calls an entry: that they come with the same arrays and numbers.
#[derive(Serialize)]
pub struct Team<'a> {
    pub entry: &'a str,
    /// The types of its parameters.
    pub types: Vec<String>,
    pub values: Vec<TeamValue>,
    /// The names of the values, as each thread has them.
    pub mine: Vec<String>,
    /// Arrays that come home before.
    pub home: Option<Home>,
}

/// A value that is handed over.
#[derive(Serialize)]
pub struct TeamValue {
    pub r#type: String,
    pub value: String,
    /// The variable that holds a thread's own, and the one that holds what one of them has.
    pub mine: String,
    pub one: String,
}

/// A call of an entry.
#[derive(Serialize)]
pub struct Call<'a> {
    pub entry: &'a str,
    /// The types of its parameters, and what is handed over.
    pub types: Vec<String>,
    pub arguments: Vec<String>,
    /// Numbers that are handed over as copies.
    pub copies: Vec<Copy>,
    /// A condition without which what is handed over may not be there.
    pub only_if: Option<&'a str>,
    /// Where the region begins: its file as a literal.
    pub file: String,
    /// See `file`.
    pub line: u32,
    /// Possibility that threads come here together.
    pub is_threaded: bool,
    /// Name of the region, as C, where the original is measured.
    pub timed: Option<String>,
    /// The test of sizes that shows that the call stays on the host.
    pub little: Option<Little>,
    /// Arrays that come home before.
    pub home: Option<Home>,
    pub rotation: Option<Rotation<'a>>,
    /// Places that pointers are set to behind the region, which does not move them.
    pub ends: Vec<PointerEnd<'a>>,
}

/// A test whether a call stays on the host.
#[derive(Serialize)]
pub struct Little {
    pub test: String,
    /// Leave to pass it over for some calls.
    pub is_long: bool,
}

/// A pointer of the user's, and what it is behind the region.
#[derive(Serialize)]
pub struct PointerEnd<'a> {
    pub pointer: &'a str,
    pub place: &'a str,
}

/// Variable that the entry is given in the place of one of the user's.
#[derive(Serialize)]
pub struct Copy {
    pub r#type: &'static str,
    /// The user's variable, and the one that is handed over.
    pub variable: String,
    pub copy: String,
    /// Use of what the user's variable holds before.
    pub has_value: bool,
}

/// Pointers that the region leaves permuted.
#[derive(Serialize)]
pub struct Rotation<'a> {
    /// The variable that says how often they were exchanged.
    pub turn: &'a str,
    /// The user's pointers, and the variables that keep what they are before the region.
    pub pointers: Vec<Held<'a>>,
    /// Their values after so many exchanges, but for none.
    pub turns: Vec<Turn<'a>>,
}

/// Values of pointers after a number of exchanges.
#[derive(Serialize)]
pub struct Turn<'a> {
    pub number: usize,
    /// Each pointer, and those alone that have changed.
    pub holds: Vec<Held<'a>>,
    pub moves: Vec<Held<'a>>,
}

/// A pointer, and the variable that keeps what it is.
#[derive(Serialize, Clone)]
pub struct Held<'a> {
    pub pointer: &'a str,
    pub buffer: String,
}

/// Functions of the runtime that bring home what the host needs, and the calls of them.
#[derive(Serialize)]
pub struct Home {
    pub functions: Vec<HomeFunction>,
    pub calls: Vec<HomeCall>,
}

/// A function that brings home.
#[derive(Serialize)]
pub struct HomeFunction {
    /// Verb of the host: `reads` or `writes`.
    pub verb: &'static str,
    /// Mention of the bytes that are needed.
    pub is_of_element: bool,
}

/// A call of it.
#[derive(Serialize)]
pub struct HomeCall {
    /// As in [`HomeFunction`].
    pub verb: &'static str,
    /// The user's lvalue that is needed; `None` for anything.
    pub element: Option<String>,
    /// The line of the user's that needs it: its file as a literal.
    pub file: String,
    /// See `file`.
    pub line: u32,
}

/// Return of arrays before a statement of a block.
#[derive(Serialize)]
pub struct HomeBefore {
    pub original: &'static str,
    #[serde(flatten)]
    pub home: Home,
}

/// Return of arrays before a statement that is alone in another.
#[derive(Serialize)]
pub struct HomeAround {
    pub original: &'static str,
    #[serde(flatten)]
    pub home: Home,
}

/// Return of arrays between a call and the use of what it returns: around the call.
#[derive(Serialize)]
pub struct HomeValue {
    pub original: &'static str,
    #[serde(flatten)]
    pub home: Home,
}

/// Return of arrays before each evaluation of a loop's condition: between the loop's beginning and the condition.
#[derive(Serialize)]
pub struct HomeEach {
    pub original: &'static str,
    #[serde(flatten)]
    pub home: Home,
}
