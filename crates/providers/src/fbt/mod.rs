//! `fbt:MODULE:FUNCTION:entry` and `:return`: any kernel function that can be probed.
//!
//! Functions have a program of their own (fentry, fexit: typed arguments, cheap) as long as they are few; one program
//! serves many of them through kprobes, and those that have no type data. Which it is, is decided by the session when it
//! knows how many are enabled; until then a probe says the former if both will do.

mod left_out;

pub(crate) use left_out::unsafe_to_probe;

use crate::stability::{Attributes, Class, Level, Stability};
use crate::{
    Arg, ArgType, Env, Error, FunctionMeans, Glob, KernelFunction, Provider, Signature, Spec, ids,
};
use image::{ArgSource, Probe, Site};
use std::sync::Arc;

const PRIVATE: Attributes = Attributes::both(Level::Private, Class::Unknown);
const STABILITY: Stability = Stability {
    provider: Attributes::both(Level::Evolving, Class::Isa),
    module: PRIVATE,
    function: PRIVATE,
    name: Attributes::both(Level::Evolving, Class::Isa),
    args: Attributes::both(Level::Private, Class::Isa),
};

const NAME: &str = "fbt";
const ENTRY: &str = "entry";
const RETURN: &str = "return";
/// Name of the kernel proper in the module field.
const VMLINUX: &str = "vmlinux";
/// Raw arguments D can name.
const RAW_ARGS: u8 = 10;
/// More than so many functions share one program where the kernel can do that.
const FEW: usize = 16;
/// Words of arguments that every kernel which gives functions programs passes on.
const PLAIN_WORDS: u8 = 5;

/// The provider.
#[derive(Default)]
pub(crate) struct Fbt {
    texts: Texts,
    /// What of the last descriptions cannot be probed.
    notes: Vec<String>,
}

/// Texts that all probes share.
struct Texts {
    provider: Arc<str>,
    vmlinux: Arc<str>,
    entry: Arc<str>,
    ret: Arc<str>,
}

impl Default for Texts {
    fn default() -> Texts {
        Texts {
            provider: NAME.into(),
            vmlinux: VMLINUX.into(),
            entry: ENTRY.into(),
            ret: RETURN.into(),
        }
    }
}

impl Texts {
    fn probe(&self, function: &KernelFunction, ret: bool, own: bool) -> Probe {
        let site = if own {
            Site::KernelFunction {
                name: function.name.to_string(),
                module: function.module.as_deref().map(str::to_owned),
                ret,
            }
        } else {
            Site::KernelFunctions { ret }
        };
        Probe {
            id: ids::FBT + function.index * 2 + u32::from(ret),
            provider: self.provider.clone(),
            module: function.module.as_ref().unwrap_or(&self.vmlinux).clone(),
            function: function.name.clone(),
            name: if ret { &self.ret } else { &self.entry }.clone(),
            site,
            selector: 0,
            points: Default::default(),
        }
    }
}

/// Which of a function's probes a description of a name wants: at its entry, at its return.
#[derive(Clone, Copy)]
struct Wanted {
    entry: bool,
    ret: bool,
}

impl Wanted {
    fn of(name: &Glob) -> Wanted {
        Wanted {
            entry: name.matches(ENTRY),
            ret: name.matches(RETURN),
        }
    }

    /// Of a function, whether it is the one at its return.
    fn of_function(self, name: &str) -> impl Iterator<Item = bool> {
        let ret = self.ret && !left_out::never_returns(name);
        let wanted = [self.entry.then_some(false), ret.then_some(true)];
        wanted.into_iter().flatten()
    }
}

/// Whether a function shall have a program of its own. What one takes that is named is found by trying.
fn own_program(
    function: &KernelFunction,
    means: FunctionMeans,
    exact: bool,
    env: &mut dyn Env,
) -> bool {
    let Some(id) = function.types.filter(|_| means.trampolines) else {
        return false;
    };
    let signature = env.signature(id, function.module.as_deref());
    let plain = signature.is_ok_and(|s| s.plain && s.words <= PLAIN_WORDS);
    (plain || !means.kprobes) && (!exact || env.takes_program(function))
}

