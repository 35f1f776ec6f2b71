//! BTF bytes with a table of offsets: the one pass that opening takes, types by id, strings.

use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

use crate::format::{BtfKind, Error, HEADER_LEN, Info, MAGIC, RECORD_LEN, VERSION, word};
use crate::index::{EnumeratorIndex, NameIndex};
use crate::view::Type;

/// BTF data of the kernel, or of one module upon the kernel's.
pub struct Btf {
    bytes: Box<dyn AsRef<[u8]>>,
    base: Option<Rc<Btf>>,
    types: Range<usize>,
    strings: Range<usize>,
    /// Id of the first type here, and offset of the first string here: both go on where the base ends.
    first_id: u32,
    first_string: u32,
    /// Offset in `types` of each type, from `first_id` on.
    offsets: Vec<u32>,
    /// The writer knew to mark signed enumerations (Linux 6.0 and later).
    marks_signed_enums: bool,
    pub(crate) type_names: OnceCell<NameIndex>,
    pub(crate) func_names: OnceCell<NameIndex>,
    pub(crate) enumerators: OnceCell<EnumeratorIndex>,
}

impl std::fmt::Debug for Btf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Btf")
            .field("ids", &self.ids())
            .finish_non_exhaustive()
    }
}

impl Btf {
    /// Opens BTF data that stand alone. One pass finds the types; their contents are checked when they are read.
    pub fn parse(bytes: impl AsRef<[u8]> + 'static) -> Result<Btf, Error> {
        Btf::open(Box::new(bytes), None)
    }

    /// Opens the BTF data of a module, whose ids and strings go on where those of `base` end.
    pub fn parse_split(bytes: impl AsRef<[u8]> + 'static, base: Rc<Btf>) -> Result<Btf, Error> {
        Btf::open(Box::new(bytes), Some(base))
    }

    fn open(bytes: Box<dyn AsRef<[u8]>>, base: Option<Rc<Btf>>) -> Result<Btf, Error> {
        let (types, strings) = sections((*bytes).as_ref())?;
        let (first_id, first_string) = match &base {
            Some(base) => (base.ids().end, base.string_end()),
            None => (1, 0),
        };
        let records = (*bytes)
            .as_ref()
            .get(types.clone())
            .ok_or(Error::Sections)?;
        let (offsets, marks_signed_enums) = scan(records, first_id)?;
        let inherited = base.as_ref().is_some_and(|b| b.marks_signed_enums);
        Ok(Btf {
            bytes,
            base,
            types,
            strings,
            first_id,
            first_string,
            offsets,
            marks_signed_enums: marks_signed_enums || inherited,
            type_names: OnceCell::new(),
            func_names: OnceCell::new(),
            enumerators: OnceCell::new(),
        })
    }

    /// Ids of the types here (those of the base are not among them; 0, void, is nobody's).
    pub fn ids(&self) -> Range<u32> {
        self.first_id..self.first_id.saturating_add(self.offsets.len() as u32)
    }

    /// What these data extend.
    pub fn base(&self) -> Option<&Rc<Btf>> {
        self.base.as_ref()
    }

    /// Offset that the first string of data upon these has.
    pub(crate) fn string_end(&self) -> u32 {
        self.first_string.saturating_add(self.strings.len() as u32)
    }

    /// Were enumerations marked as signed where they are?
    pub(crate) fn marks_signed_enums(&self) -> bool {
        self.marks_signed_enums
    }

