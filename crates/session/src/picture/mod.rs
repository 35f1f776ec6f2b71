//! Runs whose output is a picture (`-O flame`, `heatmap`, `trace`).
//!
//! [`plan`] says before tracing begins what will be drawn, or why nothing can be. The run gives what happens to a
//! [`Reader`], which draws when it ends; a timeline is written while it goes on. A file gets its name when it is whole:
//! what is cut short is never taken for a picture.

mod context;
mod measure;
mod output;
mod plan;

pub(crate) use context::add as record_threads;
pub use output::PictureFile;
pub use plan::{Picture, Plan, plan};

use crate::read::{Next, Reader, Reading, View};
use crate::trace::{Job, TraceError};
use crate::{Front, Session};
use consumer::events::{Event, Shown};
use lang::options::Opt;
use pictures::{About, flame, heatmap, trace};
use std::time::Duration;

/// Options of a flame graph: whole stacks, and room for many.
pub const ROOM: [(&str, &str); 4] = [
    ("stackframes", "127"),
    ("ustackframes", "127"),
    ("jstackframes", "127"),
    ("aggsize", "16m"),
];
/// Records held to be put in order are given to the timeline when there are so many.
const SORTED: usize = 1 << 22;

/// Traces until told to stop, and draws. Gives the status for `exit(2)`.
pub fn draw(
    session: &mut Session,
    job: Job,
    front: &mut dyn Front,
    plan: Plan,
    file: PictureFile,
) -> Result<i32, TraceError> {
    let every = session.options.num(Opt::Aggrate);
    let every = every
        .and_then(|ns| u64::try_from(ns).ok())
        .filter(|ns| *ns > 0);
    let every = plan
        .asks()
        .then(|| Duration::from_nanos(every.unwrap_or(1_000_000_000)));
    let mut reader = Drawing {
        canvas: Canvas::new(&plan),
        plan,
        file: Some(file),
    };
    let reading = Reading {
        reader: &mut reader,
        every,
        events: true,
    };
    crate::trace::read(session, job, front, reading)
}

/// What is being drawn.
enum Canvas {
    Flame(Flames),
    Heatmap(Vec<heatmap::Map>),
    Trace {
        timeline: Box<trace::Timeline>,
        /// Records that are put in order first.
        held: Vec<Shown>,
    },
}

/// Graphs, and which aggregations have been printed since they were emptied.
struct Flames {
    graphs: Vec<flame::Graph>,
    printed: Vec<bool>,
}

impl Canvas {
    fn new(plan: &Plan) -> Canvas {
        match plan.picture {
            Picture::Flame => {
                let graph = |d: &plan::Drawn| {
                    flame::Graph::new(d.heading.clone(), d.unit.clone(), d.labels.clone())
                };
                Canvas::Flame(Flames {
                    graphs: plan.drawn.iter().map(graph).collect(),
                    printed: vec![false; plan.drawn.len()],
                })
            }
            Picture::Heatmap => Canvas::Heatmap(Vec::new()),
            Picture::Trace => Canvas::Trace {
                timeline: Box::default(),
                held: Vec::new(),
            },
        }
    }
}

/// The reader of a run that becomes a picture.
struct Drawing {
    plan: Plan,
    canvas: Canvas,
    file: Option<PictureFile>,
}

impl Drawing {
    /// Heat maps begin when probes do.
    fn begin_maps(&mut self, begun: u64) {
        if let Canvas::Heatmap(maps) = &mut self.canvas
            && maps.is_empty()
        {
            let map = |d: &plan::Drawn| {
                let (heading, unit) = (d.heading.clone(), d.unit.clone());
                heatmap::Map::new(heading, unit, d.labels.clone(), d.func, begun)
            };
            maps.extend(self.plan.drawn.iter().map(map));
        }
    }

    fn record(&mut self, shown: Shown, view: &View<'_>) -> Result<(), TraceError> {
        let Canvas::Trace { timeline, held } = &mut self.canvas else {
            return Ok(());
        };
        if self.plan.unordered {
            held.push(shown);
            if held.len() >= SORTED {
                in_order(held, timeline, &self.plan, view);
            }
        } else {
            place(&shown, timeline, &self.plan, view);
        }
        match &mut self.file {
            Some(file) => file.write(&timeline.take()),
            None => Ok(()),
        }
    }

