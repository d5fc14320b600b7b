//! A [`Market`] becomes a file, compressed where its name ends in `.gz`.
//!
//! Every double is written in the shortest form that reads back as the same double. The file appears under its name
//! when it is whole.

use super::header::{AMGX_RHS, BANNER};
use super::{Body, Field, Header, Layout, MOST_INTEGER, Market, Symmetry, word};
use crate::diag::Diagnostic;
use crate::sparse::dense::Dense;
use crate::sparse::{Csr, Scalar};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes a file.
///
/// # Errors
/// `matrix-unwritable`, and what [`check`] refuses.
pub fn write(path: &Path, market: &Market) -> Result<(), Diagnostic> {
    check(market)?;
    write_file(path, market).map_err(|e| {
        let message = format!("{} cannot be written: {e}", path.display());
        Diagnostic::error("matrix-unwritable", message, None)
    })
}

fn write_file(path: &Path, market: &Market) -> io::Result<()> {
    if path.exists() && !path.is_file() {
        // A pipe or a device cannot be replaced.
        return to_stream(BufWriter::new(std::fs::File::options().write(true).open(path)?), market)?.flush();
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // The file that a person makes has the permissions that the person's mask gives; the crate's own are private.
    let new = tempfile::Builder::new().prefix(".rtcuda-").make_in(folder, |path| std::fs::File::create_new(path))?;
    let buffered = BufWriter::with_capacity(1 << 18, new.as_file());
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz")) {
        to_stream(GzEncoder::new(buffered, Compression::default()), market)?.finish()?.flush()?;
    } else {
        to_stream(buffered, market)?.flush()?;
    }
    new.persist(path)?;
    Ok(())
}

/// Test that the header is true of the matrix: of a symmetric one, only half is written.
///
/// # Errors
/// `matrix-symmetry`, `matrix-field`.
pub fn check(market: &Market) -> Result<(), Diagnostic> {
    match &market.body {
        Body::Sparse(matrix) => check_sparse(matrix, &market.header),
        Body::SparseComplex(matrix) => check_sparse(matrix, &market.header),
        Body::Dense(matrix) => check_dense(matrix, &market.header),
        Body::DenseComplex(matrix) => check_dense(matrix, &market.header),
    }
}

fn check_sparse<T: Scalar>(matrix: &Csr<T>, header: &Header) -> Result<(), Diagnostic> {
    check_field::<T>(header, matrix.data())?;
    let general = header.symmetry == Symmetry::General;
    let has_mirror = |(value, (row, column)): (&T, (u32, u32))| {
        let mirrored = header.symmetry.mirror().of(*value);
        matrix.get(column as usize, row as usize) == Some(&mirrored)
            && is_diagonal_right(header.symmetry, *value, row == column)
    };
    let is_square = matrix.rows() == matrix.cols();
    match matrix.iter().find(|entry| !(general || is_square && has_mirror(*entry))) {
        None => Ok(()),
        Some((_, (row, column))) => Err(not_symmetric(header.symmetry, row as usize, column as usize)),
    }
}

fn check_dense<T: Scalar>(matrix: &Dense<T>, header: &Header) -> Result<(), Diagnostic> {
    check_field::<T>(header, &matrix.values)?;
    if header.symmetry == Symmetry::General {
        return Ok(());
    }
    let is_right = |row: usize, column: usize| {
        let value = matrix.at(row, column);
        matrix.at(column, row) == header.symmetry.mirror().of(value)
            && is_diagonal_right(header.symmetry, value, row == column)
    };
    let places = (0..matrix.cols).flat_map(|column| (column..matrix.rows).map(move |row| (row, column)));
    match places.into_iter().find(|&(row, column)| matrix.rows != matrix.cols || !is_right(row, column)) {
        None => Ok(()),
        Some((row, column)) => Err(not_symmetric(header.symmetry, row, column)),
    }
}

fn is_diagonal_right<T: Scalar>(symmetry: Symmetry, value: T, is_diagonal: bool) -> bool {
    !is_diagonal || symmetry != Symmetry::SkewSymmetric || value == T::default()
}

fn not_symmetric(symmetry: Symmetry, row: usize, column: usize) -> Diagnostic {
    let symmetry = word(Symmetry::ALL, symmetry);
    let message =
        format!("the matrix is not {symmetry}: see row {}, column {}, and its mirror image", row + 1, column + 1);
    Diagnostic::error("matrix-symmetry", message, None).help("write it as `general`")
}