impl Fbt {
    fn matching(
        &mut self,
        spec: &Spec,
        means: FunctionMeans,
        env: &mut dyn Env,
    ) -> Result<Vec<Probe>, Error> {
        let exact = spec.function.exact();
        let named = spec.provider.exact().is_some();
        if let (Some(reason), true) = (exact.and_then(unsafe_to_probe), named) {
            let function = exact.unwrap_or_default();
            return Err(Error::Kernel(format!(
                "{function} cannot be probed: {reason}"
            )));
        }
        let found = env
            .functions(&spec.module, &spec.function)
            .map_err(Error::Kernel)?;
        if found.left_out > 0 && exact.is_none() {
            self.notes.push(format!(
                "{} kernel functions that cannot be probed are left out",
                found.left_out
            ));
        }
        let wanted = Wanted::of(&spec.name);
        let each = usize::from(wanted.entry) + usize::from(wanted.ret);
        let mut list = Vec::with_capacity(found.list.len() * each);
        let few = found.list.len() <= FEW || !means.kprobes;
        for function in &found.list {
            let own = few && own_program(function, means, exact.is_some(), env);
            if own || means.kprobes {
                let wanted = wanted.of_function(&function.name);
                list.extend(wanted.map(|ret| self.texts.probe(function, ret, own)));
            }
        }
        if list.is_empty() && found.left_out > 0 && exact.is_some() && named {
            let function = exact.unwrap_or_default();
            return Err(Error::Kernel(format!(
                "{function} cannot be probed: the kernel does not allow it, or has several functions of this name"
            )));
        }
        Ok(list)
    }

    /// What of the descriptions so far cannot be probed.
    fn take(&mut self) -> Vec<String> {
        let mut notes = std::mem::take(&mut self.notes);
        notes.dedup();
        notes
    }
}

/// Whether the function field could be that of a kernel function and the name one of ours; spares looking where the
/// answer is clear.
fn plausible(spec: &Spec) -> bool {
    let name = spec.name.matches(ENTRY) || spec.name.matches(RETURN);
    name && spec.function.exact() != Some("")
}

impl Provider for Fbt {
    fn name(&self) -> &'static str {
        NAME
    }

    fn stability(&self) -> &'static Stability {
        &STABILITY
    }

    fn find(&mut self, spec: &Spec, env: &mut dyn Env) -> Result<Vec<Probe>, Error> {
        if !plausible(spec) {
            return Ok(Vec::new());
        }
        let found = match env.function_means() {
            Ok(means) => self.matching(spec, means, env),
            Err(why) => Err(Error::Kernel(why)),
        };
        match found {
            // Who did not name the provider may have meant others.
            Err(_) if spec.provider.exact().is_none() => Ok(Vec::new()),
            found => found,
        }
    }

    fn by_id(&mut self, id: u32, env: &mut dyn Env) -> Option<Probe> {
        let (index, ret) = (id.checked_sub(ids::FBT)? / 2, id % 2 == 1);
        let means = env.function_means().ok()?;
        let found = env.functions(&Glob::Any, &Glob::Any).ok()?;
        let function = found.list.into_iter().find(|f| f.index == index)?;
        let own = own_program(&function, means, true, env);
        let gone = ret && left_out::never_returns(&function.name);
        ((own || means.kprobes) && !gone).then(|| self.texts.probe(&function, ret, own))
    }

    fn args(&self, probe: &Probe, env: &mut dyn Env) -> Result<Vec<Arg>, Error> {
        let Some((signature, module)) = signature(probe, env) else {
            return Ok(Vec::new());
        };
        let typed = |id| ArgType::Btf {
            module: module.clone(),
            id,
        };
        if !is_return(&probe.site) {
            let args = signature.params.iter().map(|param| Arg {
                ty: typed(param.ty),
                user: false,
                source: ArgSource::FuncArg(param.word),
                trusted: param.kernel_struct,
            });
            return Ok(args.collect());
        }
        // Where a function returned cannot be told.
        let offset = Arg {
            ty: ArgType::C("uint64_t".to_owned()),
            user: false,
            source: ArgSource::Zero,
            trusted: false,
        };
        let value = signature.ret.map(|ret| Arg {
            ty: typed(ret),
            user: false,
            source: ArgSource::FuncRet {
                words: signature.words,
            },
            // It may be an error in the shape of a pointer.
            trusted: false,
        });
        Ok(std::iter::once(offset).chain(value).collect())
    }

    fn raw_args(&self, probe: &Probe, env: &mut dyn Env) -> Vec<ArgSource> {
        // The kernel refuses programs of their own that read more words than the function has.
        let words = match &probe.site {
            Site::KernelFunction { .. } => signature(probe, env).map_or(0, |(s, _)| s.words),
            _ => RAW_ARGS,
        };
        if is_return(&probe.site) {
            let words = if words == RAW_ARGS { 0 } else { words };
            return vec![ArgSource::Zero, ArgSource::FuncRet { words }];
        }
        (0..words.min(RAW_ARGS)).map(ArgSource::FuncArg).collect()
    }

    fn notes(&mut self) -> Vec<String> {
        self.take()
    }
}

fn is_return(site: &Site) -> bool {
    matches!(
        site,
        Site::KernelFunction { ret: true, .. } | Site::KernelFunctions { ret: true }
    )
}

