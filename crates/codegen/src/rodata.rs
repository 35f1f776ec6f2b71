//! Read-only memory: constants and tables, shared where equal.

use std::collections::HashMap;

/// Contents of the read-only map under construction.
#[derive(Default)]
pub struct Rodata {
    bytes: Vec<u8>,
    known: HashMap<Vec<u8>, u32>,
}

impl Rodata {
    /// Offset of these bytes, aligned to eight.
    pub fn put(&mut self, data: &[u8]) -> u32 {
        if let Some(off) = self.known.get(data) {
            return *off;
        }
        let off = self.bytes.len() as u32;
        self.bytes.extend_from_slice(data);
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        self.known.insert(data.to_vec(), off);
        off
    }

    /// `n` zero bytes.
    pub fn zeros(&mut self, n: u32) -> u32 {
        self.put(&vec![0; n as usize])
    }

    /// A table of 32-bit words.
    pub fn words(&mut self, words: &[u32]) -> u32 {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_ne_bytes()).collect();
        self.put(&bytes)
    }

    /// A table of 64-bit words.
    pub fn longs(&mut self, words: &[i64]) -> u32 {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_ne_bytes()).collect();
        self.put(&bytes)
    }

    /// The contents.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
}
