//! Subroutines.

use bpf::{AluOp, Helper, JmpOp, Width};
use image::layout::Fault;
use ir::{Arg, Inst, V};
use lang::Subr;
use sema::hir::{AssocId, Expr, ExprKind, LValue, LValueKind, Space, Ty};

use crate::rt::{JSON_WORK, Local};
use crate::site::SiteGen;
use crate::strings::{LLTOSTR, StrRef};
use crate::{Result, stop};

/// Spaces between the minor and the major number of a `dev_t` inside the kernel (`MINORBITS`).
const MINOR_BITS: i32 = 20;

impl SiteGen<'_> {
    /// A subroutine with an integer (or pointer) result.
    pub fn call_int(&mut self, subr: Subr, args: &[Expr], e: &Expr) -> Result<V> {
        match subr {
            Subr::Alloca => self.alloca(&args[0]),
            Subr::Copyin => self.copyin(&args[0], &args[1]),
            Subr::Strlen => self.strlen(&args[0]),
            Subr::Htons | Subr::Ntohs => self.swap(&args[0], 16),
            Subr::Htonl | Subr::Ntohl => self.swap(&args[0], 32),
            Subr::Htonll | Subr::Ntohll => self.swap(&args[0], 64),
            Subr::Rand => {
                let v = self.call(Helper::GetPrandomU32, &[]);
                Ok(self.f.alu(AluOp::And, v, i32::MAX))
            }
            Subr::Getmajor => {
                let v = self.int(&args[0])?;
                let v = self.f.ext(v, 4, false);
                Ok(self.f.alu(AluOp::Rsh, v, MINOR_BITS))
            }
            Subr::Getminor => {
                let v = self.int(&args[0])?;
                Ok(self.f.alu(AluOp::And, v, (1 << MINOR_BITS) - 1))
            }
            Subr::Index | Subr::Rindex => self.index(subr == Subr::Rindex, args),
            Subr::Strtoll => {
                let s = self.str_ref(&args[0])?;
                let (s, base) = match args.get(1) {
                    Some(b) => self.string_and_number(s, b)?,
                    None => (s, self.f.konst(10)),
                };
                self.check_base(base);
                let at = self.address(s.base, s.off);
                let base = self.bounded(base, 36);
                Ok(self.local(
                    Local::Toll,
                    &[at.into(), Arg::Imm(s.cap as i32), base.into()],
                ))
            }
            Subr::Speculation => self.speculation(),
            Subr::Getf => self.open_file(&args[0], e.pos),
            Subr::MutexOwned
            | Subr::MutexOwner
            | Subr::MutexTypeAdaptive
            | Subr::MutexTypeSpin
            | Subr::RwIswriter
            | Subr::RwReadHeld
            | Subr::RwWriteHeld => self.lock(subr, &args[0], e.pos),
            Subr::Progenyof => self.progenyof(&args[0], e),
            _ => self.unsupported(subr, e),
        }
    }

    /// A subroutine called for what it does.
    pub fn call_void(&mut self, subr: Subr, args: &[Expr], e: &Expr) -> Result<()> {
        match subr {
            Subr::Bcopy => self.bcopy(&args[0], &args[1], &args[2], Space::Kernel),
            Subr::Copyinto => self.bcopy(&args[0], &args[2], &args[1], Space::User),
            Subr::Copyout => self.copyout(&args[0], &args[1], &args[2]),
            Subr::Copyoutstr => self.copyoutstr(&args[0], &args[1], &args[2]),
            _ => self.unsupported(subr, e),
        }
    }

    fn unsupported<T>(&self, subr: Subr, e: &Expr) -> Result<T> {
        stop(
            e.pos,
            format!(
                "{}( ) is not implemented yet",
                format!("{subr:?}").to_lowercase()
            ),
        )
    }

    /// A subroutine with a string result, written to `base + off`; gives its length with the NUL.
    pub fn call_str(
        &mut self,
        subr: Subr,
        args: &[Expr],
        e: &Expr,
        base: V,
        off: i32,
    ) -> Result<V> {
        match subr {
            Subr::Substr => self.substr(args, base, off),
            Subr::Tolower | Subr::Toupper => {
                let len = self.str_into(&args[0], base, off)?;
                let at = self.address(base, off);
                let cap = self.cap() as i32;
                let upper = i32::from(subr == Subr::Toupper);
                self.local(Local::Case, &[at.into(), Arg::Imm(cap), Arg::Imm(upper)]);
                Ok(len)
            }
            Subr::Lltostr => self.lltostr(args, base, off),
            Subr::Strchr | Subr::Strrchr => {
                let s = self.str_ref(&args[0])?;
                let (s, c) = self.string_and_number(s, &args[1])?;
                let c = self.f.ext(c, 1, false);
                let at = self.address(s.base, s.off);
                let which = if subr == Subr::Strchr {
                    Local::Chr
                } else {
                    Local::Rchr
                };
                let n = self.local(which, &[at.into(), c.into(), Arg::Imm(s.cap as i32)]);
                self.suffix(s, n, base, off)
            }
            Subr::Strstr => {
                let (s, t) = self.pair_of_strings(&args[0], &args[1])?;
                let n = self.find(Local::Find, s, t, Arg::Imm(0));
                self.suffix(s, n, base, off)
            }
            Subr::Basename | Subr::Dirname => {
                self.path_part(subr == Subr::Basename, &args[0], base, off)
            }
            Subr::Cleanpath => {
                // Where it stops depends on the size of the buffer: that is `strsize`, however short the path.
                let at = self.take(self.cap() + 8) as i32;
                let scratch = self.scratch();
                self.str_into(&args[0], scratch, at)?;
                let (from, to) = (self.address(scratch, at), self.address(base, off));
                let size = Arg::Imm(self.strsize() as i32);
                let len = self.local(Local::Cleanpath, &[to.into(), from.into(), size]);
                self.with_nul(len)
            }
            Subr::Strtok => self.strtok(args, base, off),
            Subr::DPath => self.path_name(false, args, e.pos, base, off),
            Subr::DentryPath => self.path_name(true, args, e.pos, base, off),
            Subr::Json => self.json(&args[0], &args[1], base, off),
            Subr::InetNtoa | Subr::InetNtoa6 | Subr::InetNtop | Subr::LinkNtop => {
                self.address_text(subr, args, base, off)
            }
            _ => self.unsupported(subr, e),
        }
    }

    /// The length that a local function gave, bounded, plus one for the NUL.
    fn with_nul(&mut self, len: V) -> Result<V> {
        let most = self.strsize() as i32 - 1;
        let d = self.bounded(len, most as u32);
        Ok(self.f.alu(AluOp::Add, d, 1))
    }

    /// The string from index `n` on; empty if `n` is -1.
    fn suffix(&mut self, s: StrRef, n: V, base: V, off: i32) -> Result<V> {
        let d = self.f.reg();
        let (none, done) = (self.f.label(), self.f.label());
        let most = s.cap.min(self.strsize()) as i32 - 1;
        self.f.branch(JmpOp::Gt, n, most, none);
        let from = self.address(s.base, s.off);
        let n = self.bounded(n, most as u32);
        let from = self.f.alu(AluOp::Add, from, n);
        let len = self.read_str(
            Space::Kernel,
            from,
            base,
            off,
            Arg::Imm(s.cap.min(self.strsize()) as i32),
        );
        self.f.copy_to(d, len);
        self.f.jump(done);
        self.f.bind(none);
        self.f.store(base, off, Width::B, 0);
        self.f.push(Inst::Const { d, v: 1 });
        self.f.bind(done);
        Ok(d)
    }

    fn find(&mut self, which: Local, s: StrRef, t: StrRef, start: Arg) -> V {
        let (a, b) = (self.address(s.base, s.off), self.address(t.base, t.off));
        self.local(
            which,
            &[
                a.into(),
                b.into(),
                Arg::Imm(s.cap as i32),
                Arg::Imm(t.cap as i32),
                start,
            ],
        )
    }

    /// `index()`, `rindex()` with Perl's rules for positions (reference §10.4).
    fn index(&mut self, last: bool, args: &[Expr]) -> Result<V> {
        let (s, t) = self.pair_of_strings(&args[0], &args[1])?;
        let Some(pos) = args.get(2) else {
            let start = if last {
                Arg::Imm(s.cap as i32)
            } else {
                Arg::Imm(0)
            };
            let (which, start) = if last {
                (Local::Rfind, start)
            } else {
                (Local::Find, start)
            };
            return Ok(self.find(which, s, t, start));
        };
        let s = self.hold_str(s, pos);
        let (t, pos) = self.string_and_number(t, pos)?;
        self.unhold_str();
        let start = self.f.reg();
        let ready = self.f.label();
        self.f.copy_to(start, pos);
        let result = self.f.reg();
        let done = self.f.label();
        if last {
            // Before the beginning: nothing but an empty string is there.
            let go = self.f.label();
            self.f.branch(JmpOp::Sge, pos, 0, go);
            let first = self.f.load(t.base, t.off, Width::B);
            self.f.push(Inst::Const { d: result, v: 0 });
            self.f.branch(JmpOp::Eq, first, 0, done);
            self.f.push(Inst::Const {
                d: result,
                v: u64::MAX,
            });
            self.f.jump(done);
            self.f.bind(go);
        } else {
            self.f.branch(JmpOp::Sge, start, 0, ready);
            self.f.push(Inst::Const { d: start, v: 0 });
            self.f.bind(ready);
        }
        let start = self.bounded(start, s.cap);
        let which = if last { Local::Rfind } else { Local::Find };
        let n = self.find(which, s, t, start.into());
        self.f.copy_to(result, n);
        self.f.bind(done);
        Ok(result)
    }

    /// A number behind a string that was found before.
    fn string_and_number(&mut self, s: StrRef, e: &Expr) -> Result<(StrRef, V)> {
        let s = self.hold_str(s, e);
        let v = self.int(e)?;
        self.unhold_str();
        Ok((s, v))
    }

    /// `strlen()`: the length with the NUL that reading it gives, less one.
    fn strlen(&mut self, e: &Expr) -> Result<V> {
        if let Some(text) = self.const_text(e) {
            return Ok(self.f.konst(text.len() as u64));
        }
        let off = self.take(self.cap() + 8);
        let base = self.scratch();
        let len = self.str_into(e, base, off as i32)?;
        Ok(self.f.alu(AluOp::Sub, len, 1))
    }

    /// `substr(s, index[, length])` with Perl's rules.
    fn substr(&mut self, args: &[Expr], base: V, off: i32) -> Result<V> {
        let at = self.take(self.cap() + 8) as i32;
        let scratch = self.scratch();
        let len = self.str_into(&args[0], scratch, at)?;
        let len = self.f.alu(AluOp::Sub, len, 1);
        let len = self.hold(len, &args[1]);
        let (index, count) = match args.get(2) {
            Some(count) => {
                let (index, count) = self.pair(&args[1], count)?;
                (index, Some(count))
            }
            None => (self.int(&args[1])?, None),
        };
        let len = self.unhold(len);
        // start = index, from the end if negative; end = start + count, from the end if negative.
        let (start, end) = (self.f.reg(), self.f.reg());
        let (have_start, have_end) = (self.f.label(), self.f.label());
        self.f.copy_to(start, index);
        self.f.branch(JmpOp::Sge, start, 0, have_start);
        let from_end = self.f.alu(AluOp::Add, start, len);
        self.f.copy_to(start, from_end);
        self.f.bind(have_start);
        self.f.copy_to(end, len);
        if let Some(count) = count {
            let negative = self.f.label();
            self.f.branch(JmpOp::Slt, count, 0, negative);
            let e = self.f.alu(AluOp::Add, start, count);
            self.f.copy_to(end, e);
            self.f.branch(JmpOp::Sle, end, len, have_end);
            self.f.copy_to(end, len);
            self.f.jump(have_end);
            self.f.bind(negative);
            let e = self.f.alu(AluOp::Add, len, count);
            self.f.copy_to(end, e);
        }
        self.f.bind(have_end);
        let positive = self.f.label();
        self.f.branch(JmpOp::Sge, start, 0, positive);
        self.f.push(Inst::Const { d: start, v: 0 });
        self.f.bind(positive);
        self.piece(
            StrRef {
                base: scratch,
                off: at,
                cap: self.cap(),
            },
            start,
            end,
            base,
            off,
        )
    }

    /// Bytes `start..end` of a string; empty where that is nothing. Bounds are signed and may be anything.
    fn piece(&mut self, s: StrRef, start: V, end: V, base: V, off: i32) -> Result<V> {
        let d = self.f.reg();
        let (none, done) = (self.f.label(), self.f.label());
        let most = self.strsize() as i32 - 1;
        self.f.branch(JmpOp::Sle, end, start, none);
        self.f.branch(JmpOp::Gt, start, most, none);
        let n = self.f.alu(AluOp::Sub, end, start);
        let n = self.bounded(n, most as u32);
        let size = self.f.alu(AluOp::Add, n, 1);
        let from = self.address(s.base, s.off);
        let start = self.bounded(start, most as u32);
        let from = self.f.alu(AluOp::Add, from, start);
        let len = self.read_str(Space::Kernel, from, base, off, size.into());
        self.f.copy_to(d, len);
        self.f.jump(done);
        self.f.bind(none);
        self.f.store(base, off, Width::B, 0);
        self.f.push(Inst::Const { d, v: 1 });
        self.f.bind(done);
        Ok(d)
    }

    /// `basename()`, `dirname()`.
    fn path_part(&mut self, base_name: bool, e: &Expr, base: V, off: i32) -> Result<V> {
        let at = self.take(self.cap() + 8) as i32;
        let scratch = self.scratch();
        let len = self.str_into(e, scratch, at)?;
        let s = StrRef {
            base: scratch,
            off: at,
            cap: self.cap(),
        };
        let text = self.address(scratch, at);
        let cap = Arg::Imm(s.cap as i32);
        let result = self.f.reg();
        let (slash, dot, done) = (self.f.label(), self.f.label(), self.f.label());
        let len = self.f.alu(AluOp::Sub, len, 1);
        self.f.branch(JmpOp::Eq, len, 0, dot);
        // Without trailing slashes; all slashes is "/".
        let end = self.local(Local::Trim, &[text.into(), cap]);
        let end = self.bounded(end, self.strsize() - 1);
        self.f.branch(JmpOp::Eq, end, 0, slash);
        let at = self.bounded(end, self.strsize() - 1);
        let cut = self.f.alu(AluOp::Add, text, at);
        self.f.store(cut, 0, Width::B, 0);
        let last = self.local(Local::Rchr, &[text.into(), Arg::Imm(i32::from(b'/')), cap]);
        if base_name {
            let start = self.f.alu(AluOp::Add, last, 1);
            let v = self.piece(s, start, end, base, off)?;
            self.f.copy_to(result, v);
        } else {
            self.f.branch(JmpOp::Slt, last, 0, dot);
            let last = self.bounded(last, self.strsize() - 1);
            let cut = self.f.alu(AluOp::Add, text, last);
            self.f.store(cut, 0, Width::B, 0);
            let end = self.local(Local::Trim, &[text.into(), cap]);
            self.f.branch(JmpOp::Eq, end, 0, slash);
            let start = self.f.konst(0);
            let v = self.piece(s, start, end, base, off)?;
            self.f.copy_to(result, v);
        }
        self.f.jump(done);
        // As much of it as a string holds.
        let len = self.strsize().min(2);
        for (label, text) in [(slash, b'/'), (dot, b'.')] {
            self.f.bind(label);
            let text = if len == 2 { i32::from(text) } else { 0 };
            self.f.store(base, off, Width::H, text);
            self.f.push(Inst::Const {
                d: result,
                v: u64::from(len),
            });
            self.f.jump(done);
        }
        self.f.bind(done);
        Ok(result)
    }

    /// Bases other than 2..36 are a fault.
    fn check_base(&mut self, base: V) {
        self.fault_if(JmpOp::Lt, base, 2, Fault::IllOp, None);
        self.fault_if(JmpOp::Gt, base, 36, Fault::IllOp, None);
    }

    fn lltostr(&mut self, args: &[Expr], base: V, off: i32) -> Result<V> {
        let (v, radix) = match args.get(1) {
            Some(e) => self.pair(&args[0], e)?,
            None => (self.int(&args[0])?, self.f.konst(10)),
        };
        self.check_base(radix);
        let at = self.take(LLTOSTR) as i32;
        let scratch = self.scratch();
        let dst = self.address(scratch, at);
        self.local(Local::Lltostr, &[dst.into(), v.into(), radix.into()]);
        Ok(self.copy_str(
            StrRef {
                base: scratch,
                off: at,
                cap: LLTOSTR,
            },
            base,
            off,
        ))
    }

    /// `strtok()`: the string being cut is kept over the clauses of a firing, with the position in scratch bytes 8..16.
    fn strtok(&mut self, args: &[Expr], base: V, off: i32) -> Result<V> {
        let keep = self.token_buffer() as i32;
        let scratch = self.scratch();
        if !matches!(args[0].kind, ExprKind::Int(0)) {
            self.str_into(&args[0], scratch, keep)?;
            self.f.store(scratch, 8, Width::DW, 0);
        }
        let set = self.str_ref(&args[1])?;
        let text = self.address(scratch, keep);
        let set_at = self.address(set.base, set.off);
        let cap = self.cap() as i32;
        let at = self.f.load(scratch, 8, Width::DW);
        let at = self.bounded(at, self.strsize() - 1);
        let caps = [Arg::Imm(cap), Arg::Imm(set.cap as i32)];
        let start = self.local(
            Local::Span,
            &[text.into(), set_at.into(), caps[0], caps[1], at.into()],
        );
        let from = self.bounded(start, self.strsize() - 1);
        let end = self.local(
            Local::Cspan,
            &[text.into(), set_at.into(), caps[0], caps[1], from.into()],
        );
        self.f.store(scratch, 8, Width::DW, end);
        self.piece(
            StrRef {
                base: scratch,
                off: keep,
                cap: self.cap(),
            },
            start,
            end,
            base,
            off,
        )
    }

    /// `json()`: the part of the text that the run-time library finds.
    fn json(&mut self, text: &Expr, path: &Expr, base: V, off: i32) -> Result<V> {
        let (s, path) = self.pair_of_strings(text, path)?;
        let work = self.take(JSON_WORK) as i32;
        let scratch = self.scratch();
        let args = [
            self.address(s.base, s.off).into(),
            self.address(path.base, path.off).into(),
            self.address(scratch, work).into(),
            Arg::Imm(s.cap as i32),
            Arg::Imm(path.cap as i32),
        ];
        let found = self.local(Local::Json, &args);
        // Of -1, the end is before the start.
        let start = self.f.ext(found, 4, false);
        let end = self.f.alu(AluOp::Arsh, found, 32);
        self.piece(s, start, end, base, off)
    }

    fn swap(&mut self, e: &Expr, bits: u8) -> Result<V> {
        let s = self.int(e)?;
        let d = self.f.reg();
        self.f.push(Inst::Swap { d, s, bits });
        Ok(d)
    }

    /// A piece of scratch for the clause; the value is its address as a number.
    fn alloca(&mut self, size: &Expr) -> Result<V> {
        let (off, _) = self.sized(size)?;
        let scratch = self.scratch();
        let at = self.address(scratch, off);
        Ok(self.launder(at))
    }

    /// Reserves scratch for a size: its offset, and the size as an operand bounded by what was reserved.
    pub fn sized(&mut self, size: &Expr) -> Result<(i32, Arg)> {
        if let ExprKind::Int(n) = size.kind {
            let most = self.most_scratch();
            if n > u64::from(most) {
                let text = format!(
                    "{n} bytes of scratch memory were asked for, at most {most} can be had: -xscratchsize={n} allows it"
                );
                return stop(size.pos, text);
            }
            return Ok((self.allot(n as u32) as i32, Arg::Imm(n as i32)));
        }
        let most = self.most_scratch();
        let v = self.int(size)?;
        self.fault_if(JmpOp::Gt, v, most as i32, Fault::NoScratch, None);
        Ok((self.allot(most) as i32, v.into()))
    }

    /// Most bytes of a piece of scratch.
    fn most_scratch(&self) -> u32 {
        self.p.limits.scratchsize.max(self.strsize())
    }

    fn copyin(&mut self, addr: &Expr, size: &Expr) -> Result<V> {
        let a = self.int(addr)?;
        let a = self.hold(a, size);
        let (off, n) = self.sized(size)?;
        let a = self.unhold(a);
        let scratch = self.scratch();
        let dst = self.address(scratch, off);
        let r = self.call(Helper::ProbeReadUser, &[dst.into(), n, a.into()]);
        self.fault_if(JmpOp::Ne, r, 0, Fault::BadAddr, Some(a));
        Ok(self.launder(dst))
    }

    /// Copies `size` bytes into scratch that an earlier `alloca()` or `copyin()` gave.
    fn bcopy(&mut self, src: &Expr, dst: &Expr, size: &Expr, space: Space) -> Result<()> {
        let from = self.int(src)?;
        let to = self.int(dst)?;
        let (most, n) = match size.kind {
            ExprKind::Int(n) if n <= u64::from(self.most_scratch()) => {
                (n as u32, Arg::Imm(n as i32))
            }
            _ => {
                let most = self.most_scratch();
                let v = self.int(size)?;
                self.fault_if(JmpOp::Gt, v, most as i32, Fault::NoScratch, None);
                (most, v.into())
            }
        };
        let nothing = self.f.label();
        let at = match n {
            Arg::Imm(_) => self.scratch_at(to, most)?,
            Arg::V(n) => {
                self.f.branch(JmpOp::Eq, n, 0, nothing);
                // The last byte must be inside as well as the first.
                let last = self.f.alu(AluOp::Add, to, n);
                let last = self.f.alu(AluOp::Sub, last, 1);
                self.scratch_at(last, 1)?;
                self.slack(most);
                self.scratch_at(to, 1)?
            }
        };
        let helper = match space {
            Space::Kernel => Helper::ProbeReadKernel,
            Space::User => Helper::ProbeReadUser,
        };
        let r = self.call(helper, &[at.into(), n, from.into()]);
        self.fault_if(JmpOp::Ne, r, 0, Fault::BadAddr, Some(from));
        self.f.bind(nothing);
        Ok(())
    }

    /// Whether a process is this one or an ancestor of it.
    fn progenyof(&mut self, pid: &Expr, e: &Expr) -> Result<V> {
        let want = self.int(pid)?;
        let want = self.f.ext(want, 4, false);
        let parent = self.kernel_offset("real_parent", e.pos)?;
        let tgid = self.kernel_offset("tgid", e.pos)?;
        let task = self.current_task_number();
        let args = [task.into(), want.into(), Arg::Imm(parent), Arg::Imm(tgid)];
        Ok(self.local(Local::Progeny, &args))
    }

    /// Records or stores a structure, union or array by value.
    pub fn bytes_into(&mut self, e: &Expr, off: i32, len: u32) -> Result<()> {
        let scratch = self.scratch();
        let dst = self.address(scratch, off);
        self.bytes_to(e, dst, len)
    }

    /// Copies a by-reference value of `len` bytes to memory of ours.
    fn bytes_to(&mut self, e: &Expr, dst: V, len: u32) -> Result<()> {
        let (helper, from) = match &e.kind {
            ExprKind::Mem {
                addr,
                offset,
                space,
            } => {
                let a = self.int(addr)?;
                let a = self.plus(a, *offset);
                let helper = match space {
                    Space::Kernel => Helper::ProbeReadKernel,
                    Space::User => Helper::ProbeReadUser,
                };
                (helper, a)
            }
            ExprKind::Var { .. } | ExprKind::Assoc { .. } | ExprKind::Element { .. } => {
                let (at, off) = self.element(e)?;
                (Helper::ProbeReadKernel, self.address(at, off))
            }
            ExprKind::Assign(t, v) => {
                self.assign_bytes(t, v, len)?;
                return self.bytes_to(v, dst, len);
            }
            ExprKind::Cond(c, t, f) => {
                let (other, done) = (self.f.label(), self.f.label());
                self.branch_false(c, other)?;
                self.bytes_to(t, dst, len)?;
                self.f.jump(done);
                self.f.bind(other);
                self.bytes_to(f, dst, len)?;
                self.f.bind(done);
                return Ok(());
            }
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                return self.bytes_to(b, dst, len);
            }
            _ => return stop(e.pos, "internal error -- not a structure or array"),
        };
        let r = self.call(helper, &[dst.into(), Arg::Imm(len as i32), from.into()]);
        self.fault_if(JmpOp::Ne, r, 0, Fault::BadAddr, Some(from));
        Ok(())
    }

    /// Evaluates a structure-valued expression for its side effects.
    pub fn bytes_effect(&mut self, e: &Expr) -> Result<()> {
        match (&e.kind, e.ty) {
            (ExprKind::Assign(t, v), Ty::Bytes { size, .. }) => self.assign_bytes(t, v, size),
            (ExprKind::Comma(a, b), _) => {
                self.effect(a)?;
                self.bytes_effect(b)
            }
            _ => Ok(()),
        }
    }

    fn assign_bytes(&mut self, t: &LValue, value: &Expr, len: u32) -> Result<()> {
        let off = self.take(len) as i32;
        let scratch = self.scratch();
        let tmp = self.address(scratch, off);
        let shift = self.shift(&t.indices)?;
        self.bytes_to(value, tmp, len)?;
        let copy = |g: &mut Self, to: V| {
            let args = vec![to.into(), Arg::Imm(len as i32), tmp.into()];
            g.f.push(Inst::Call {
                d: None,
                helper: Helper::ProbeReadKernel,
                args,
            });
        };
        match &t.kind {
            LValueKind::Var { id, offset } => self.with_var(
                *id,
                *offset,
                &mut |g, place| {
                    let to = g.place_address(place);
                    let to = g.shifted(to, shift);
                    copy(g, to);
                    Ok(())
                },
                &mut |g| {
                    g.drop_event(image::layout::drops::Kind::Dynamic);
                    Ok(())
                },
            ),
            LValueKind::Assoc { id, keys, offset } => {
                let key = self.assoc_key(*id, keys)?;
                if *offset == 0
                    && shift.is_none()
                    && self.plan.assocs[id.0 as usize].value_size == len.next_multiple_of(8)
                {
                    self.assoc_update(*id, key, tmp);
                } else {
                    let to = self.assoc_place(*id, key)?;
                    let to = self.address(to, *offset as i32);
                    let to = self.shifted(to, shift);
                    copy(self, to);
                }
                Ok(())
            }
            LValueKind::Mem { addr, offset } => {
                let to = self.scratch_pointer(addr, *offset, len)?;
                copy(self, to);
                Ok(())
            }
        }
    }

    /// Address of an element that is made (zeroed) if it does not exist; a fault if it cannot be made.
    pub fn assoc_place(&mut self, id: AssocId, key: V) -> Result<V> {
        let plan = self.plan.assocs[id.0 as usize].clone();
        let p = self.assoc_lookup(id, key);
        let have = self.f.label();
        self.f.branch(JmpOp::Ne, p, 0, have);
        let zeros = self.plan.rodata.zeros(plan.value_size);
        let zeros = self.f.map_value(self.plan.rodata_map, zeros);
        self.assoc_update(id, key, zeros);
        let again = self.assoc_lookup(id, key);
        self.f.copy_to(p, again);
        self.f.branch(JmpOp::Ne, p, 0, have);
        // No room: that is a drop, and what is stored goes nowhere.
        let spare = self.take(plan.value_size) as i32;
        let scratch = self.scratch();
        self.zero(scratch, spare, plan.value_size);
        let nowhere = self.address(scratch, spare);
        self.f.copy_to(p, nowhere);
        self.f.bind(have);
        Ok(p)
    }
}
