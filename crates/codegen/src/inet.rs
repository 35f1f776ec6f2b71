//! `inet_ntoa()`, `inet_ntoa6()`, `inet_ntop()`, `link_ntop()`.

use bpf::{Helper, JmpOp, Width};
use image::layout::Fault;
use ir::{Arg, V};
use lang::Subr;
use sema::hir::Expr;

use crate::Result;
use crate::rt::Local;
use crate::site::SiteGen;
use crate::strings::StrRef;

/// `AF_INET` and `AF_INET6`.
const AF_INET: i32 = 2;
const AF_INET6: i32 = 10;
/// `ARPHRD_ETHER` and `ARPHRD_INFINIBAND`, with the bytes of an address.
const ETHER: (i32, i32) = (1, 6);
const INFINIBAND: (i32, i32) = (32, 20);
/// Room for the longest text and what is written before it is known to be unwanted.
const TEXT: u32 = 64;
/// Room for the longest address.
const ADDRESS: u32 = 24;

/// An address in scratch and the room for its text.
#[derive(Clone, Copy)]
struct Work {
    scratch: V,
    text: i32,
    address: i32,
}

impl SiteGen<'_> {
    /// One of the subroutines, to `base + off`; gives the length with the NUL.
    pub fn address_text(&mut self, subr: Subr, args: &[Expr], base: V, off: i32) -> Result<V> {
        let pointer = match subr {
            Subr::InetNtop | Subr::LinkNtop => &args[1],
            _ => &args[0],
        };
        let kind = match subr {
            Subr::InetNtop | Subr::LinkNtop => Some(self.int(&args[0])?),
            _ => None,
        };
        let from = self.int(pointer)?;
        // Slack for an address written behind a prefix.
        let text = self.take(TEXT + 16) as i32;
        let address = self.take(ADDRESS) as i32;
        let work = Work {
            scratch: self.scratch(),
            text,
            address,
        };
        match (subr, kind) {
            (Subr::InetNtoa, _) => self.ntoa(work, from),
            (Subr::InetNtoa6, _) => self.ntoa6(work, from),
            (Subr::LinkNtop, Some(kind)) => {
                self.choose(kind, [ETHER.0, INFINIBAND.0], &mut |g, k| {
                    let bytes = if k == ETHER.0 { ETHER.1 } else { INFINIBAND.1 };
                    g.fetch(work, from, bytes);
                    let (dst, src) = g.places(work, 0, 0);
                    g.local(Local::Mac, &[dst.into(), src.into(), Arg::Imm(bytes)]);
                });
            }
            (_, Some(kind)) => {
                self.choose(kind, [AF_INET, AF_INET6], &mut |g, k| {
                    if k == AF_INET {
                        g.ntoa(work, from);
                    } else {
                        g.ntoa6(work, from);
                    }
                });
            }
            (_, None) => return crate::lower::internal("not an address"),
        }
        Ok(self.copy_str(
            StrRef {
                base: work.scratch,
                off: text,
                cap: TEXT,
            },
            base,
            off,
        ))
    }

    /// Does what belongs to the kind of address; others are a fault.
    fn choose(&mut self, kind: V, kinds: [i32; 2], each: &mut dyn FnMut(&mut Self, i32)) {
        let (second, done) = (self.f.label(), self.f.label());
        let kind = self.f.ext(kind, 4, true);
        self.f.branch(JmpOp::Ne, kind, kinds[0], second);
        each(self, kinds[0]);
        self.f.jump(done);
        self.f.bind(second);
        self.fault_if(JmpOp::Ne, kind, kinds[1], Fault::IllOp, None);
        each(self, kinds[1]);
        self.f.bind(done);
    }

    fn fetch(&mut self, work: Work, from: V, bytes: i32) {
        let to = self.address(work.scratch, work.address);
        let r = self.call(
            Helper::ProbeReadKernel,
            &[to.into(), Arg::Imm(bytes), from.into()],
        );
        self.fault_if(JmpOp::Ne, r, 0, Fault::BadAddr, Some(from));
    }

    fn places(&mut self, work: Work, text: i32, address: i32) -> (V, V) {
        (
            self.address(work.scratch, work.text + text),
            self.address(work.scratch, work.address + address),
        )
    }

    fn ntoa(&mut self, work: Work, from: V) {
        self.fetch(work, from, 4);
        let (dst, src) = self.places(work, 0, 0);
        self.local(Local::Ntoa, &[dst.into(), src.into()]);
    }

    fn ntoa6(&mut self, work: Work, from: V) {
        self.fetch(work, from, 16);
        let (general, mapped, done) = (self.f.label(), self.f.label(), self.f.label());
        let load = |g: &mut Self, at, width| g.f.load(work.scratch, work.address + at, width);
        let high = load(self, 0, Width::DW);
        self.f.branch(JmpOp::Ne, high, 0, general);
        let third = load(self, 8, Width::W);
        let last = load(self, 12, Width::W);
        let marked = self.f.konst(u64::from(u32::from_be(0xffff)));
        self.f.branch(JmpOp::Eq, third, marked, mapped);
        self.f.branch(JmpOp::Ne, third, 0, general);
        self.f.branch(JmpOp::Eq, last, 0, general);
        let one = 1i32.to_be();
        self.f.branch(JmpOp::Eq, last, one, general);
        self.prefixed(work, b"::");
        self.f.jump(done);
        self.f.bind(mapped);
        self.prefixed(work, b"::ffff:");
        self.f.jump(done);
        self.f.bind(general);
        let (dst, src) = self.places(work, 0, 0);
        self.local(Local::Ntoa6, &[dst.into(), src.into()]);
        self.f.bind(done);
    }

    /// The last four bytes as an IPv4 address behind a prefix of at most eight bytes.
    fn prefixed(&mut self, work: Work, prefix: &[u8]) {
        let mut word = [0; 8];
        for (to, from) in word.iter_mut().zip(prefix) {
            *to = *from;
        }
        let v = self.f.konst(u64::from_ne_bytes(word));
        self.f.store(work.scratch, work.text, Width::DW, v);
        let (dst, src) = self.places(work, prefix.len() as i32, 12);
        self.local(Local::Ntoa, &[dst.into(), src.into()]);
    }
}
