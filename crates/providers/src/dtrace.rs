//! `dtrace:::BEGIN`, `dtrace:::END` and `dtrace:::ERROR`.
//!
//! ERROR's arguments are context words: arg1 enabled-probe id, arg2 action number, arg3 program offset, arg4 fault
//! code, arg5 faulting address. The code generator, which compiles ERROR clauses into the fault paths, supplies them.

use crate::stability::{Attributes, Class, Level, Stability};
use crate::{Arg, Env, Error, Provider, Spec, ids};
use image::{ArgSource, Probe, Site};

const STABLE: Attributes = Attributes::both(Level::Stable, Class::Common);
const PRIVATE: Attributes = Attributes::both(Level::Private, Class::Unknown);
const STABILITY: Stability = Stability {
    provider: STABLE,
    module: PRIVATE,
    function: PRIVATE,
    name: STABLE,
    args: STABLE,
};

const PROBES: [(&str, Site); 3] = [
    ("BEGIN", Site::Begin),
    ("END", Site::End),
    ("ERROR", Site::Error),
];

/// Whether the name belongs to this provider alone.
pub(crate) fn reserves(name: &str) -> bool {
    PROBES.iter().any(|(own, _)| *own == name)
}

/// The provider.
pub(crate) struct Dtrace;

impl Dtrace {
    fn probes(&self) -> impl Iterator<Item = Probe> {
        PROBES
            .into_iter()
            .zip(ids::DTRACE..)
            .map(|((name, site), id)| Probe {
                id,
                provider: "dtrace".into(),
                module: "".into(),
                function: "".into(),
                name: name.into(),
                site,
                selector: 0,
                points: Default::default(),
            })
    }
}

impl Provider for Dtrace {
    fn name(&self) -> &'static str {
        "dtrace"
    }

    fn stability(&self) -> &'static Stability {
        &STABILITY
    }

    fn find(&mut self, spec: &Spec, _: &mut dyn Env) -> Result<Vec<Probe>, Error> {
        Ok(self.probes().filter(|probe| spec.matches(probe)).collect())
    }

    fn by_id(&mut self, id: u32, _: &mut dyn Env) -> Option<Probe> {
        self.probes().find(|probe| probe.id == id)
    }

    fn args(&self, _: &Probe, _: &mut dyn Env) -> Result<Vec<Arg>, Error> {
        Ok(Vec::new())
    }

    fn raw_args(&self, probe: &Probe, _: &mut dyn Env) -> Vec<ArgSource> {
        if probe.site != Site::Error {
            return Vec::new();
        }
        std::iter::once(ArgSource::Zero)
            .chain((1..=5).map(ArgSource::CtxWord))
            .collect()
    }
}
