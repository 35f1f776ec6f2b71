//! Finds typedefs (`btf_trace_NAME`) in the kernel's own type information: the ids that BTF tracepoints attach by.
//!
//! One pass over the raw types, without building anything: a thousand times cheaper than a type graph.
//! Source of the layout: `Documentation/bpf/btf.rst`.

const MAGIC: u16 = 0xeb9f;
const KIND_TYPEDEF: u32 = 8;

/// Where type information is kept.
pub const DIR: &str = "/sys/kernel/btf";

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(
        bytes.get(at..at.checked_add(4)?)?.try_into().ok()?,
    ))
}

/// Sections of a BTF blob.
struct Sections<'a> {
    types: &'a [u8],
    strings: &'a [u8],
}

fn sections(blob: &[u8]) -> Option<Sections<'_>> {
    let magic = u16::from_ne_bytes(blob.get(..2)?.try_into().ok()?);
    if magic != MAGIC {
        return None;
    }
    let header = u32_at(blob, 4)? as usize;
    let slice = |at: usize| {
        let start = header.checked_add(u32_at(blob, at)? as usize)?;
        blob.get(start..start.checked_add(u32_at(blob, at + 4)? as usize)?)
    };
    Some(Sections {
        types: slice(8)?,
        strings: slice(16)?,
    })
}

/// Bytes after the 12-byte type of this kind and member count.
fn tail(kind: u32, vlen: usize) -> Option<usize> {
    Some(match kind {
        1 | 14 | 17 => 4,
        3 => 12,
        4 | 5 | 15 | 19 => 12 * vlen,
        6 | 13 => 8 * vlen,
        2 | 7 | 8 | 9 | 10 | 11 | 12 | 16 | 18 => 0,
        _ => return None,
    })
}

/// Number of types in a blob: the id of the first type of a blob that continues it.
pub fn count_types(blob: &[u8]) -> u32 {
    let mut count = 0;
    walk(blob, |_, _, _| count += 1);
    count + 1
}

fn walk(blob: &[u8], mut visit: impl FnMut(u32, u32, u32)) -> Option<()> {
    let types = sections(blob)?.types;
    let (mut at, mut id) = (0, 1);
    while at < types.len() {
        let info = u32_at(types, at + 4)?;
        let (kind, vlen) = ((info >> 24) & 0x1f, (info & 0xffff) as usize);
        visit(id, kind, u32_at(types, at)?);
        at = at.checked_add(12 + tail(kind, vlen)?)?;
        id += 1;
    }
    Some(())
}

/// Ids of the typedefs with these names, in the same order. For a module's blob, `base` is vmlinux's: names and ids
/// of the module go on where those of vmlinux end.
pub fn find(blob: &[u8], base: Option<&[u8]>, names: &[String]) -> Vec<Option<u32>> {
    let mut found = vec![None; names.len()];
    let Some(own) = sections(blob) else {
        return found;
    };
    let (first_id, base_strings) = match base {
        Some(base) => (
            count_types(base) - 1,
            sections(base).map_or(0, |s| s.strings.len()),
        ),
        None => (0, 0),
    };
    walk(blob, |id, kind, name| {
        if kind != KIND_TYPEDEF {
            return;
        }
        let Some(text) = (name as usize)
            .checked_sub(base_strings)
            .and_then(|at| own.strings.get(at..))
        else {
            return;
        };
        for (slot, wanted) in found.iter_mut().zip(names) {
            if text.starts_with(wanted.as_bytes()) && text.get(wanted.len()) == Some(&0) {
                *slot = Some(first_id + id);
            }
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blob(types: &[u32], strings: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend(MAGIC.to_ne_bytes());
        out.extend([1, 0]);
        for word in [
            24,
            0,
            types.len() as u32 * 4,
            types.len() as u32 * 4,
            strings.len() as u32,
        ] {
            out.extend(u32::to_ne_bytes(word));
        }
        out.extend(types.iter().flat_map(|w| w.to_ne_bytes()));
        out.extend(strings);
        out
    }

    #[test]
    fn typedefs_are_found_by_exact_name() {
        // int (kind 1), struct with one member (kind 4), typedef "ab", typedef "abc".
        let types = [
            1,
            1 << 24,
            4,
            32,
            0,
            4 << 24 | 1,
            4,
            1,
            1,
            0,
            5,
            8 << 24,
            1,
            8,
            8 << 24,
            1,
        ];
        let blob = blob(&types, b"\0int\0ab\0abc\0");
        let names = ["abc".to_string(), "ab".to_string(), "a".to_string()];
        assert_eq!(find(&blob, None, &names), [Some(4), Some(3), None]);
        assert_eq!(count_types(&blob), 5);
    }

    #[test]
    fn a_module_goes_on_where_vmlinux_ends() {
        let base = blob(&[1, 1 << 24, 4, 32], b"\0int\0");
        let module = blob(&[6, 8 << 24, 1], b"\0modt\0");
        assert_eq!(find(&module, Some(&base), &["modt".to_string()]), [Some(2)]);
    }

    #[test]
    fn garbage_finds_nothing() {
        assert_eq!(
            find(b"not btf at all, really", None, &["x".to_string()]),
            [None]
        );
        assert_eq!(
            find(&blob(&[1, 31 << 24, 0], b"\0x\0"), None, &["x".to_string()]),
            [None]
        );
    }
}
