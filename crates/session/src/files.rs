//! Reading program texts.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Longest program text, in bytes.
const MAX_TEXT: u64 = 64 << 20;

/// Why a text could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Opening failed.
    #[error("failed to open {path}: {reason}")]
    Open {
        /// The file.
        path: PathBuf,
        /// Why, without error number.
        reason: String,
    },
    /// Reading failed, or it is no text.
    #[error("failed to compile script {path}: {reason}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

/// Text of an I/O error without Rust's "(os error N)".
pub fn plain(e: &std::io::Error) -> String {
    let text = e.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

/// The bytes of a script; `-` is the standard input.
pub fn bytes(path: &Path) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    let failed = |e: std::io::Error| ReadError::Read {
        path: path.into(),
        reason: plain(&e),
    };
    let source: Box<dyn Read> = if path == Path::new("-") {
        Box::new(std::io::stdin())
    } else {
        Box::new(File::open(path).map_err(|e| ReadError::Open {
            path: path.into(),
            reason: plain(&e),
        })?)
    };
    source
        .take(MAX_TEXT + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() as u64 > MAX_TEXT {
        return Err(ReadError::Read {
            path: path.into(),
            reason: "the file is too large".into(),
        });
    }
    Ok(bytes)
}

/// Text of a script. A byte order mark is passed over. Bytes that are not UTF-8 are taken for Latin-1, as old scripts
/// have them in comments and strings; a string then holds the same characters in UTF-8.
pub fn text(path: &Path, bytes: Vec<u8>) -> Result<String, ReadError> {
    if bytes.contains(&0) {
        return Err(ReadError::Read {
            path: path.into(),
            reason: "the file is binary, not D text".into(),
        });
    }
    let text = String::from_utf8(bytes).unwrap_or_else(|e| latin1(e.as_bytes()));
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// The text with each byte outside UTF-8 as the Latin-1 character it is.
fn latin1(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|b| char::from(*b)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unreadable_scripts_are_named() {
        let e = bytes(Path::new("/no/such.d")).expect_err("no file");
        assert_eq!(
            e.to_string(),
            "failed to open /no/such.d: No such file or directory"
        );
        let e = bytes(Path::new("/")).expect_err("a folder");
        assert_eq!(e.to_string(), "failed to compile script /: Is a directory");
        assert!(text(Path::new("x.d"), b"a\0b".to_vec()).is_err());
    }

    #[test]
    fn old_encodings_are_read() {
        let read = |b: &[u8]| text(Path::new("x.d"), b.to_vec()).ok();
        assert_eq!(read(b"\xef\xbb\xbfBEGIN").as_deref(), Some("BEGIN"));
        assert_eq!(
            read(b"/* \xe9\xff \xc3\xa9 */").as_deref(),
            Some("/* \u{e9}\u{ff} \u{e9} */")
        );
        assert_eq!(read(b"\xff\xfeB\0E\0"), None);
    }
}
