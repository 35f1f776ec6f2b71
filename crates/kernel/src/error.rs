//! Why a program could not be loaded or attached.

use std::fmt;

use sys::SysError;

/// A program that the kernel's verifier refused: a mistake of the compiler, with the place in the D program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Name of the program.
    pub program: String,
    /// Index of the program in the image.
    pub index: usize,
    /// Failing instruction, if the log names one.
    pub insn: Option<u32>,
    /// Clause index, if the instruction belongs to one.
    pub clause: Option<u32>,
    /// Line in the D program, 0 if not known.
    pub line: u32,
    /// Column, 0 if not known.
    pub col: u32,
    /// The verifier's last word.
    pub reason: String,
    /// The whole log.
    pub log: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "internal: kernel refused program {}", self.program)?;
        if self.line != 0 {
            write!(f, " at line {}:{}", self.line, self.col)?;
        }
        write!(f, ": {}", self.reason)
    }
}

/// A program could not be loaded or attached.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The privilege is missing.
    #[error("DTrace requires additional privileges")]
    Privilege,
    /// The kernel lacks something that the program needs.
    #[error("this kernel lacks {missing}{}{detail}", if detail.is_empty() { "" } else { ": " })]
    Unsupported {
        /// What is missing, as a noun.
        missing: &'static str,
        /// What was being tried.
        detail: String,
    },
    /// The verifier refused a program.
    #[error("{0}")]
    Refused(Box<Refusal>),
    /// A kernel tracepoint does not exist.
    #[error("tracepoint {0} does not exist in this kernel")]
    NoTracepoint(String),
    /// A kernel function does not exist or cannot be probed; what the kernel said.
    #[error("kernel function {0} cannot be probed: {1}")]
    Function(String, String),
    /// The image contradicts itself.
    #[error("internal: invalid image: {0}")]
    Image(String),
    /// A system call failed.
    #[error(transparent)]
    Sys(#[from] SysError),
}

impl LoadError {
    /// A failed call; a missing privilege and a kernel that forbids tracing get variants of their own.
    pub(crate) fn from_call(error: SysError) -> LoadError {
        match error.errno {
            sys::errno::EPERM if sys::proc::may_trace() => LoadError::Unsupported {
                missing: "permission to trace (kernel lockdown or a security policy forbids it)",
                detail: format!("{}: {}", error.call, sys::error::text(error.errno)),
            },
            sys::errno::EPERM | sys::errno::EACCES if !sys::proc::may_trace() => {
                LoadError::Privilege
            }
            _ => LoadError::Sys(error),
        }
    }
}

/// Shorthand for [`LoadError::Image`].
pub(crate) fn bad_image(what: impl Into<String>) -> LoadError {
    LoadError::Image(what.into())
}
