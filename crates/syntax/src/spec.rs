//! Probe specifiers: how many fields they may have, and their split at the colons.

/// How many fields the specifiers of a text may have: the `-P`, `-m`, `-f` and `-n` flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SpecDepth {
    /// `provider`
    Provider,
    /// `[provider:]module`
    Module,
    /// `[[provider:]module:]function`
    Function,
    /// `[[[provider:]module:]function:]name`, or a probe id
    #[default]
    Name,
}

impl SpecDepth {
    /// Fields that may be given.
    pub fn fields(self) -> usize {
        match self {
            SpecDepth::Provider => 1,
            SpecDepth::Module => 2,
            SpecDepth::Function => 3,
            SpecDepth::Name => 4,
        }
    }

    /// The word for messages.
    pub fn word(self) -> &'static str {
        match self {
            SpecDepth::Provider => "provider",
            SpecDepth::Module => "module",
            SpecDepth::Function => "function",
            SpecDepth::Name => "name",
        }
    }
}

/// Splits a specifier, right to left, into provider, module, function and name; fields not given are empty.
/// `Err`: the text for `invalid probe description "…": `.
pub fn split_spec(text: &str, depth: SpecDepth) -> Result<[String; 4], String> {
    let mut fields = <[String; 4]>::default();
    let mut slots = fields.iter_mut().take(depth.fields()).rev();
    for part in text.rsplit(':') {
        let slot = slots.next().ok_or("Overspecified probe description")?;
        *slot = part.trim().to_owned();
    }
    Ok(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str, depth: SpecDepth) -> Result<String, String> {
        split_spec(text, depth).map(|f| f.join("|"))
    }

    #[test]
    fn right_to_left() {
        assert_eq!(split("BEGIN", SpecDepth::Name), Ok("|||BEGIN".into()));
        assert_eq!(
            split("read:entry", SpecDepth::Name),
            Ok("||read|entry".into())
        );
        assert_eq!(
            split("syscall::read:entry", SpecDepth::Name),
            Ok("syscall||read|entry".into())
        );
        assert_eq!(
            split("syscall:::", SpecDepth::Name),
            Ok("syscall|||".into())
        );
        assert_eq!(
            split("syscall", SpecDepth::Provider),
            Ok("syscall|||".into())
        );
        assert_eq!(
            split("fbt:ext4", SpecDepth::Module),
            Ok("fbt|ext4||".into())
        );
        assert_eq!(split("open", SpecDepth::Function), Ok("||open|".into()));
    }

    #[test]
    fn overspecified() {
        let error = Err("Overspecified probe description".to_owned());
        assert_eq!(split("a:b:c:d:e", SpecDepth::Name), error);
        assert_eq!(split("a:b", SpecDepth::Provider), error);
        assert_eq!(split("a:b:c:d", SpecDepth::Function), error);
    }
}
