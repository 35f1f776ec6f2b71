//! Which probes begin something, and which end it.

use consumer::data::Item;
use image::Probe;

/// What a probe does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Something begins.
    Begin,
    /// It ends.
    End,
    /// Neither.
    Instant,
}

/// What is the same at the beginning and at the end of something.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// A function: its calls are nested in each other.
    call: bool,
    provider: String,
    /// Module and function, if those of both probes are the same.
    place: Option<(String, String)>,
    /// What stands before the word: `gc` of `gc-start`.
    stem: String,
}

impl Key {
    /// Whether such things are nested in each other on their thread.
    pub fn is_call(&self) -> bool {
        self.call
    }
}

/// What a probe does, to what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Role {
    pub part: Part,
    pub key: Key,
    /// What it is called where names do not say; empty: as the provider.
    called: &'static str,
}

/// One way in which names of probes say what they do: they are the word, or end in `-word`.
struct Pair {
    begin: &'static [&'static str],
    end: &'static [&'static str],
    call: bool,
    /// What it is called if the name is the word; empty: as the provider.
    called: &'static str,
}

const PAIRS: [Pair; 3] = [
    Pair {
        begin: &["entry"],
        end: &["return"],
        call: true,
        called: "",
    },
    Pair {
        begin: &["on-cpu"],
        end: &["off-cpu"],
        call: false,
        called: "on CPU",
    },
    Pair {
        begin: &["start", "begin", "acquire"],
        end: &["done", "end", "stop", "exit", "release"],
        call: false,
        called: "",
    },
];

/// What stands before one of the words, if the name ends in it.
fn stem<'a>(name: &'a str, words: &[&str]) -> Option<&'a str> {
    words.iter().find_map(|word| {
        let rest = name.strip_suffix(word)?;
        match rest {
            "" => Some(rest),
            rest => rest.strip_suffix('-'),
        }
    })
}

/// What a probe does.
pub fn role(probe: &Probe) -> Role {
    let key = |stem: &str, call: bool| Key {
        call,
        provider: probe.provider.to_string(),
        place: (call && stem.is_empty())
            .then(|| (probe.module.to_string(), probe.function.to_string())),
        stem: stem.to_owned(),
    };
    for pair in &PAIRS {
        for (words, part) in [(pair.begin, Part::Begin), (pair.end, Part::End)] {
            if let Some(stem) = stem(&probe.name, words) {
                return Role {
                    part,
                    key: key(stem, pair.call),
                    called: pair.called,
                };
            }
        }
    }
    Role {
        part: Part::Instant,
        key: key(&probe.name, false),
        called: "",
    }
}

/// Whether a probe of this name begins something.
pub fn begins(name: &str) -> bool {
    PAIRS.iter().any(|pair| stem(name, pair.begin).is_some())
}

impl Role {
    /// What a slice or an instant of this probe is called: the function; else what stands before the word, or the
    /// provider, with the first text that was recorded.
    pub fn title(&self, probe: &Probe, first: Option<&Item>) -> String {
        if let (Some((_, function)), Part::Begin) = (&self.key.place, self.part) {
            return function.clone();
        }
        let name = match (self.part, self.key.stem.as_str()) {
            (Part::Instant, _) => format!("{}:::{}", probe.provider, probe.name),
            (Part::End, _) => {
                let place = self.key.place.as_ref();
                let of = place.map_or(&*probe.provider, |(_, function)| function);
                format!("{of} {}", probe.name)
            }
            (Part::Begin, "") if !self.called.is_empty() => self.called.to_owned(),
            (Part::Begin, "") => probe.provider.to_string(),
            (Part::Begin, stem) => stem.to_owned(),
        };
        match first {
            Some(Item::Text(text)) if !text.is_empty() => format!("{name}: {text}"),
            Some(_) | None => name,
        }
    }
}
