//! `rtcuda matrix`: looks at, generates and converts sparse matrices.

use super::outcome::{Done, Fault};
use super::tell::style;
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use rtcuda::diag::Diagnostic;
use rtcuda::report::table::Table;
use rtcuda::sparse::assemble::csr_bytes;
use rtcuda::sparse::choose::{Choice, choose};
use rtcuda::sparse::dense::Dense;
use rtcuda::sparse::facts::{Bin, Facts};
use rtcuda::sparse::format::footprints;
use rtcuda::sparse::generate::{Kind, Recipe, generate};
use rtcuda::sparse::market::read::read;
use rtcuda::sparse::market::write::write;
use rtcuda::sparse::market::{Body, Field, Layout, Market, Symmetry, word};
use rtcuda::sparse::memory::{available, bytes_text, check};
use rtcuda::sparse::plot::plot;
use rtcuda::sparse::{Csr, Scalar};
use serde_json::json;
use std::path::{Path, PathBuf};

#[derive(Subcommand)]
pub enum Matrix {
    Info(Info),
    Gen(Gen),
    Convert(Convert),
}

/// Show what a matrix is like, what it takes in each format, and which format suits it
#[derive(Args)]
#[command(after_help = "\
Examples:
  rtcuda matrix info A.mtx
  rtcuda matrix info A.mtx.gz --plot pattern.svg
  rtcuda matrix info --json A.mtx | jq .choice.format

