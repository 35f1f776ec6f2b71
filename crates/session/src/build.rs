//! Building an application that has probes: the header of `dtrace -h`, the object of `dtrace -G`.

use crate::files;
use crate::{CompileError, Input, Session};
use std::path::{Path, PathBuf};
use usdtgen::LinkError;

/// Why there is no header or object.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A provider definition has an error.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The texts define no provider.
    #[error("no provider is defined")]
    NoProvider,
    /// A provider cannot be built into an application.
    #[error("{0}")]
    Interface(String),
    /// An application's object cannot be read.
    #[error("failed to open {}: {why}", path.display())]
    Read {
        /// Its file.
        path: PathBuf,
        /// What failed.
        why: String,
    },
    /// The object cannot be made.
    #[error(transparent)]
    Link(#[from] LinkError),
}

impl Session {
    /// The header for the providers that the texts define. `file` is the header's name.
    pub fn header(
        &mut self,
        inputs: &[Input],
        args: &[String],
        file: &Path,
    ) -> Result<String, BuildError> {
        let providers = self.interfaces(inputs, args)?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        Ok(usdtgen::header(&providers, &name))
    }

    /// The object for the providers that the texts define, in an application of these objects.
    pub fn link(&mut self, inputs: &[Input], objects: &[String]) -> Result<Vec<u8>, BuildError> {
        let providers = self.interfaces(inputs, &[])?;
        let read = |path: &String| {
            let path = PathBuf::from(path);
            match std::fs::read(&path) {
                Ok(bytes) => Ok((path, bytes)),
                Err(e) => Err(BuildError::Read {
                    why: files::plain(&e),
                    path,
                }),
            }
        };
        let objects = objects.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        Ok(usdtgen::link(&providers, &objects)?)
    }

    fn interfaces(
        &mut self,
        inputs: &[Input],
        args: &[String],
    ) -> Result<Vec<sema::Interface>, BuildError> {
        let compilation = self.compile(inputs, args, None)?;
        let interfaces = compilation.interfaces.map_err(BuildError::Interface)?;
        if interfaces.is_empty() {
            return Err(BuildError::NoProvider);
        }
        Ok(interfaces)
    }
}
