//! The entry of a region, and what stands in it.

use serde::Serialize;

spelled! {
    AllInside "all_inside"
    Array "array"
    CopyIn "copy_in"
    CopyOut "copy_out"
    Disjoint "disjoint"
    Done "done"
    Element "element"
    Entry<'a> "entry"
    Fit "fit"
    GiveUp "give_up"
    Guard "guard"
    HostRange "host_range"
    Keep "keep"
    Little "little"
    OwnMembers<'a> "own_members"
    OnDevice "on_device"
    PlaceOf "place_of"
    PointerParameter "pointer_parameter"
    Print<'a> "print"
    ReferenceParameter "reference_parameter"
    Region "region"
    Row<'a> "row"
    Rows "rows"
    Reach<'a> "reach"
    ReachHolds "reach_holds"
    Told "told"
    Touched "touched"
    Touches "touches"
    Many "many"
    Offload "offload"
}

/// The entry of a region, which the user's C calls.
#[derive(Serialize)]
pub struct Entry<'a> {
    /// The region's name, its file, and its lines there.
    pub region: &'a str,
    pub file: &'a str,
    pub first_line: u32,
    pub last_line: u32,
    /// The entry's name.
    pub name: &'a str,
    pub parameters: Vec<String>,
    pub body: String,
    /// Fallback to the original where the device has too little memory.
    pub original_if_too_large: bool,
}

/// A number that an entry takes by its address.
#[derive(Serialize)]
pub struct ReferenceParameter {
    pub r#type: &'static str,
    pub name: String,
}

/// An array that the caller has on the device.
#[derive(Serialize)]
pub struct OnDevice {
    pub address: String,
}

/// An address that an entry takes.
#[derive(Serialize)]
pub struct PointerParameter {
    /// Constness: nothing there is written.
    pub is_const: bool,
    pub name: String,
}

/// A region as the runtime's messages name it: literals, and the line in its file.
#[derive(Serialize)]
pub struct Region {
    pub region: String,
    pub file: String,
    pub line: u32,
}

/// A condition without which the call is left to the original.
#[derive(Serialize)]
pub struct Guard {
    pub holds: String,
    /// A literal: why.
    pub reason: String,
}

/// The end of an entry.
#[derive(Serialize)]
pub struct Done {
    /// The caller's numbers that are set.
    pub results: Vec<Outcome>,
}

/// A number of the caller's that is set.
#[derive(Serialize)]
pub struct Outcome {
    /// Its address.
    pub place: String,
    /// The variable that holds the number.
    pub name: String,
}

/// A step that the device cannot go back from: the call has failed.
#[derive(Serialize)]
pub struct GiveUp {
    /// Why, as a literal of C.
    pub reason: String,
}

/// The test that no access was held back.
#[derive(Serialize)]
pub struct AllInside {
    /// Arrays of [`Keep`], which then are what they were.
    pub kept: Vec<String>,
}

/// Elements that the device alone has and that are written over: kept until it is known that no access was held back.
#[derive(Serialize)]
pub struct Keep {
    pub array: String,
    pub first: String,
    pub last: String,
}

/// An array on the device.
#[derive(Serialize)]
pub struct Array {
    /// The elements' type.
    pub r#type: &'static str,
    pub name: String,
    /// A literal: what the user calls it.
    pub label: String,
    /// Its address or its rows on the host, where it is there.
    pub host: Option<String>,
    /// The number of its elements, and its extents where their product could be no number.
    pub count: String,
    pub extents: Vec<String>,
    /// Copy of something in another form, for which there need not be room.
    pub may_lack: bool,
    /// Residency: its elements stay on the device, and the program's text says where the host touches them; or its pages are
    /// closed to the host, and the text says so, too.
    pub stays: bool,
    pub guarded: bool,
    pub announced: bool,
    /// Its address on the host, and those of arrays that are written and may be the same.
    pub table: String,
    pub same_as: Vec<String>,
}

/// The numbers of an array that go home, or are compared, where between them lie members that another array has.
#[derive(Serialize)]
pub struct OwnMembers<'a> {
    /// The array; in check mode the check, and a literal: what the user calls the array.
    pub of: &'a str,
    pub label: Option<String>,
    /// Numbers in a structure, and the positions of those.
    pub count: i64,
    pub positions: &'a [i64],
}

/// An array of which the program may ask what the device has by now.
#[derive(Serialize)]
pub struct Told {
    pub name: String,
    pub array: String,
}

/// Knowledge that the call finds of the memory behind an array's pointer.
#[derive(Serialize)]
pub struct Reach<'a> {
    /// The variable that holds it, and the address.
    pub name: &'a str,
    pub host: &'a str,
    pub r#type: &'static str,
    /// The range that must be there; else it is asked how many elements there are, for a number of that name.
    pub touched: Option<String>,
    pub held: Option<String>,
    pub is_written: bool,
    /// Addresses of arrays that it must not lie over: as many elements as there are before the next of them.
    pub others: Vec<String>,
}

/// The test of it: without it the original runs, or, where versions are compared, alone.
#[derive(Serialize)]
pub struct ReachHolds {
    pub holds: String,
    /// A literal: why.
    pub reason: String,
    pub is_checked: bool,
}

/// Arrays of the caller's that must not overlap.
#[derive(Serialize)]
pub struct Disjoint {
    /// Elements that are touched of arrays in one block.
    pub ranges: Vec<String>,
    /// Elements that are touched of arrays in rows.
    pub rows: Vec<String>,
    /// Literals: the names of arrays that may be the same.
    pub pairs: Vec<[String; 2]>,
}

/// Elements that the host touches of an array in one block.
#[derive(Serialize)]
pub struct HostRange {
    pub r#type: &'static str,
    /// Its name as a literal, and where it begins.
    pub label: String,
    pub host: String,
    pub touched: String,
    pub is_written: bool,
}

