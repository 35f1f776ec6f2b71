//! Which sites there are, and what happens at each.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use image::{Operand, Site};
use sema::hir::{Place, Program};

use crate::points;

/// A site and the probes enabled there.
pub struct SitePlan {
    /// Where.
    pub site: Site,
    /// Program name.
    pub name: String,
    /// Where a selector says which probe fires: those with the same clauses, by clause list. Else each probe's place, in the
    /// order in which they fire.
    pub groups: Vec<Group>,
    /// Set-ups (indices into [`Program::setups`]) that run before the probes.
    pub before: Vec<usize>,
    /// Set-ups that run after them.
    pub after: Vec<usize>,
    /// What its clauses are found to use, once asked for.
    pub uses: OnceCell<Uses>,
}

/// What the clauses of a site use, all parts of it alike.
pub struct Uses {
    /// Something that is read through a pointer that the kernel vouches for.
    pub typed: bool,
    /// Clause-local variables.
    pub locals: Vec<u32>,
}

/// Probes of a site that enable the same clauses.
pub struct Group {
    /// Indices into [`Program::probes`].
    pub probes: Vec<u32>,
    /// Indices into [`Program::clauses`], in firing order.
    pub clauses: Vec<u32>,
    /// Which of the places of each of its probes this is.
    pub place: usize,
    /// The points of user-space probes that it is for: index of the probe, and of the point among the probe's.
    pub points: Vec<(u32, u32)>,
    /// Where the arguments of those points are (those that the clauses use).
    pub operands: Arc<[Operand]>,
}

/// What happens at a site: a group's clauses and place, then its probes.
#[derive(Default)]
struct Happens {
    groups: BTreeMap<(Order, Vec<u32>, usize), Vec<u32>>,
    before: Vec<usize>,
    after: Vec<usize>,
}

/// Probes by the clauses they enable.
fn by_clauses(
    groups: BTreeMap<(Order, Vec<u32>, usize), Vec<u32>>,
) -> BTreeMap<Vec<u32>, Vec<u32>> {
    let groups = groups.into_iter();
    groups
        .map(|((_, clauses, _), probes)| (clauses, probes))
        .collect()
}

/// Where all probes of a site fire, they do so one by one, in the order of their ids.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    /// Any, together with others.
    Selected,
    /// Place in the list of probes.
    Each(u32),
}

/// Clauses that fire together.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// Those of this group.
    pub group: usize,
    /// For this probe; `None` where a selector says which.
    pub probe: Option<u32>,
}

/// Whether a selector says which of a site's probes fires.
pub fn selects(site: &Site) -> bool {
    match site {
        Site::SyscallEntry | Site::SyscallReturn | Site::User | Site::KernelFunctions { .. } => {
            true
        }
        Site::Begin
        | Site::End
        | Site::Error
        | Site::Tick { .. }
        | Site::Profile { .. }
        | Site::Counter(_)
        | Site::KernelFunction { .. }
        | Site::KernelProbe { .. }
        | Site::UserPlace { .. }
        | Site::Tracepoint { .. } => false,
    }
}

impl SitePlan {
    /// Every site that needs a program, BEGIN and END first.
    pub fn all(p: &Program) -> Vec<SitePlan> {
        let mut by_probe: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (n, c) in p.clauses.iter().enumerate() {
            for probe in &c.probes {
                by_probe.entry(*probe).or_default().push(n as u32);
            }
        }
        let mut sites: BTreeMap<Site, Happens> = BTreeMap::new();
        for (probe, clauses) in by_probe {
            let places = p.probes[probe as usize].places.iter().enumerate();
            for (n, place) in places.filter(|(_, place)| place.site != Site::Error) {
                let order = if selects(&place.site) {
                    Order::Selected
                } else {
                    Order::Each(probe)
                };
                let here = |c: &&u32| {
                    let only = p.clauses[**c as usize].place;
                    only.is_none_or(|only| only as usize == n)
                };
                let clauses = clauses.iter().filter(here).copied().collect();
                let site = sites.entry(place.site.clone()).or_default();
                let group = site.groups.entry((order, clauses, n));
                group.or_default().push(probe);
            }
        }
        for (n, setup) in p.setups.iter().enumerate() {
            let site = sites.entry(setup.place.site.clone()).or_default();
            let list = if setup.after {
                &mut site.after
            } else {
                &mut site.before
            };
            list.push(n);
        }
        let plan = |(n, (site, happens)): (usize, (Site, Happens))| SitePlan {
            name: format!("dtrace_{n}"),
            groups: match site {
                Site::User => points::groups(p, by_clauses(happens.groups)),
                _ => happens.groups.into_iter().map(whole).collect(),
            },
            site,
            before: happens.before,
            after: happens.after,
            uses: OnceCell::new(),
        };
        sites.into_iter().enumerate().map(plan).collect()
    }

    /// What fires one after the other, or instead of each other where a selector says which.
    pub fn segments(&self) -> Vec<Segment> {
        let groups = self.groups.iter().enumerate();
        if selects(&self.site) {
            return groups
                .map(|(group, _)| Segment { group, probe: None })
                .collect();
        }
        let of = |(group, g): (usize, &Group)| {
            let segment = move |p: &u32| Segment {
                group,
                probe: Some(*p),
            };
            g.probes.iter().map(segment).collect::<Vec<_>>()
        };
        groups.flat_map(of).collect()
    }

    /// The program behind `vtimestamp`.
    pub fn clock() -> SitePlan {
        let site = Site::Tracepoint {
            name: "sched_switch".into(),
            module: None,
        };
        SitePlan {
            site,
            name: "dtrace_clock".into(),
            groups: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            uses: OnceCell::new(),
        }
    }

    /// The places of its probes and set-ups.
    pub fn places<'p>(&'p self, p: &'p Program) -> impl Iterator<Item = &'p Place> {
        let of_group = move |g: &'p Group| {
            let probes = g.probes.iter().filter_map(|i| p.probes.get(*i as usize));
            probes.filter_map(move |e| e.places.get(g.place))
        };
        let setups = self.before.iter().chain(&self.after);
        let setups = setups.filter_map(|n| p.setups.get(*n));
        let groups = self.groups.iter().flat_map(of_group);
        groups.chain(setups.map(|s| &s.place))
    }

    /// Its clauses, ascending.
    pub fn clauses(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self
            .groups
            .iter()
            .flat_map(|g| g.clauses.iter().copied())
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

fn whole(((_, clauses, place), probes): ((Order, Vec<u32>, usize), Vec<u32>)) -> Group {
    Group {
        probes,
        clauses,
        place,
        points: Vec::new(),
        operands: Arc::default(),
    }
}
