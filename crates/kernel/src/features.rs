//! What the running kernel can do, found by trying; each answer is kept.
//!
//! Versions and configuration files lie (back-ports, lockdown, seccomp), a trial does not. Nothing is tried before
//! somebody asks.

use std::os::fd::AsFd;
use std::sync::OnceLock;

use bpf::{Helper, Insn, Reg, Width};
use sys::bpf::{
    ATTACH_KPROBE_MULTI, ATTACH_TRACE_FENTRY, ATTACH_TRACE_RAW_TP, ATTACH_UPROBE_MULTI, Batch, Map,
    MapSpec, ProgSpec, Uprobes, link_uprobes, map_flag, map_type, prog_load, prog_type,
};
use sys::{SysError, errno};

use crate::error::LoadError;
use crate::types::{self, Files};
use btf::{BtfKind, BtfLoader};

/// Features of the running kernel, with memory.
#[derive(Debug, Default)]
pub struct Features {
    tp_btf: OnceLock<bool>,
    task_storage: OnceLock<bool>,
    ring_buffer: OnceLock<bool>,
    batch: OnceLock<bool>,
    lazy_aggregations: OnceLock<bool>,
    strncmp: OnceLock<bool>,
    kallsyms: OnceLock<bool>,
    trampolines: OnceLock<Result<(), String>>,
    function_links: OnceLock<bool>,
    uprobe_multi: OnceLock<bool>,
    harmful_calls: OnceLock<bool>,
}

/// Features of the kernel this process runs on.
pub fn features() -> &'static Features {
    static FEATURES: OnceLock<Features> = OnceLock::new();
    FEATURES.get_or_init(Features::default)
}

impl Features {
    /// Tracepoints with typed arguments (`BPF_TRACE_RAW_TP`).
    pub fn tp_btf(&self) -> bool {
        *self.tp_btf.get_or_init(|| try_tp_btf().unwrap_or(false))
    }

    /// Task-local storage for tracing programs.
    pub fn task_storage(&self) -> bool {
        *self
            .task_storage
            .get_or_init(|| crate::maps::try_task_storage().is_ok())
    }

    /// BPF ring buffers.
    pub fn ring_buffer(&self) -> bool {
        *self.ring_buffer.get_or_init(|| {
            let size = sys::mem::page_size() as u32;
            Map::create(&spec(map_type::RINGBUF, 0, 0, size), 1).is_ok()
        })
    }

    /// Batched reads of per-CPU hashes.
    pub fn batch(&self) -> bool {
        *self.batch.get_or_init(|| {
            let map = Map::create(
                &spec(map_type::PERCPU_HASH, 8, 8, 4),
                sys::proc::possible_cpus(),
            );
            map.is_ok_and(|map| map.lookup_batch(&mut Batch::new(&map, 4)).is_ok())
        })
    }

    /// Aggregation entries made on demand from any kind of program, interrupts included.
    pub fn lazy_aggregations(&self) -> bool {
        *self
            .lazy_aggregations
            .get_or_init(|| try_lazy_aggregations().is_ok())
    }

    /// The helper `bpf_strncmp`.
    pub fn strncmp(&self) -> bool {
        *self.strncmp.get_or_init(|| try_strncmp().is_ok())
    }

    /// One link to many user-space points (Linux 6.6).
    pub fn uprobe_multi(&self) -> bool {
        *self.uprobe_multi.get_or_init(try_uprobe_multi)
    }

    /// A breakpoint on a no-op of five bytes becomes a call (Linux 6.18 on x86-64, until that was mended), which overwrites
    /// what is below the thread's stack pointer, and leads nowhere in children.
    pub fn harmful_calls(&self) -> bool {
        let tried = || self.uprobe_multi() && try_calls().unwrap_or(false);
        *self.harmful_calls.get_or_init(tried)
    }

    /// Kernel symbols with their addresses.
    pub fn kallsyms(&self) -> bool {
        *self.kallsyms.get_or_init(|| {
            use std::io::Read;
            let mut start = Vec::new();
            let file = std::fs::File::open(crate::kallsyms::PATH);
            let read = file.and_then(|file| file.take(4096).read_to_end(&mut start));
            read.is_ok()
                && start
                    .split(|b| *b == b'\n')
                    .any(|line| line.iter().take(16).any(|b| !b"0 ".contains(b)))
        })
    }

    /// Programs of their own at kernel functions (fentry, fexit).
    pub fn trampolines(&self) -> bool {
        self.trampolines.get_or_init(try_trampoline).is_ok()
    }

    /// Why there are none; empty if there are.
    pub fn trampoline_error(&self) -> &str {
        let tried = self.trampolines.get_or_init(try_trampoline);
        tried.as_ref().err().map_or("", String::as_str)
    }

