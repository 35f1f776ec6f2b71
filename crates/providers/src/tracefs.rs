//! Event groups of tracepoints, from the `events/GROUP/NAME` directories of tracefs.

use crate::Group;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use sys::tracefs::Tracefs;

/// The event groups, read as late and as little as possible.
#[derive(Default)]
pub(crate) struct Groups {
    /// The outer `None`: not looked for yet.
    root: Option<Option<Tracefs>>,
    /// All groups by event name, once they were asked for together.
    all: Option<HashMap<String, String>>,
    /// The group directories.
    directories: Option<Vec<String>>,
}

impl Groups {
    /// Group of one tracepoint. `hint`: the group it is believed to be in.
    pub(crate) fn of(&mut self, name: &str, hint: Option<&str>) -> Group {
        let named = |group: &str| Group::Named(group.to_owned());
        if let Some(all) = &self.all {
            return all.get(name).map_or(Group::None, |group| named(group));
        }
        let Some(events) = self.events() else {
            return Group::Unknown;
        };
        let has = |group: &str| events.join(group).join(name).join("format").exists();
        if let Some(hint) =
            hint.filter(|hint| !hint.is_empty() && !hint.contains(['/', '.']) && has(hint))
        {
            return named(hint);
        }
        let directories = self.directories.get_or_insert_with(|| list(&events));
        directories
            .iter()
            .find(|group| has(group))
            .map_or(Group::None, |group| named(group))
    }

    /// Reads all groups.
    pub(crate) fn load(&mut self) {
        if self.all.is_some() {
            return;
        }
        let Some(root) = self.root() else { return };
        let Ok(text) = fs::read_to_string(root.path("available_events")) else {
            return;
        };
        let events = text.lines().filter_map(|line| line.split_once(':'));
        self.all = Some(
            events
                .map(|(group, name)| (name.to_owned(), group.to_owned()))
                .collect(),
        );
    }

    fn events(&mut self) -> Option<PathBuf> {
        self.root().map(|root| root.path("events"))
    }

    fn root(&mut self) -> Option<&Tracefs> {
        self.root.get_or_insert_with(readable).as_ref()
    }
}

/// tracefs, if this user may read it.
fn readable() -> Option<Tracefs> {
    Tracefs::open()
        .ok()
        .filter(|tracefs| fs::read_dir(tracefs.path("events")).is_ok())
}

fn list(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect()
}
