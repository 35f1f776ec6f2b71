//! The running kernel as an [`Env`]: BTF for tracepoints and their parameters, tracefs for event groups.

use crate::env::{FoundFunctions, FunctionMeans, KernelFunction, KernelText, Signature};
use crate::everywhere::Everywhere;
use crate::functions::{self, Functions, points_to_struct};
use crate::tracefs::Groups;
use crate::{
    Arch, Env, Glob, Group, KernelBtf, Module, Param, PmuEvent, Process, Tracepoint, usdt,
};
use btf::{Btf, BtfKind};
use image::Counter;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::time::{Duration, Instant};
use symbols::Files;
use symbols::events::{Event, Told};
use sys::perf::Attr;

/// What precedes the tracepoint's name in the name of the type of its function.
const PREFIX: &str = "btf_trace_";

/// Old processes are looked at one in so many looks.
const TURNS: u32 = 64;
/// A process is young for so long.
const YOUNG: Duration = Duration::from_secs(1);

/// A pass over all types is cheaper than to build the index of their names, up to this many passes.
const SEARCHES_MAX: u32 = 4;

/// The running kernel. Nothing is opened before it is needed.
pub struct LinuxEnv {
    btf: Rc<KernelBtf>,
    groups: Groups,
    all: Option<Rc<[Tracepoint]>>,
    pmu: Option<Rc<[PmuEvent]>>,
    text: Box<dyn KernelText>,
    functions: Functions,
    /// Tracepoints whose parameters were looked for so far.
    searches: u32,
    files: Files,
    /// Those asked for, and since when.
    processes: HashMap<u32, (Rc<Process>, Instant)>,
    looks: u32,
    asked_all: bool,
    everywhere: Everywhere,
    lists: bool,
    hidden: HashSet<String>,
}

impl LinuxEnv {
    /// The kernel with these type data and functions.
    pub fn new(btf: Rc<KernelBtf>, text: Box<dyn KernelText>) -> LinuxEnv {
        LinuxEnv {
            btf,
            groups: Groups::default(),
            all: None,
            pmu: None,
            text,
            functions: Functions::default(),
            searches: 0,
            files: Files::default(),
            processes: HashMap::new(),
            looks: 0,
            asked_all: false,
            everywhere: Everywhere::default(),
            lists: false,
            hidden: HashSet::new(),
        }
    }

    fn list(&self) -> Result<Vec<Tracepoint>, String> {
        let vmlinux = self.btf.vmlinux()?;
        let mut list = Vec::new();
        append(&mut list, &vmlinux, None);
        for module in self.btf.modules() {
            // A module may have gone since the directory was read.
            if let Ok(btf) = self.btf.module(module) {
                append(&mut list, &btf, Some(module));
            }
        }
        Ok(list)
    }

    /// Looks again at a process; whether it has code that it had not before.
    fn has_grown(&mut self, pid: u32) -> bool {
        let Some((known, _)) = self.processes.get_mut(&pid) else {
            return false;
        };
        let grown = known.grown(pid, &self.files);
        let changed = grown.is_some();
        if let Some(grown) = grown {
            *known = Rc::new(grown);
        }
        changed
    }

    /// Whether a process that was not asked for so far has probes of its own.
    fn has_probes(&mut self, pid: u32) -> bool {
        let process = self.process(pid);
        process.is_ok_and(|p| p.modules.iter().any(|m| usdt::has_probes(&m.elf)))
    }
}

/// Numbers of all processes but this one.
fn running() -> Vec<u32> {
    let own = std::process::id();
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|e| e.file_name().to_str()?.parse().ok());
    let mut all: Vec<u32> = numbers.filter(|pid| *pid != own).collect();
    all.sort_unstable();
    all
}

fn append(list: &mut Vec<Tracepoint>, btf: &Btf, module: Option<&str>) {
    for (name, index) in btf.tracepoints().zip(list.len() as u32..) {
        list.push(Tracepoint {
            name: name.to_owned(),
            module: module.map(str::to_owned),
            index,
        });
    }
}