    /// One program at many kernel functions by one link (kprobe.multi).
    pub fn function_links(&self) -> bool {
        *self
            .function_links
            .get_or_init(|| try_function_links().unwrap_or(false))
    }

    /// One program at many kernel functions by an event for each. (Tried last where it matters: an event that is made
    /// in vain takes a grace period of the kernel to go.)
    pub fn kprobes(&self) -> bool {
        sys::perf::kprobe_source().is_some()
    }

    /// Refuses kernels that are too old for more than the simplest program, whatever this one needs: all that came
    /// together with what is tried here.
    pub fn refuse_old(&self) -> Result<(), LoadError> {
        match crate::maps::try_task_storage() {
            Err(error) if error.errno == errno::EINVAL => Err(LoadError::Unsupported {
                missing: "task-local storage for BPF; tracing needs Linux 5.15 or newer",
                detail: sys::proc::uname().release,
            }),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Whether tracing can work at all; else one error that says what is missing.
    pub fn check(&self) -> Result<(), LoadError> {
        let code = encode(&[Insn::mov(Reg::R0, 0), Insn::exit()]);
        match load(prog_type::RAW_TRACEPOINT, &code) {
            Ok(()) => {}
            Err(e) if e.is_privilege() && !sys::proc::may_trace() => {
                return Err(LoadError::Privilege);
            }
            Err(e) if e.errno == errno::EINVAL => {
                return Err(missing("raw tracepoint programs (Linux 4.17)", e));
            }
            Err(e) if e.errno == errno::ENOSYS => {
                return Err(missing("bpf(2) (CONFIG_BPF_SYSCALL)", e));
            }
            Err(e) => return Err(e.into()),
        }
        let lacks = |missing| LoadError::Unsupported {
            missing,
            detail: sys::proc::uname().release,
        };
        if !types::path(btf::VMLINUX).exists() {
            return Err(lacks("BTF type information (CONFIG_DEBUG_INFO_BTF)"));
        }
        if !self.ring_buffer() {
            return Err(lacks("BPF ring buffers (Linux 5.8)"));
        }
        Ok(())
    }
}

fn missing(missing: &'static str, error: SysError) -> LoadError {
    LoadError::Unsupported {
        missing,
        detail: error.to_string(),
    }
}

fn spec(kind: u32, key_size: u32, value_size: u32, max_entries: u32) -> MapSpec<'static> {
    MapSpec {
        kind,
        name: "probe",
        key_size,
        value_size,
        max_entries,
        ..MapSpec::default()
    }
}

pub(crate) fn encode(insns: &[Insn]) -> Vec<u8> {
    crate::load::bytes(insns)
}

fn load(kind: u32, code: &[u8]) -> Result<(), SysError> {
    prog_load(
        &ProgSpec {
            kind,
            name: "probe",
            insns: code,
            ..ProgSpec::default()
        },
        None,
    )
    .map(drop)
}

/// A directory cannot have points; only a kernel that knows the command says so.
fn try_uprobe_multi() -> bool {
    let code = encode(&[Insn::mov(Reg::R0, 0), Insn::exit()]);
    let spec = ProgSpec {
        kind: prog_type::KPROBE,
        name: "try",
        insns: &code,
        attach_type: ATTACH_UPROBE_MULTI,
        ..ProgSpec::default()
    };
    let points = Uprobes {
        path: "/",
        offsets: &[0],
        semaphores: &[],
        cookies: &[0],
        ret: false,
        pid: None,
    };
    let refused = |program: std::os::fd::OwnedFd| link_uprobes(program.as_fd(), &points).err();
    let error = prog_load(&spec, None).ok().and_then(refused);
    error.is_some_and(|e| e.errno == errno::EBADF)
}

/// Probes a no-op of this program's own.
fn try_calls() -> Option<bool> {
    let site = sys::site::Site::get()?;
    let code = encode(&[Insn::mov(Reg::R0, 0), Insn::exit()]);
    let spec = ProgSpec {
        kind: prog_type::KPROBE,
        name: "try",
        insns: &code,
        attach_type: ATTACH_UPROBE_MULTI,
        ..ProgSpec::default()
    };
    let points = Uprobes {
        path: "/proc/self/exe",
        offsets: &[site.file_offset()?],
        semaphores: &[],
        cookies: &[0],
        ret: false,
        pid: Some(std::process::id()),
    };
    let program = prog_load(&spec, None).ok()?;
    let _link = link_uprobes(program.as_fd(), &points).ok()?;
    // The first hit is that of the breakpoint; then it is replaced.
    site.run();
    site.run();
    Some(site.is_call())
}

fn try_tp_btf() -> Option<bool> {
    let id = Files::default().vmlinux()?.tracepoint_id("sched_switch")?;
    let code = encode(&[Insn::mov(Reg::R0, 0), Insn::exit()]);
    let spec = ProgSpec {
        kind: prog_type::TRACING,
        name: "probe",
        insns: &code,
        attach_type: ATTACH_TRACE_RAW_TP,
        attach_btf_id: id,
        ..ProgSpec::default()
    };
    Some(prog_load(&spec, None).is_ok())
}

/// A function of the kernel that exists for trials.
const TRIAL: &str = "bpf_fentry_test1";

fn try_trampoline() -> Result<(), String> {
    let types = Files::default().vmlinux();
    let id = types.and_then(|types| types.find(BtfKind::Func, TRIAL));
    let id = id.ok_or("there are no type data of functions")?;
    let code = encode(&[Insn::mov(Reg::R0, 0), Insn::exit()]);
    let spec = ProgSpec {
        kind: prog_type::TRACING,
        name: "probe",
        insns: &code,
        attach_type: ATTACH_TRACE_FENTRY,
        attach_btf_id: id,
        ..ProgSpec::default()
    };
    let told = |e: SysError| sys::error::text(e.errno);
    let program = prog_load(&spec, None).map_err(told)?;
    // Kernels for x86-64 that load such programs also attach them; on arm64 that came later.
    if cfg!(target_arch = "aarch64") {
        sys::bpf::raw_tracepoint_open(None, program.as_fd()).map_err(told)?;
    }
    Ok(())
}

fn try_function_links() -> Option<bool> {
    let code = encode(&[Insn::mov(Reg::R0, 0), Insn::exit()]);
    let spec = ProgSpec {
        kind: prog_type::KPROBE,
        name: "probe",
        insns: &code,
        attach_type: ATTACH_KPROBE_MULTI,
        ..ProgSpec::default()
    };
    let program = prog_load(&spec, None).ok()?;
    Some(sys::bpf::knows_function_links(program.as_fd()))
}

/// Adds an element to a hash that allocates on demand, from a perf-event program: the case that kernels refuse which
/// cannot do it everywhere.
fn try_lazy_aggregations() -> Result<(), SysError> {
    use std::os::fd::AsRawFd;
    let mut map = spec(map_type::PERCPU_HASH, 8, 8, 4);
    map.flags = map_flag::NO_PREALLOC;
    let map = Map::create(&map, sys::proc::possible_cpus())?;
    let mut code = vec![Insn::st(Width::DW, Reg::R10, -8, 0)];
    let [mut first, second] = Insn::ld_map(Reg::R1);
    first.imm = map.fd().as_raw_fd();
    code.extend([first, second]);
    code.extend([
        Insn::mov(Reg::R2, Reg::R10),
        Insn::alu64(bpf::AluOp::Add, Reg::R2, -8),
        Insn::mov(Reg::R3, Reg::R2),
        Insn::mov(Reg::R4, 0),
        Insn::call(Helper::MapUpdateElem.id()),
        Insn::mov(Reg::R0, 0),
        Insn::exit(),
    ]);
    load(prog_type::PERF_EVENT, &encode(&code))
}

fn try_strncmp() -> Result<(), SysError> {
    use std::os::fd::AsRawFd;
    let mut constants = spec(map_type::ARRAY, 4, 8, 1);
    constants.flags = map_flag::RDONLY_PROG;
    let constants = Map::create(&constants, 1)?;
    constants.update(&[0; 4], b"probe\0\0\0")?;
    constants.freeze()?;
    let mut code = vec![
        Insn::st(Width::DW, Reg::R10, -8, 0),
        Insn::mov(Reg::R1, Reg::R10),
        Insn::alu64(bpf::AluOp::Add, Reg::R1, -8),
        Insn::mov(Reg::R2, 8),
    ];
    let [mut first, second] = Insn::ld_map_value(Reg::R3, 0);
    first.imm = constants.fd().as_fd().as_raw_fd();
    code.extend([first, second]);
    code.extend([
        Insn::call(Helper::Strncmp.id()),
        Insn::mov(Reg::R0, 0),
        Insn::exit(),
    ]);
    load(prog_type::RAW_TRACEPOINT, &encode(&code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_privilege_is_one_clear_message() {
        if sys::proc::may_trace() {
            assert!(features().check().is_ok());
        } else {
            let message = features().check().err().map(|e| e.to_string());
            assert_eq!(
                message.as_deref(),
                Some("DTrace requires additional privileges")
            );
        }
    }

    #[test]
    fn a_refused_trial_is_a_missing_feature() {
        let refuse = |name: &'static str| name.starts_with("bpf(").then_some(errno::EINVAL);
        sys::seam::with_hook(Box::new(refuse), || {
            let features = Features::default();
            assert!(!features.tp_btf() && !features.task_storage() && !features.ring_buffer());
            assert!(!features.batch() && !features.lazy_aggregations() && !features.strncmp());
            assert!(!features.trampolines() && !features.function_links());
            assert!(matches!(
                features.check(),
                Err(LoadError::Unsupported { .. })
            ));
        });
    }
}