/// Types of a probe's function, and the module whose they are; `None` if nobody knows them.
fn signature(probe: &Probe, env: &mut dyn Env) -> Option<(Signature, Option<String>)> {
    let module = (&*probe.module != VMLINUX).then(|| probe.module.to_string());
    let index = probe.id.checked_sub(ids::FBT)? / 2;
    let types = env.function_types(index, module.as_deref())?;
    Some((env.signature(types, module.as_deref()).ok()?, module))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::FixtureEnv;
    use crate::{Arch, Pattern};

    fn search(text: &str) -> (Result<Vec<Probe>, Error>, Vec<String>) {
        let mut provider = Fbt::default();
        let spec = Spec::new(&Pattern::parse(text)).expect("a description");
        let found = provider.find(&spec, &mut FixtureEnv::new(Arch::X86_64));
        (found, provider.notes())
    }

    fn names(text: &str) -> Vec<String> {
        let found = search(text).0.expect("functions can be probed");
        let name = |p: &Probe| format!("{}:{}:{}", p.module, p.function, p.name);
        found.iter().map(name).collect()
    }

    #[test]
    fn functions_by_name_module_and_glob() {
        assert_eq!(names("fbt::vfs_read:entry"), ["vmlinux:vfs_read:entry"]);
        assert_eq!(names("fbt:testmod::").len(), 2);
        assert_eq!(names("fbt:vmlinux:testmod_open:"), [""; 0]);
        assert_eq!(names("fbt::vfs_*:return").len(), 2);
        assert_eq!(names("fbt::do_exit:"), ["vmlinux:do_exit:entry"]);
        assert_eq!(names("vfs_read:entry").len(), 1);
        assert_eq!(names("tick-1s"), [""; 0]);
        // Only the list of what can be traced has it.
        assert_eq!(
            names("fbt::special.isra.0:entry"),
            ["vmlinux:special.isra.0:entry"]
        );
    }

    #[test]
    fn what_cannot_be_probed_is_counted_or_refused() {
        let (found, notes) = search("fbt:::entry");
        let found = found.expect("functions can be probed");
        assert!(found.iter().all(|p| &*p.function != "twin"));
        let [note] = notes.as_slice() else {
            panic!("{notes:?}")
        };
        assert!(note.contains("left out"), "{note}");
        for text in ["fbt::_raw_spin_lock:entry", "fbt::twin:entry"] {
            let error = search(text).0.expect_err(text).to_string();
            assert!(error.contains("cannot be probed"), "{error}");
        }
        assert_eq!(search("_raw_spin_lock:entry").0, Ok(Vec::new()));
    }

    #[test]
    fn ids_lead_back_and_do_not_depend_on_the_way() {
        let env = &mut FixtureEnv::new(Arch::X86_64);
        let mut provider = Fbt::default();
        let all = provider.find(&Spec::all(), env).expect("functions");
        assert!(all.is_sorted_by(|a, b| a.id < b.id));
        for probe in &all {
            assert_eq!(provider.by_id(probe.id, env).map(|p| p.id), Some(probe.id));
            let text = format!("fbt:{}:{}:{}", probe.module, probe.function, probe.name);
            let alone = search(&text).0.expect("a function");
            assert_eq!(alone.iter().map(|p| p.id).collect::<Vec<_>>(), [probe.id]);
        }
    }

    #[test]
    fn arguments_are_those_of_the_function() {
        let env = &mut FixtureEnv::new(Arch::X86_64);
        let provider = Fbt::default();
        let probe = |text| search(text).0.expect("a function").remove(0);
        let entry = probe("fbt::vfs_read:entry");
        let args = provider.args(&entry, env).expect("types");
        let sources: Vec<ArgSource> = args.iter().map(|a| a.source).collect();
        assert_eq!(sources, [0, 1, 2, 3].map(ArgSource::FuncArg));
        assert_eq!(
            args.iter().map(|a| a.trusted).collect::<Vec<_>>(),
            [true, false, false, false]
        );
        assert_eq!(provider.raw_args(&entry, env).len(), 4);
        let ret = probe("fbt::vfs_read:return");
        let args = provider.args(&ret, env).expect("types");
        assert_eq!(
            args.get(1).map(|a| a.source),
            Some(ArgSource::FuncRet { words: 4 })
        );
        assert_eq!(
            provider.raw_args(&ret, env).get(1),
            Some(&ArgSource::FuncRet { words: 4 })
        );
        let untyped = probe("fbt::special.isra.0:entry");
        assert_eq!(provider.args(&untyped, env), Ok(Vec::new()));
        assert_eq!(provider.raw_args(&untyped, env).len(), 10);
    }
}