/// Types of a tracepoint's parameters behind the kernel's own `void *`, without the index of all names.
fn searched_params(btf: &Btf, tracepoint: &str) -> Option<Vec<u32>> {
    let named = |ty: &btf::Type<'_>| ty.name().strip_prefix(PREFIX) == Some(tracepoint);
    let typedef = btf
        .types()
        .find(|ty| ty.kind() == BtfKind::Typedef && named(ty))?;
    let pointer = btf
        .ty(typedef.target()?)
        .ok()
        .filter(|ty| ty.kind() == BtfKind::Ptr)?;
    let proto = btf.proto(pointer.target()?).ok()?;
    Some(
        proto
            .params
            .into_iter()
            .skip(1)
            .map(|param| param.ty)
            .collect(),
    )
}

impl Env for LinuxEnv {
    fn arch(&self) -> Arch {
        Arch::HOST
    }

    fn tracepoints(&mut self) -> Result<Rc<[Tracepoint]>, String> {
        if let Some(all) = &self.all {
            return Ok(Rc::clone(all));
        }
        let all: Rc<[Tracepoint]> = self.list()?.into();
        self.all = Some(Rc::clone(&all));
        Ok(all)
    }

    fn hide(&mut self, name: &str) {
        self.hidden.insert(name.to_owned());
    }

    fn tracepoint(&mut self, name: &str) -> Result<Option<Tracepoint>, String> {
        if self.hidden.contains(name) {
            return Ok(None);
        }
        if self.all.is_none() {
            let vmlinux = self.btf.vmlinux()?;
            if let Some((index, _)) = (0..)
                .zip(vmlinux.tracepoints())
                .find(|(_, own)| *own == name)
            {
                return Ok(Some(Tracepoint {
                    name: name.to_owned(),
                    module: None,
                    index,
                }));
            }
        }
        Ok(self
            .tracepoints()?
            .iter()
            .find(|tracepoint| tracepoint.name == name)
            .cloned())
    }

    fn params(&mut self, name: &str, module: Option<&str>) -> Result<Vec<Param>, String> {
        let btf = match module {
            Some(module) => self.btf.module(module)?,
            None => self.btf.vmlinux()?,
        };
        let unknown = || format!("type data of the kernel do not describe tracepoint {name}");
        self.searches += 1;
        let types = if self.searches <= SEARCHES_MAX {
            searched_params(&btf, name)
        } else {
            let proto = btf.tracepoint_proto(name);
            proto.map(|proto| proto.params.iter().map(|param| param.ty).collect())
        };
        let types = types.ok_or_else(unknown)?;
        Ok(types
            .into_iter()
            .map(|ty| Param {
                ty,
                kernel_struct: points_to_struct(&btf, ty),
            })
            .collect())
    }

    fn group(&mut self, name: &str, hint: Option<&str>) -> Group {
        self.groups.of(name, hint)
    }

    fn function_means(&mut self) -> Result<FunctionMeans, String> {
        self.text.means()
    }

    fn functions(&mut self, module: &Glob, name: &Glob) -> Result<FoundFunctions, String> {
        self.functions
            .find(&self.btf, &mut *self.text, (module, name), self.lists)
    }

    fn typed_function(&mut self, name: &str) -> Option<KernelFunction> {
        if self.hidden.contains(name) {
            return None;
        }
        let found = functions::typed(&self.btf, &Glob::Any, name)?;
        let [only] = found.list.as_slice() else {
            return None;
        };
        Some(only.clone())
    }