Exit status: 0 shown, 2 the file is at fault, 3 a fault of rtcuda.")]
pub struct Info {
    /// A Matrix Market file, compressed by gzip or not
    #[arg(value_name = "FILE.mtx")]
    pub file: PathBuf,
    /// Draw where its entries are, as SVG or PNG
    #[arg(long, value_name = "FILE.svg|FILE.png")]
    pub plot: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Write a matrix of a known kind
#[derive(Args)]
#[command(after_help = "\
Kinds and their sizes:
  poisson NX [NY [NZ]]               Poisson's equation on a grid; --points 3, 5 or 9, 7 or 27
  convection-diffusion NX [NY [NZ]]  the same with a wind: not symmetric; --peclet
  hepta N                            seven full diagonals, N rows
  spd N                              symmetric positive definite, random; --density, --seed
  dominant N                         strictly diagonally dominant, random; --density, --seed
  random ROWS [COLUMNS]              random places and values; --density, --seed
  tridiagonal N                      random values on three diagonals; --seed
  arrow N                            the first row, the first column, the diagonal
  power-law N                        a few very long rows; --mean, --seed

Examples:
  rtcuda matrix gen poisson 128 128 128 -o poisson.mtx.gz
  rtcuda matrix gen spd 10000 --density 0.001 --seed 7 -o spd.mtx

Exit status: 0 written, 2 the command is at fault, 3 a fault of rtcuda.")]
pub struct Gen {
    /// What it is to be
    #[arg(value_name = "KIND", value_parser = PossibleValuesParser::new(Kind::ALL.iter().map(|&(name, _)| name)))]
    pub kind: String,
    /// Points along each axis, or rows
    #[arg(value_name = "SIZE", required = true)]
    pub sizes: Vec<u64>,
    /// The file to write; compressed if it ends in .gz
    #[arg(short, long, value_name = "FILE.mtx")]
    pub output: PathBuf,
    /// Points of the stencil
    #[arg(long)]
    pub points: Option<u32>,
    /// Share of the places that have an entry; by default ten entries a row
    #[arg(long)]
    pub density: Option<f64>,
    /// Entries of a row on average; by default 8
    #[arg(long)]
    pub mean: Option<f64>,
    /// Wind times half the mesh width; by default 0.5
    #[arg(long, allow_negative_numbers = true)]
    pub peclet: Option<f64>,
    /// Where random numbers begin
    #[arg(long, default_value = "1")]
    pub seed: u64,
}

/// Write a matrix in another form of Matrix Market
///
/// Duplicates are summed, entries sorted, values written in the shortest form that reads back as the same number.
#[derive(Args)]
#[command(after_help = "\
Examples:
  rtcuda matrix convert A.mtx A.mtx.gz
  rtcuda matrix convert half.mtx both.mtx --symmetry general
  rtcuda matrix convert b.mtx sparse_b.mtx --layout coordinate

Exit status: 0 written, 2 the file or the command is at fault, 3 a fault of rtcuda.")]
pub struct Convert {
    /// The file to read, compressed by gzip or not
    #[arg(value_name = "IN.mtx")]
    pub input: PathBuf,
    /// The file to write; compressed if it ends in .gz
    #[arg(value_name = "OUT.mtx")]
    pub output: PathBuf,
    /// Which half to list; by default as it was
    #[arg(long, value_parser = PossibleValuesParser::new(Symmetry::ALL.iter().map(|&(name, _)| name)))]
    pub symmetry: Option<String>,
    /// How to list values; by default as it was
    #[arg(long, value_parser = PossibleValuesParser::new(Layout::ALL.iter().map(|&(name, _)| name)))]
    pub layout: Option<String>,
}

/// Runs one of the commands.
pub fn matrix(command: &Matrix) -> Result<Done, Fault> {
    match command {
        Matrix::Info(arguments) => info(arguments),
        Matrix::Gen(arguments) => gen_matrix(arguments),
        Matrix::Convert(arguments) => convert(arguments),
    }
}

fn info(arguments: &Info) -> Result<Done, Fault> {
    let market = read(&arguments.file)?;
    let look = match &market.body {
        Body::Sparse(matrix) => Look::at(matrix, arguments)?,
        Body::SparseComplex(matrix) => Look::at(matrix, arguments)?,
        Body::Dense(matrix) => Look::at(&matrix.to_csr()?, arguments)?,
        Body::DenseComplex(matrix) => Look::at(&matrix.to_csr()?, arguments)?,
    };
    let text = if arguments.json { look.json(&market) } else { look.text(&arguments.file, &market) };
    Done::well(text)
}

fn gen_matrix(arguments: &Gen) -> Result<Done, Fault> {
    let kind = value_of(Kind::ALL, &arguments.kind)?;
    let recipe = Recipe {
        kind,
        sizes: arguments.sizes.clone(),
        points: arguments.points,
        density: arguments.density,
        mean: arguments.mean,
        peclet: arguments.peclet,
        seed: arguments.seed,
    };
    let made = generate(&recipe, available())?;
    let mut market = Market::sparse(made.matrix, made.symmetry);
    market.header.comments.push(recipe_text(&recipe));
    write(&arguments.output, &market)?;
    Done::well(written(&arguments.output, &market))
}

/// The command that makes the matrix again.
fn recipe_text(recipe: &Recipe) -> String {
    let sizes: String = recipe.sizes.iter().map(|size| format!(" {size}")).collect();
    let option =
        |name: &str, value: Option<String>| value.map(|value| format!(" --{name} {value}")).unwrap_or_default();
    let options = [
        option("points", recipe.points.map(|value| value.to_string())),
        option("density", recipe.density.map(|value| value.to_string())),
        option("mean", recipe.mean.map(|value| value.to_string())),
        option("peclet", recipe.peclet.map(|value| value.to_string())),
        option("seed", Some(recipe.seed.to_string())),
    ];
    format!(" rtcuda matrix gen {}{sizes}{}", word(Kind::ALL, recipe.kind), options.concat())
}

fn convert(arguments: &Convert) -> Result<Done, Fault> {
    let mut market = read(&arguments.input)?;
    if let Some(name) = &arguments.symmetry {
        market.header.symmetry = value_of(Symmetry::ALL, name)?;
    }
    if let Some(name) = &arguments.layout {
        market = with_layout(market, value_of(Layout::ALL, name)?)?;
    }
    write(&arguments.output, &market)?;
    Done::well(written(&arguments.output, &market))
}

fn with_layout(mut market: Market, layout: Layout) -> Result<Market, Diagnostic> {
    if layout == Layout::Array {
        let (rows, cols) = market.shape();
        let value_bytes = if market.header.field == Field::Complex { 16 } else { 8 };
        let bytes = (rows as u64).checked_mul(cols as u64).and_then(|count| count.checked_mul(value_bytes));
        check(&format!("a dense {rows} x {cols} matrix"), bytes, available())?;
        if market.header.field == Field::Pattern {
            market.header.field = Field::Integer;
        }
    }
    market.header.layout = layout;
    market.body = match (market.body, layout) {
        (Body::Dense(matrix), Layout::Coordinate) => Body::Sparse(matrix.to_csr()?),
        (Body::DenseComplex(matrix), Layout::Coordinate) => Body::SparseComplex(matrix.to_csr()?),
        (Body::Sparse(matrix), Layout::Array) => Body::Dense(Dense::of(&matrix)),
        (Body::SparseComplex(matrix), Layout::Array) => Body::DenseComplex(Dense::of(&matrix)),
        (body, _) => body,
    };
    Ok(market)
}

fn written(path: &Path, market: &Market) -> String {
    let (rows, cols) = market.shape();
    format!("{}: {rows} x {cols}, {}\n", path.display(), held(market))
}

/// What a file holds, in the words of its header.
fn held(market: &Market) -> String {
    let header = &market.header;
    let words =
        [word(Layout::ALL, header.layout), word(Field::ALL, header.field), word(Symmetry::ALL, header.symmetry)];
    let entries = match &market.body {
        Body::Sparse(matrix) => format!(", {} entries", matrix.nnz()),
        Body::SparseComplex(matrix) => format!(", {} entries", matrix.nnz()),
        Body::Dense(_) | Body::DenseComplex(_) => String::new(),
    };
    words.join(" ") + &entries
}

/// The value of a name that the parser of the command line has let in.
fn value_of<T: Copy>(all: &[(&str, T)], name: &str) -> Result<T, Fault> {
    let found = all.iter().find(|(one, _)| *one == name).map(|(_, value)| *value);
    found.ok_or_else(|| Fault::Bug(format!("`{name}` has no value")))
}

/// What `info` shows.
struct Look {
    facts: Facts,
    choice: Choice,
}

impl Look {
    fn at<T: Scalar>(matrix: &Csr<T>, arguments: &Info) -> Result<Look, Diagnostic> {
        if let Some(path) = &arguments.plot {
            plot(matrix, path)?;
        }
        // Mirror images and lengths of rows are as large as the matrix once more.
        let needed = csr_bytes::<T>(2 * matrix.rows() as u64, 2 * matrix.nnz() as u64);
        check("looking at this matrix", needed, available())?;
        let facts = Facts::of(matrix);
        let choice = choose(&facts, &footprints(matrix), size_of::<T>());
        Ok(Look { facts, choice })
    }

