//! The output buffer: text is appended to memory and written when it is large or the caller says so.

use crate::error::{Error, Result};
use std::io::{self, Write};

/// Written without being asked when this large, so that memory stays bounded.
const HIGH_WATER: usize = 64 * 1024;

/// A buffered sink. The caller flushes it when it has nothing more to read (at once for a terminal).
pub struct Output {
    buf: Vec<u8>,
    sink: Box<dyn Write>,
    flushes: u64,
}

/// A position to go back to.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    len: usize,
    flushes: u64,
}

impl Output {
    /// An output that writes to `sink`.
    pub fn new(sink: Box<dyn Write>) -> Output {
        Output {
            buf: Vec::with_capacity(HIGH_WATER + 4096),
            sink,
            flushes: 0,
        }
    }

    /// The pending text; append to it.
    pub fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.buf
    }

    /// Writes everything pending. What could not be written is dropped with the error.
    pub fn flush(&mut self) -> Result<()> {
        if self.buf.is_empty() {
            return Ok(());
        }
        self.flushes += 1;
        let done = write_all(&mut *self.sink, &self.buf).and_then(|()| self.sink.flush());
        self.buf.clear();
        done.map_err(Error::Write)
    }

    /// Flushes if much is pending.
    pub fn checkpoint(&mut self) -> Result<()> {
        if self.buf.len() >= HIGH_WATER {
            self.flush()
        } else {
            Ok(())
        }
    }

    /// Flushes to the present sink, then goes on with another; returns the present one.
    pub fn replace(&mut self, sink: Box<dyn Write>) -> Result<Box<dyn Write>> {
        let flushed = self.flush();
        let old = std::mem::replace(&mut self.sink, sink);
        flushed.map(|()| old)
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark {
            len: self.buf.len(),
            flushes: self.flushes,
        }
    }

    /// Forgets what was appended since the mark, if it was not written meanwhile.
    pub(crate) fn rewind(&mut self, mark: Mark) {
        if mark.flushes == self.flushes {
            self.buf.truncate(mark.len);
        }
    }
}

fn write_all(sink: &mut dyn Write, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match sink.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(n) => bytes = bytes.get(n..).unwrap_or_default(),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn write_errors_are_returned() {
        let mut out = Output::new(Box::new(Full));
        out.buffer().extend_from_slice(b"x");
        assert!(matches!(out.flush(), Err(Error::Write(_))));
        assert!(out.flush().is_ok(), "nothing is pending after the failure");
    }

    #[test]
    fn rewind_keeps_what_was_written() {
        let mut out = Output::new(Box::new(io::sink()));
        out.buffer().extend_from_slice(b"ab");
        let mark = out.mark();
        out.buffer().extend_from_slice(b"cd");
        out.rewind(mark);
        assert_eq!(out.buffer(), b"ab");
        let mark = out.mark();
        out.flush().unwrap();
        out.buffer().extend_from_slice(b"e");
        out.rewind(mark);
        assert_eq!(out.buffer(), b"e");
    }
}