    fn special_function(&mut self, name: &str) -> Option<KernelFunction> {
        if self.hidden.contains(name) {
            return None;
        }
        let found = self.functions(&Glob::Any, &Glob::new(&format!("{name}*")));
        let found = found.ok()?.list;
        let itself = found.iter().find(|f| *f.name == *name);
        let special = |f: &&KernelFunction| {
            let rest = f.name.strip_prefix(name);
            rest.is_some_and(|rest| rest.starts_with('.'))
        };
        let mut forms = found.iter().filter(special);
        let only = forms.next().filter(|_| forms.next().is_none());
        itself.or(only).cloned()
    }

    fn function_types(&mut self, index: u32, module: Option<&str>) -> Option<u32> {
        functions::types_of(&self.btf, index, module)
    }

    fn signature(&mut self, id: u32, module: Option<&str>) -> Result<Signature, String> {
        let btf = match module {
            Some(module) => self.btf.module(module)?,
            None => self.btf.vmlinux()?,
        };
        functions::signature(&btf, id)
            .ok_or_else(|| "type data of the kernel do not describe the function".to_owned())
    }

    fn takes_program(&mut self, function: &KernelFunction) -> bool {
        let id = function.types;
        id.is_some_and(|id| self.text.takes_program(id, function.module.as_deref()))
    }

    fn pmu_events(&mut self) -> Rc<[PmuEvent]> {
        Rc::clone(
            self.pmu
                .get_or_insert_with(|| counters::own_events(&counters::units()).into()),
        )
    }

    fn try_counter(&mut self, counter: &Counter) -> Result<(), i32> {
        let words = [counter.config, counter.config1, counter.config2];
        let attr =
            Attr::sampling(counter.kind, words, counter.period).only(counter.user, counter.kernel);
        let cpu = sys::proc::online_cpus().first().copied().unwrap_or(0);
        sys::perf::sampling(&attr, cpu)
            .map(drop)
            .map_err(|e| e.errno)
    }

    fn load_groups(&mut self) {
        self.groups.load();
    }

    fn watches(&self) -> bool {
        self.asked_all || self.everywhere.has_begun() || !self.processes.is_empty()
    }

    fn refresh(&mut self) -> bool {
        let mut changed = false;
        self.looks = self.looks.wrapping_add(1);
        let (all, turn) = (self.asked_all, self.looks % TURNS);
        // Where all are asked for, it is the young that change: a shell's child becomes another program.
        let due = self
            .processes
            .iter()
            .filter(|(pid, (_, since))| !all || *pid % TURNS == turn || since.elapsed() < YOUNG);
        for pid in due.map(|(pid, _)| *pid).collect::<Vec<_>>() {
            changed |= self.has_grown(pid);
        }
        if all || self.everywhere.has_begun() {
            let running = running();
            if self.everywhere.has_begun() {
                changed |= self.everywhere.look_at_all(&running);
            }
            let new = |pid: &u32| !self.processes.contains_key(pid);
            changed |= all && running.iter().any(new);
        }
        changed
    }

    fn heard(&mut self, events: &[Told]) -> bool {
        let mut changed = false;
        let mut touched = BTreeSet::new();
        for (_, event) in events {
            match event {
                Event::Map(pid, mapping) => {
                    if self.everywhere.has_begun() {
                        changed |= self.everywhere.look_at(*pid, mapping);
                    }
                    touched.insert(*pid);
                }
                Event::Exec(pid) | Event::Fork { pid, .. } => drop(touched.insert(*pid)),
                Event::Exit(_) => {}
                Event::Lost => return self.refresh() | changed,
            }
        }
        touched.remove(&std::process::id());
        for pid in touched {
            changed |= if self.processes.contains_key(&pid) {
                self.has_grown(pid)
            } else {
                self.asked_all && self.has_probes(pid)
            };
        }
        changed
    }

    fn lists(&self) -> bool {
        self.lists
    }

    fn begin_list(&mut self) {
        self.lists = true;
    }

    fn noted_files(&mut self) -> Vec<Module> {
        if !self.everywhere.has_begun() {
            self.everywhere.look_at_all(&running());
        }
        self.everywhere.found().to_vec()
    }

