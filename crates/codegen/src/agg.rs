//! Updates of aggregations.
//!
//! Values are per CPU, so an update is a plain load, add and store: nothing else on this CPU updates the same value,
//! because an aggregation that several programs update has an entry a program (or, in slots, is updated atomically).
//! Bucket indices are computed without branches, so that the verifier follows one path.

use bpf::{AluOp, Helper, JmpOp, Width};
use image::layout::{self, drops};
use image::{AggFunc, AggStorage, KeyKind};
use ir::{Arg, Inst, V};
use sema::hir::{AggId, Expr, ExprKind};

use crate::site::{Firing, SiteGen};
use crate::{Result, stop};

impl SiteGen<'_> {
    /// `@a[keys] = func(value, incr)`.
    pub fn aggregate(
        &mut self,
        id: AggId,
        keys: &[Expr],
        value: Option<&Expr>,
        incr: Option<&Expr>,
    ) -> Result<()> {
        let plan = self.plan.aggs[id.0 as usize].clone();
        let v = match value {
            Some(e) => self.int(e)?,
            None => self.f.konst(0),
        };
        let by = match incr {
            Some(e) => self.int(e)?,
            None => self.f.konst(1),
        };
        match plan.desc.storage {
            AggStorage::Slots {
                map,
                offset,
                slots,
                stride,
                cpu_stride,
            } => {
                let cpu = self.cpu();
                let at = self.f.alu(AluOp::Mul, cpu, cpu_stride as i32);
                let base = self.f.map_value(map, offset);
                let mut p = self.f.alu(AluOp::Add, base, at);
                if slots > 1 {
                    p = match self.firing {
                        Firing::One(n) => self.address(p, (n * stride) as i32),
                        Firing::Any(n) => {
                            let n = self.bounded_probe(n, slots);
                            let off = self.f.alu(AluOp::Mul, n, stride as i32);
                            self.f.alu(AluOp::Add, p, off)
                        }
                    };
                }
                self.apply(plan.desc.func, p, v, by, plan.shared)
            }
            AggStorage::Hash(map) => {
                let key = self.agg_key(&plan, keys)?;
                self.in_hash(map, key, plan.stride, &mut |g, p| {
                    let p = match plan.cpu_stride {
                        None => p,
                        Some(stride) => {
                            let cpu = g.cpu();
                            let at = g.f.alu(AluOp::Mul, cpu, stride as i32);
                            g.f.alu(AluOp::Add, p, at)
                        }
                    };
                    g.apply(plan.desc.func, p, v, by, plan.common)
                })
            }
        }
    }

    /// Calls `f` with the entry's value, making the entry if need be; an entry that cannot be made is a drop.
    fn in_hash(
        &mut self,
        map: u32,
        key: V,
        stride: u32,
        f: &mut dyn FnMut(&mut Self, V) -> Result<()>,
    ) -> Result<()> {
        let p = self.f.reg();
        let (have, done) = (self.f.label(), self.f.label());
        let m = self.f.map(map);
        let found = self.call(Helper::MapLookupElem, &[m.into(), key.into()]);
        self.f.copy_to(p, found);
        self.f.branch(JmpOp::Ne, p, 0, have);
        const BPF_NOEXIST: i32 = 1;
        let zeros = self.plan.rodata.zeros(stride);
        let zeros = self.f.map_value(self.plan.rodata_map, zeros);
        let m = self.f.map(map);
        let args = vec![m.into(), key.into(), zeros.into(), Arg::Imm(BPF_NOEXIST)];
        self.f.push(Inst::Call {
            d: None,
            helper: Helper::MapUpdateElem,
            args,
        });
        let m = self.f.map(map);
        let found = self.call(Helper::MapLookupElem, &[m.into(), key.into()]);
        self.f.copy_to(p, found);
        self.f.branch(JmpOp::Ne, p, 0, have);
        self.drop_event(drops::Kind::Aggregation);
        self.f.jump(done);
        self.f.bind(have);
        f(self, p)?;
        self.f.bind(done);
        Ok(())
    }

    /// Builds the key; gives its address.
    fn agg_key(&mut self, plan: &crate::plan::AggPlan, keys: &[Expr]) -> Result<V> {
        let (base, off) = self.temp(plan.desc.key_size);
        for (e, k) in keys.iter().zip(&plan.desc.keys) {
            let at = off + k.offset as i32;
            match &k.kind {
                KeyKind::Int { bytes, .. } => {
                    let v = self.int(e)?;
                    if *bytes < 8 {
                        self.f.store(base, at, Width::DW, 0);
                    }
                    self.f.store(base, at, crate::vars::width(*bytes), v);
                }
                KeyKind::Str { cap } => self.padded_string(e, base, at, *cap)?,
                KeyKind::Probe(_) => {
                    let probe = self.probe_index();
                    self.f.store(base, at, Width::DW, probe);
                }
                KeyKind::Stack { user, frames } => self.stack_key(*user, *frames, base, at)?,
                KeyKind::Sym(kind) => {
                    let ExprKind::Sym(a) = &e.kind else {
                        return stop(e.pos, "internal error -- not a symbol key");
                    };
                    let v = self.int(a)?;
                    self.f.store(base, at, Width::DW, v);
                    if crate::plan::is_user(*kind) {
                        self.process_into(base, at + 8)?;
                    }
                }
            }
        }
        if let Some(o) = plan.program_key {
            let own = self.program_key();
            self.f.store(base, off + o as i32, Width::DW, own);
        }
        Ok(self.address(base, off))
    }

    /// Updates one value. `atomic`: other programs on this CPU may update it in between.
    fn apply(&mut self, func: AggFunc, p: V, v: V, by: V, atomic: bool) -> Result<()> {
        match func {
            AggFunc::Count => self.add(p, 0, by, atomic),
            AggFunc::Sum => {
                self.add(p, 0, v, atomic);
                self.f.store(p, 8, Width::DW, 1);
            }
            AggFunc::Avg => {
                self.add(p, 0, by, atomic);
                self.add(p, 8, v, atomic);
            }
            AggFunc::Min => self.extreme(p, v, JmpOp::Sle),
            AggFunc::Max => self.extreme(p, v, JmpOp::Sge),
            AggFunc::Stddev => self.stddev(p, v, by, atomic),
            AggFunc::Quantize => {
                let bucket = self.quantize_bucket(v);
                self.bucket(p, bucket, by, atomic);
            }
            AggFunc::Lquantize { base, limit, step } => {
                self.lquantize(p, v, by, (base, limit, step), atomic)
            }
            AggFunc::Llquantize {
                factor,
                low,
                high,
                nsteps,
            } => {
                let bounds = layout::llquantize_bounds(factor, low, high, nsteps);
                self.llquantize(p, v, by, &bounds, atomic);
            }
        }
        Ok(())
    }

    fn add(&mut self, p: V, off: i32, v: V, atomic: bool) {
        if atomic {
            self.f.push(Inst::AtomicAdd {
                base: p.into(),
                off,
                src: v,
            });
        } else {
            let old = self.f.load(p, off, Width::DW);
            let new = self.f.alu(AluOp::Add, old, v);
            self.f.store(p, off, Width::DW, new);
        }
    }

    /// Adds to bucket `n` of the value.
    fn bucket(&mut self, p: V, n: V, by: V, atomic: bool) {
        let off = self.f.alu(AluOp::Lsh, n, 3);
        let at = self.f.alu(AluOp::Add, p, off);
        self.add(at, 0, by, atomic);
    }

    /// `[valid, value]`: keeps the old value where `old op v`.
    fn extreme(&mut self, p: V, v: V, keep: JmpOp) {
        let (set, done) = (self.f.label(), self.f.label());
        let valid = self.f.load(p, 0, Width::DW);
        self.f.branch(JmpOp::Eq, valid, 0, set);
        let old = self.f.load(p, 8, Width::DW);
        self.f.branch(keep, old, v, done);
        self.f.bind(set);
        self.f.store(p, 8, Width::DW, v);
        self.f.store(p, 0, Width::DW, 1);
        self.f.bind(done);
    }

    /// Index 0..=126 of `v`'s power-of-two bucket; 63 is zero.
    fn quantize_bucket(&mut self, v: V) -> V {
        let sign = self.f.alu(AluOp::Arsh, v, 63);
        let size = self.magnitude(v, sign);
        // 1 where the magnitude is not zero.
        let neg = self.f.alu(AluOp::Neg, size, 0);
        let any = self.f.alu(AluOp::Or, size, neg);
        let mut sum = self.f.alu(AluOp::Rsh, any, 63);
        // Position of the highest bit, by halves: is the rest 2^k or more?
        let mut rest = size;
        for k in [32, 16, 8, 4, 2, 1] {
            let high = self.f.alu(AluOp::Rsh, rest, k);
            // 1 where high is not zero: the top bit of -high | high; rests are below 2^63 after the first step.
            let neg = self.f.alu(AluOp::Neg, high, 0);
            let bit = self.f.alu(AluOp::Rsh, neg, 63);
            let shift = self.f.alu(AluOp::Mul, bit, k);
            rest = self.f.alu(AluOp::Rsh, rest, shift);
            sum = self.f.alu(AluOp::Add, sum, shift);
        }
        // INT64_MIN's 64 belongs to the last bucket.
        let over = self.f.alu(AluOp::Rsh, sum, 6);
        let sum = self.f.alu(AluOp::Sub, sum, over);
        let signed = self.magnitude(sum, sign);
        let index = self.f.alu(AluOp::Add, signed, layout::QUANTIZE_ZERO as i32);
        self.f.alu(AluOp::And, index, 127)
    }

    fn lquantize(&mut self, p: V, v: V, by: V, (base, limit, step): (i32, i32, u32), atomic: bool) {
        let levels = (i64::from(limit) - i64::from(base)) / i64::from(step.max(1));
        let n = self.f.reg();
        let (above, ready, done) = (self.f.label(), self.f.label(), self.f.label());
        self.f.push(Inst::Const { d: n, v: 0 });
        self.f.branch(JmpOp::Slt, v, base, ready);
        self.f.branch(JmpOp::Sge, v, limit, above);
        let low = self.f.konst(i64::from(base) as u64);
        let from = self.f.alu(AluOp::Sub, v, low);
        let level = self.f.alu(AluOp::Div, from, step as i32);
        let level = self.f.alu(AluOp::Add, level, 1);
        self.f.copy_to(n, level);
        // Where the steps do not divide the range, the rest belongs to the last level's successor.
        self.f.branch(JmpOp::Le, n, levels as i32, ready);
        self.f.bind(above);
        self.f.push(Inst::Const {
            d: n,
            v: levels as u64 + 1,
        });
        self.f.bind(ready);
        // Tells the verifier what it knows no more after the merge.
        self.f.branch(JmpOp::Gt, n, levels as i32 + 1, done);
        self.bucket(p, n, by, atomic);
        self.f.bind(done);
    }

    /// Finds the last bound not above `v` by halving a table, without branches.
    fn llquantize(&mut self, p: V, v: V, by: V, bounds: &[i64], atomic: bool) {
        let n = self.f.reg();
        let (ready, above, done) = (self.f.label(), self.f.label(), self.f.label());
        let (first, last) = (bounds[0], bounds[bounds.len() - 1]);
        self.f.push(Inst::Const { d: n, v: 0 });
        let first = self.f.konst(first as u64);
        self.f.branch(JmpOp::Slt, v, first, ready);
        let last_v = self.f.konst(last as u64);
        self.f.branch(JmpOp::Sge, v, last_v, above);
        let size = bounds.len().next_power_of_two().max(2);
        let mut table = bounds.to_vec();
        table.resize(size, i64::MAX);
        let off = self.plan.rodata.longs(&table);
        let mut index = self.f.konst(0);
        let mut half = size / 2;
        while half > 0 {
            let probe = self.f.alu(AluOp::Add, index, half as i32);
            let probe = self.f.alu(AluOp::And, probe, size as i32 - 1);
            let at = self.f.alu(AluOp::Lsh, probe, 3);
            let base = self.f.map_value(self.plan.rodata_map, off);
            let at = self.f.alu(AluOp::Add, base, at);
            let bound = self.f.load(at, 0, Width::DW);
            // All ones where v < bound; neither is negative, so nothing overflows.
            let under = self.f.alu(AluOp::Sub, v, bound);
            let under = self.f.alu(AluOp::Arsh, under, 63);
            let step = self.f.alu(AluOp::Xor, under, -1);
            let step = self.f.alu(AluOp::And, step, half as i32);
            index = self.f.alu(AluOp::Add, index, step);
            half /= 2;
        }
        let found = self.f.alu(AluOp::Add, index, 1);
        self.f.copy_to(n, found);
        self.f.jump(ready);
        self.f.bind(above);
        self.f.push(Inst::Const {
            d: n,
            v: bounds.len() as u64,
        });
        self.f.bind(ready);
        self.f.branch(JmpOp::Gt, n, bounds.len() as i32, done);
        self.bucket(p, n, by, atomic);
        self.f.bind(done);
    }

    /// `[n, Σ, Σx² low, Σx² high]`.
    fn stddev(&mut self, p: V, v: V, by: V, atomic: bool) {
        self.add(p, 0, by, atomic);
        self.add(p, 8, v, atomic);
        let sign = self.f.alu(AluOp::Arsh, v, 63);
        let size = self.magnitude(v, sign);
        let low = self.f.ext(size, 4, false);
        let high = self.f.alu(AluOp::Rsh, size, 32);
        // (high·2^32 + low)² = high²·2^64 + 2·high·low·2^32 + low²
        let ll = self.f.alu(AluOp::Mul, low, low);
        let hl = self.f.alu(AluOp::Mul, high, low);
        let hh = self.f.alu(AluOp::Mul, high, high);
        let up = self.f.alu(AluOp::Lsh, hl, 33);
        let square_low = self.f.alu(AluOp::Add, ll, up);
        let carry = self.carry(ll, up, square_low);
        let top = self.f.alu(AluOp::Rsh, hl, 31);
        let square_high = self.f.alu(AluOp::Add, hh, top);
        let square_high = self.f.alu(AluOp::Add, square_high, carry);
        let old = self.f.load(p, 16, Width::DW);
        let new = self.f.alu(AluOp::Add, old, square_low);
        let carry = self.carry(old, square_low, new);
        self.f.store(p, 16, Width::DW, new);
        let old = self.f.load(p, 24, Width::DW);
        let sum = self.f.alu(AluOp::Add, old, square_high);
        let sum = self.f.alu(AluOp::Add, sum, carry);
        self.f.store(p, 24, Width::DW, sum);
    }

    /// Carry out of `a + b = sum`.
    fn carry(&mut self, a: V, b: V, sum: V) -> V {
        let both = self.f.alu(AluOp::And, a, b);
        let either = self.f.alu(AluOp::Or, a, b);
        let not = self.f.alu(AluOp::Xor, sum, -1);
        let lost = self.f.alu(AluOp::And, either, not);
        let c = self.f.alu(AluOp::Or, both, lost);
        self.f.alu(AluOp::Rsh, c, 63)
    }
}