    fn about(&self, view: &View<'_>) -> About {
        About {
            title: self.plan.title.clone(),
            made: output::made(view.begun, view.elapsed()),
            lost: view.lost(),
        }
    }

    /// The text of the picture, or what of it is not written yet.
    fn text(&mut self, view: &mut View<'_>) -> Result<String, TraceError> {
        let about = self.about(view);
        let drawn = &self.plan.drawn;
        match &mut self.canvas {
            Canvas::Flame(flames) => {
                for (graph, drawn) in flames.graphs.iter_mut().zip(drawn) {
                    graph.add(&view.entries(&drawn.name)?);
                }
                Ok(flame::svg(&about, &flames.graphs))
            }
            Canvas::Heatmap(maps) => {
                for (map, drawn) in maps.iter_mut().zip(drawn) {
                    map.finish(view.now, &view.entries(&drawn.name)?);
                }
                Ok(heatmap::svg(&about, maps))
            }
            Canvas::Trace { timeline, held } => {
                in_order(held, timeline, &self.plan, view);
                timeline.finish(view.now, &about);
                Ok(timeline.take())
            }
        }
    }
}

fn place(shown: &Shown, timeline: &mut trace::Timeline, plan: &Plan, view: &View<'_>) {
    if let Some(probe) = view.probe(shown.probe) {
        let labels = plan.clauses.get(shown.clause as usize);
        timeline.record(shown, probe, labels.map_or(&[], Vec::as_slice));
    }
}

fn in_order(held: &mut Vec<Shown>, timeline: &mut trace::Timeline, plan: &Plan, view: &View<'_>) {
    held.sort_by_key(|shown| (shown.timestamp, shown.clause));
    for shown in held.drain(..) {
        place(&shown, timeline, plan, view);
    }
}

impl Reader for Drawing {
    fn event(&mut self, event: Event, view: &mut View<'_>) -> Result<Next, TraceError> {
        self.begin_maps(view.begun);
        let place = |agg: usize| self.plan.drawn.iter().position(|d| d.agg == agg);
        match event {
            Event::Record(shown) => self.record(shown, view)?,
            Event::Printed {
                agg,
                timestamp,
                entries,
            } => match (place(agg), &mut self.canvas) {
                (Some(at), Canvas::Flame(flames)) => flames.printed[at] = true,
                (Some(at), Canvas::Heatmap(maps)) => {
                    if let Some(map) = maps.get_mut(at) {
                        map.printed(timestamp, &entries);
                    }
                }
                (_, Canvas::Trace { .. }) | (None, Canvas::Flame(_) | Canvas::Heatmap(_)) => {}
            },
            Event::Removed { agg, entries } => match (place(agg), &mut self.canvas) {
                // What nobody would have seen as text is not drawn either.
                (Some(at), Canvas::Flame(flames)) => {
                    if std::mem::take(&mut flames.printed[at]) {
                        flames.graphs[at].add(&entries);
                    }
                }
                (Some(at), Canvas::Heatmap(maps)) => {
                    if let Some(map) = maps.get_mut(at) {
                        map.removed(&entries);
                    }
                }
                (_, Canvas::Trace { .. }) | (None, Canvas::Flame(_) | Canvas::Heatmap(_)) => {}
            },
        }
        Ok(Next::Continue)
    }

    fn interval(&mut self, view: &mut View<'_>) -> Result<Next, TraceError> {
        self.begin_maps(view.begun);
        if let Canvas::Heatmap(maps) = &mut self.canvas {
            for (map, drawn) in maps.iter_mut().zip(&self.plan.drawn) {
                if !drawn.printed {
                    map.printed(view.now, &view.entries(&drawn.name)?);
                }
            }
        }
        Ok(Next::Continue)
    }

    fn finish(&mut self, view: &mut View<'_>) -> Result<(), TraceError> {
        self.begin_maps(view.begun);
        let text = self.text(view)?;
        match self.file.take() {
            Some(mut file) => {
                file.write(&text)?;
                file.finish()
            }
            None => Ok(()),
        }
    }
}