    fn processes(&mut self) -> Vec<u32> {
        self.asked_all = true;
        running()
    }

    fn process(&mut self, pid: u32) -> Result<Rc<Process>, String> {
        if let Some((known, _)) = self.processes.get(&pid) {
            return Ok(Rc::clone(known));
        }
        let process = Rc::new(Process::read(pid, &self.files).map_err(|e| e.to_string())?);
        self.processes
            .insert(pid, (Rc::clone(&process), Instant::now()));
        Ok(process)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Text;
    use crate::{Pattern, Registry};
    use image::{ArgSource, Probe};
    use std::path::Path;

    /// The running kernel, if it has type data.
    fn kernel() -> Option<LinuxEnv> {
        let here = Path::new("/sys/kernel/btf/vmlinux").exists();
        if !here {
            eprintln!("not run: this kernel has no BTF");
        }
        here.then(|| LinuxEnv::new(Rc::new(KernelBtf::new()), Box::new(Text)))
    }

    fn find(env: &mut LinuxEnv, text: &str) -> Vec<Probe> {
        Registry::new().find(&Pattern::parse(text), env).unwrap()
    }

    #[test]
    fn tracepoints_of_this_kernel() {
        let Some(mut env) = kernel() else { return };
        let all = find(&mut env, "sdt:::");
        assert!(all.len() > 500, "{}", all.len());
        let mut fresh = LinuxEnv::new(Rc::new(KernelBtf::new()), Box::new(Text));
        let [switch] = &find(&mut fresh, "sdt:::sched_switch")[..] else {
            panic!("one sched_switch")
        };
        assert!(
            all.contains(switch),
            "the short way gives the same probe: {switch:?}"
        );
        assert_eq!(
            find(&mut env, "sdt:sched::sched_switch"),
            std::slice::from_ref(switch)
        );
        assert_eq!(
            find(&mut env, "sdt:vmlinux::sched_switch"),
            std::slice::from_ref(switch)
        );
        assert_eq!(
            Registry::new().by_id(switch.id, &mut env).as_ref(),
            Some(switch)
        );
    }

    #[test]
    fn many_lookups_give_what_one_gives() {
        let mut env = LinuxEnv::new(Rc::new(KernelBtf::of(&btf::testworld())), Box::new(Text));
        let first = env.params("sched_process_exec", None).unwrap();
        let structures: Vec<bool> = first.iter().map(|param| param.kernel_struct).collect();
        assert_eq!(structures, [true, false, true]);
        for _ in 0..=SEARCHES_MAX {
            assert_eq!(env.params("sched_process_exec", None).unwrap(), first);
            assert!(env.params("no_such_tracepoint", None).is_err());
        }
        let module = env.params("testmod_event", Some(btf::TEST_MODULE)).unwrap();
        assert_eq!(module.len(), 2);
        assert!(env.params("testmod_event", None).is_err());
    }

    #[test]
    fn groups_of_this_kernel() {
        let Some(mut env) = kernel() else { return };
        match env.group("sched_switch", None) {
            Group::Named(group) => assert_eq!(group, "sched"),
            Group::Unknown => eprintln!("not run: tracefs cannot be read"),
            Group::None => panic!("sched_switch has no event"),
        }
    }

    #[test]
    fn arguments_of_this_kernel() {
        let Some(mut env) = kernel() else { return };
        let [switch] = &find(&mut env, "sdt:::sched_switch")[..] else {
            panic!("one sched_switch")
        };
        let args = Registry::new().args(switch, &mut env).unwrap();
        let trusted: Vec<bool> = args.iter().map(|arg| arg.trusted).collect();
        assert_eq!(trusted.get(..3), Some(&[false, true, true][..]));
        let words = Registry::new().raw_args(switch, &mut env);
        assert_eq!(words.len(), args.len());
        assert_eq!(words.first(), Some(&ArgSource::CtxWord(0)));
    }
}