    fn json(&self, market: &Market) -> String {
        let value = json!({
            "header": market.header,
            "duplicates": market.n_duplicates,
            "facts": self.facts,
            "choice": self.choice,
        });
        format!("{value:#}\n")
    }

    fn text(&self, path: &Path, market: &Market) -> String {
        let style = style();
        let mut text = format!("{}\n", style.bold(&path.display().to_string()));
        text += &self.facts_table(market).text(2);
        text += &format!("\n{}\n{}", style.bold("Lengths of rows"), self.histogram().text(2));
        text += &format!("\n{}\n{}", style.bold("Formats"), self.formats().text(2));
        text + &format!(
            "\nBest for products: {}, because {}\n",
            style.good(&self.choice.format.name()),
            self.choice.why
        )
    }

    fn facts_table(&self, market: &Market) -> Table {
        let facts = &self.facts;
        let mut table = Table::default();
        table.row(["holds", &held(market)]);
        table.row(["size".to_owned(), format!("{} x {}", facts.rows, facts.cols)]);
        let zeros = if facts.n_zeros > 0 { format!(", {} of them zero", facts.n_zeros) } else { String::new() };
        table.row(["entries".to_owned(), format!("{}{zeros} ({:.3} % of all places)", facts.nnz, facts.density)]);
        if market.n_duplicates > 0 {
            table.row(["duplicates".to_owned(), format!("{}, joined", market.n_duplicates)]);
        }
        table.row(["values".to_owned(), format!("magnitudes {:.4e} to {:.4e}", facts.smallest, facts.largest)]);
        table.row(["symmetry", &self.symmetry()]);
        table.row([
            "bandwidth".to_owned(),
            format!("{} below the diagonal, {} above", facts.lower_bandwidth, facts.upper_bandwidth),
        ]);
        table.row(["diagonal", &self.diagonal()]);
        let lengths = &facts.row_lengths;
        let spread = format!(
            "{} to {}, mean {:.1}, median {}, deviation {:.1}",
            lengths.least, lengths.most, lengths.mean, lengths.median, lengths.deviation
        );
        table.row(["rows", &spread]);
        if facts.n_zero_rows + facts.n_zero_cols > 0 {
            let zeros = format!("{} rows and {} columns have no value but zero", facts.n_zero_rows, facts.n_zero_cols);
            let singular = if facts.rows == facts.cols { ": the matrix is singular" } else { "" };
            table.row(["empty".to_owned(), zeros + singular]);
        }
        table
    }