fn check_field<T: Scalar>(header: &Header, values: &[T]) -> Result<(), Diagnostic> {
    let is_right = |value: &T| match header.field {
        Field::Integer => value.parts().0.fract() == 0.0 && value.magnitude() <= MOST_INTEGER as f64,
        _ => value.is_finite(),
    };
    let is_type_right = T::IS_COMPLEX == (header.field == Field::Complex);
    let is_layout_right = (header.layout, header.field) != (Layout::Array, Field::Pattern);
    if is_type_right && is_layout_right && values.iter().all(is_right) {
        return Ok(());
    }
    let field = word(Field::ALL, header.field);
    Err(Diagnostic::error(
        "matrix-field",
        format!("a file of field `{field}` cannot hold the values of this matrix"),
        None,
    ))
}

/// Writes to a stream, which is given back. What [`check`] refuses comes out wrong.
///
/// # Errors
/// What the stream gives.
pub fn to_stream<W: Write>(mut out: W, market: &Market) -> io::Result<W> {
    let Header { layout, field, symmetry, comments } = &market.header;
    let words = [word(Layout::ALL, *layout), word(Field::ALL, *field), word(Symmetry::ALL, *symmetry)];
    writeln!(out, "{BANNER} matrix {}", words.join(" "))?;
    let rhs = market.rhs.as_deref().filter(|_| *layout == Layout::Coordinate);
    for comment in comments.iter().map(String::as_str).chain(rhs.map(|_| AMGX_RHS)) {
        writeln!(out, "%{comment}")?;
    }
    match &market.body {
        Body::Sparse(matrix) => coordinates(&mut out, matrix, &market.header)?,
        Body::SparseComplex(matrix) => coordinates(&mut out, matrix, &market.header)?,
        Body::Dense(matrix) => array(&mut out, matrix, &market.header)?,
        Body::DenseComplex(matrix) => array(&mut out, matrix, &market.header)?,
    }
    if let Some(rhs) = rhs {
        writeln!(out, "{}", rhs.len())?;
        for value in rhs {
            number(&mut out, *value, Field::Real)?;
            out.write_all(b"\n")?;
        }
    }
    Ok(out)
}

fn coordinates<T: Scalar>(out: &mut impl Write, matrix: &Csr<T>, header: &Header) -> io::Result<()> {
    let is_listed = |row: u32, column: u32| match header.symmetry {
        Symmetry::General => true,
        // The diagonal of a skew-symmetric matrix has no entries but zeros that were listed.
        Symmetry::Symmetric | Symmetry::SkewSymmetric | Symmetry::Hermitian => column <= row,
    };
    let listed = || matrix.iter().filter(|(_, (row, column))| is_listed(*row, *column));
    let n_listed = if header.symmetry == Symmetry::General { matrix.nnz() } else { listed().count() };
    writeln!(out, "{} {} {n_listed}", matrix.rows(), matrix.cols())?;
    for (value, (row, column)) in listed() {
        write!(out, "{} {}", row + 1, column + 1)?;
        if header.field != Field::Pattern {
            out.write_all(b" ")?;
            number(out, *value, header.field)?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

fn array<T: Scalar>(out: &mut impl Write, matrix: &Dense<T>, header: &Header) -> io::Result<()> {
    writeln!(out, "{} {}", matrix.rows, matrix.cols)?;
    for column in 0..matrix.cols {
        let first = match header.symmetry {
            Symmetry::General => 0,
            Symmetry::SkewSymmetric => column + 1,
            Symmetry::Symmetric | Symmetry::Hermitian => column,
        };
        for row in first..matrix.rows {
            number(out, matrix.at(row, column), header.field)?;
            out.write_all(b"\n")?;
        }
    }
    Ok(())
}

fn number<T: Scalar>(out: &mut impl Write, value: T, field: Field) -> io::Result<()> {
    let (re, im) = value.parts();
    let mut buffer = zmij::Buffer::new();
    match field {
        Field::Pattern => Ok(()),
        Field::Integer => write!(out, "{}", re as i64),
        Field::Real => out.write_all(buffer.format_finite(re).as_bytes()),
        Field::Complex => {
            out.write_all(buffer.format_finite(re).as_bytes())?;
            out.write_all(b" ")?;
            out.write_all(buffer.format_finite(im).as_bytes())
        }
    }
}