/// The elements that are read and those that are written: one range, or what lies around both.
#[derive(Serialize)]
pub struct Touched {
    pub first: [String; 2],
    pub second: Option<[String; 2]>,
}

/// A number of the caller's as what is touched.
#[derive(Serialize)]
pub struct PlaceOf {
    /// A literal: what the user calls it.
    pub label: String,
    pub name: String,
    pub r#type: &'static str,
    pub is_written: bool,
}

/// Elements that the host touches of an array in rows.
#[derive(Serialize)]
pub struct Touches {
    pub array: String,
    pub rows: String,
    pub is_written: bool,
    /// Exchange of rows in the region.
    pub is_exchanged: bool,
    /// Literals: the names of arrays that the pointers lie in.
    pub within: Vec<String>,
}

/// A copy to the device: of elements, or of rows.
#[derive(Serialize)]
pub struct CopyIn {
    pub array: String,
    pub rows: Option<String>,
    /// The first element, and the one behind the last.
    pub first: String,
    pub last: String,
}

/// A copy to the host: of elements, or of rows, which the region may have exchanged.
#[derive(Serialize)]
pub struct CopyOut {
    pub array: String,
    pub rows: Option<String>,
    /// The first element, and the one behind the last.
    pub first: String,
    pub last: String,
    pub exchange: Option<Exchange>,
}

/// Rows that change places, as the device has found out.
#[derive(Serialize)]
pub struct Exchange {
    /// The pointers to the rows, on the host.
    pub table: String,
    /// The array of their places, and which of it.
    pub places: String,
    pub first: String,
    pub last: String,
}

/// The value of an element of an array on the device, as an expression.
#[derive(Serialize)]
pub struct Element {
    pub array: String,
    /// The elements' type.
    pub r#type: &'static str,
    /// Where it is on the device.
    pub at: String,
    /// Where the host has the value unless the region writes it: the elements that the region writes ...
    pub live: Option<[String; 2]>,
    /// ... or, of an array in rows, the rows, the pointers to them, the subscripts of its row, and the one in it.
    pub rows: Option<String>,
    pub table: String,
    /// Bytes from one pointer to the next, where they are in structures.
    pub bytes: Option<String>,
    pub row: Vec<String>,
    pub behind: String,
}

/// A call that prints.
#[derive(Serialize)]
pub struct Print<'a> {
    pub line: u32,
    pub function: &'a str,
    pub arguments: Vec<String>,
}

/// Lengths of rows, as they are on the device already.
#[derive(Serialize)]
pub struct Fit {
    /// The pointers to the rows, on the host.
    pub table: String,
    /// The elements' type.
    pub r#type: &'static str,
    /// The variables of the lengths; empty where a length is known.
    pub lengths: Vec<String>,
}

/// The list of the rows of an array on the host, and the loops that fill it.
#[derive(Serialize)]
pub struct Rows {
    /// The list.
    pub rows: String,
    /// The pointers to the rows, on the host.
    pub table: String,
    pub extents: Vec<String>,
    /// The elements' type.
    pub r#type: &'static str,
    /// Subscripts that lead to a pointer.
    pub n_pointers: usize,
    /// Bytes from one pointer to the next, where they are in structures.
    pub bytes: Option<String>,
    pub loops: String,
}

/// A row that is added to the list.
#[derive(Serialize)]
pub struct Row<'a> {
    pub rows: &'a str,
    pub table: &'a str,
    /// The elements' type.
    pub r#type: &'static str,
    /// Bytes from one pointer to the next, where they are in structures.
    pub bytes: Option<String>,
    /// The counters that lead to its pointer.
    pub subscripts: Vec<String>,
    /// Where on the device it begins.
    pub position: String,
    /// Elements of it that come in, and that go out: the first element, and the one behind the last, of each.
    pub live: Vec<String>,
}

/// The test whether a device is worth asking.
#[derive(Serialize)]
pub struct Offload {
    pub waits: Vec<Wait>,
    pub runs: Vec<Run>,
    pub copies: Vec<Copied>,
    /// The region that has all its calls in it.
    pub within: Option<String>,
}

/// The test whether statements run often of which nobody knows how long they take.
#[derive(Serialize)]
pub struct Many {
    pub runs: Vec<Run>,
}

/// The test whether a core of the host is done before a device has begun.
#[derive(Serialize)]
pub struct Little {
    pub waits: Vec<Wait>,
    pub copies: Vec<Copied>,
    pub runs: Vec<Run>,
}

/// Launches that are made equally often.
#[derive(Serialize)]
pub struct Wait {
    /// Nanoseconds of all together.
    pub ns: i64,
    pub counts: Vec<String>,
}

/// Statements that run equally often.
#[derive(Serialize)]
pub struct Run {
    /// In one iteration.
    pub operations: i64,
    pub accesses: i64,
    pub counts: Vec<String>,
    /// Of so many runs they make one, where that is not each.
    pub one_of: Option<i64>,
    /// Of these a compiler does so many at once, where that is more than one.
    pub at_once: Option<i64>,
}

/// A copy of an array between host and device.
#[derive(Serialize)]
pub struct Copied {
    /// Form of the array: in rows, or a scalar.
    pub is_of_rows: bool,
    pub is_scalar: bool,
    /// Way of the elements: to the host, or there but for their residency.
    pub is_out: bool,
    /// Knowledge of its memory, where accesses may be in all of that.
    pub reach: Option<String>,
    pub stays: bool,
    pub guarded: bool,
    /// The array on the host.
    pub host: String,
    /// The first element and the one behind the last, where they are known.
    pub first: Option<String>,
    pub last: Option<String>,
    /// The elements' type.
    pub r#type: &'static str,
}