    /// A type by its id, here or in the base.
    pub fn ty(&self, id: u32) -> Result<Type<'_>, Error> {
        if id == 0 {
            return Ok(Type::void(self));
        }
        let Some(at) = id.checked_sub(self.first_id) else {
            return self.base.as_ref().ok_or(Error::Id(id))?.ty(id);
        };
        let offset = *self.offsets.get(at as usize).ok_or(Error::Id(id))?;
        let record = self.records().get(offset as usize..).ok_or(Error::Id(id))?;
        Type::read(self, id, record)
    }

    /// All types here, in order of ids.
    pub fn types(&self) -> impl Iterator<Item = Type<'_>> {
        let records = self.records();
        self.ids()
            .zip(&self.offsets)
            .filter_map(move |(id, offset)| {
                Type::read(self, id, records.get(*offset as usize..)?).ok()
            })
    }

    /// Name and info words of all types here: what the indexes are built from.
    pub(crate) fn heads(&self) -> impl Iterator<Item = (u32, u32, Option<BtfKind>)> {
        let records = self.records();
        self.ids().zip(&self.offsets).map(move |(id, offset)| {
            let at = *offset as usize;
            let kind = BtfKind::from_number(Info(word(records, at + 4)).kind_number());
            (id, word(records, at), kind)
        })
    }

    fn records(&self) -> &[u8] {
        (*self.bytes)
            .as_ref()
            .get(self.types.clone())
            .unwrap_or_default()
    }

    /// The string at an offset up to the end of its section, in these data or in the base.
    pub(crate) fn string_tail(&self, offset: u32) -> &[u8] {
        match offset.checked_sub(self.first_string) {
            Some(at) => {
                let strings = (*self.bytes)
                    .as_ref()
                    .get(self.strings.clone())
                    .unwrap_or_default();
                strings.get(at as usize..).unwrap_or_default()
            }
            None => self
                .base
                .as_ref()
                .map(|b| b.string_tail(offset))
                .unwrap_or_default(),
        }
    }

    /// The string at an offset; empty if there is none or it is not UTF-8.
    pub fn string(&self, offset: u32) -> &str {
        let tail = self.string_tail(offset);
        let text = tail.split(|b| *b == 0).next().unwrap_or_default();
        std::str::from_utf8(text).unwrap_or_default()
    }

    /// Is this the string at the offset?
    pub(crate) fn string_is(&self, offset: u32, text: &str) -> bool {
        let tail = self.string_tail(offset).strip_prefix(text.as_bytes());
        tail.is_some_and(|rest| rest.first() == Some(&0))
    }
}

/// Checks the header: where types and strings are.
fn sections(bytes: &[u8]) -> Result<(Range<usize>, Range<usize>), Error> {
    let [m0, m1, version, _flags, ..] = *bytes else {
        return Err(Error::Truncated);
    };
    if u16::from_le_bytes([m0, m1]) != MAGIC {
        return Err(Error::Magic);
    }
    if version != VERSION {
        return Err(Error::Version(version));
    }
    let header = word(bytes, 4);
    if header < HEADER_LEN || bytes.len() < HEADER_LEN as usize {
        return Err(Error::Truncated);
    }
    let section = |at: usize| {
        let start = u64::from(header) + u64::from(word(bytes, at));
        let end = start + u64::from(word(bytes, at + 4));
        if end > bytes.len() as u64 {
            Err(Error::Truncated)
        } else {
            Ok(start as usize..end as usize)
        }
    };
    let (types, strings) = (section(8)?, section(16)?);
    if !word(bytes, 8).is_multiple_of(4) || types.len() > u32::MAX as usize {
        return Err(Error::Sections);
    }
    // The last string must end, so that no reader runs out of the section.
    if bytes
        .get(strings.clone())
        .and_then(|s| s.last())
        .is_some_and(|last| *last != 0)
    {
        return Err(Error::Sections);
    }
    Ok((types, strings))
}

/// The offset of each type, and whether enumerations are marked as signed.
fn scan(records: &[u8], first_id: u32) -> Result<(Vec<u32>, bool), Error> {
    // A record takes some 24 bytes in the mean (kernel 6.18).
    let mut offsets = Vec::with_capacity(records.len() / 24);
    let (mut at, mut marks) = (0, false);
    while at < records.len() {
        let info = Info(word(records, at + 4));
        let number = info.kind_number();
        let id = first_id.saturating_add(offsets.len() as u32);
        let kind = BtfKind::from_number(number).ok_or(Error::Kind { id, kind: number })?;
        let (once, each) = kind.extra();
        offsets.push(at as u32);
        marks |= kind == BtfKind::Enum64 || kind == BtfKind::Enum && info.flag();
        at += RECORD_LEN + once + each * info.vlen();
    }
    if at != records.len() {
        return Err(Error::Truncated);
    }
    offsets.shrink_to_fit();
    Ok((offsets, marks))
}