    fn symmetry(&self) -> String {
        let facts = &self.facts;
        let found = &facts.symmetry;
        let of_values = match (found.is_symmetric, found.is_hermitian, found.is_skew_symmetric) {
            _ if facts.rows != facts.cols => return "none: the matrix is not square".into(),
            (true, _, true) => "all values are zero",
            (true, ..) => "values symmetric",
            (_, true, _) => "values Hermitian",
            (.., true) => "values skew-symmetric",
            _ => "values not symmetric",
        };
        match found.structural {
            1.0 => format!("{of_values}, pattern symmetric"),
            share => format!("{of_values}, {:.1} % of the pattern", 100.0 * share),
        }
    }

    fn diagonal(&self) -> String {
        let facts = &self.facts;
        let found = &facts.diagonal;
        let n = facts.rows.min(facts.cols);
        let full = if found.n_missing + found.n_zero == 0 {
            "no zeros".to_owned()
        } else {
            format!("{} places without an entry, {} zeros", found.n_missing, found.n_zero)
        };
        let share = |count: usize| if count == n { "all".to_owned() } else { format!("{count} of {n}") };
        format!("{full}; {} positive, {} dominant in their row", share(found.n_positive), share(found.n_dominant_rows))
    }

    fn histogram(&self) -> Table {
        const WIDTH: usize = 40;
        let mut table = Table::default();
        let most = self.facts.row_lengths.histogram.iter().map(|bin| bin.rows).max().unwrap_or(1);
        for &Bin { from, to, rows } in &self.facts.row_lengths.histogram {
            let range = if from == to { from.to_string() } else { format!("{from}-{to}") };
            table.row([range, rows.to_string(), "#".repeat((rows * WIDTH).div_ceil(most))]);
        }
        table
    }

    fn formats(&self) -> Table {
        let mut table = Table::default();
        table.row(["format", "memory", "stored an entry", "estimated time of a product"]);
        let best = self.choice.candidates.iter().map(|candidate| candidate.cost).fold(f64::INFINITY, f64::min);
        for candidate in &self.choice.candidates {
            let footprint = &candidate.footprint;
            let stored = footprint.n_stored as f64 / self.facts.nnz.max(1) as f64;
            let time = if best > 0.0 { candidate.cost / best } else { 1.0 };
            table.row([
                footprint.format.name(),
                bytes_text(footprint.bytes),
                format!("{stored:.2}"),
                format!("x {time:.2}"),
            ]);
        }
        table
    }
}
