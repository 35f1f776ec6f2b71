//! The layer rule: a crate may depend only on crates above it in this list (`docs/ARCHITECTURE.md`).

/// Crates from the bottom up.
const ORDER: &[&str] = &[
    "usdt",
    "cli",
    "diag",
    "ctypes",
    "btf",
    "bpf",
    "lang",
    "syntax",
    "image",
    "unwind",
    "sema",
    "ir",
    "codegen",
    "sys",
    "counters",
    "symbols",
    "kernel",
    "providers",
    "consumer",
    "usdtgen",
    "pictures",
    "session",
    "dtrace",
    "tools",
];

/// Tools: may depend on anything, nothing depends on them.
const TOOLS: &[&str] = &["xtask", "bench", "dtests", "fuzz"];

/// Pairs that the order would allow but the design forbids: the two halves meet in `session` only.
const FORBIDDEN: &[(&str, &[&str])] = &[
    (
        "consumer",
        &["syntax", "sema", "ir", "codegen", "providers"],
    ),
    ("kernel", &["syntax", "sema", "ir", "codegen"]),
    ("providers", &["syntax", "ir", "codegen", "consumer"]),
    ("dtrace", &["codegen", "kernel", "providers"]),
    ("tools", &["codegen", "kernel", "providers", "dtrace"]),
];

/// The feature of `sys` by which tests count on a machine that does not exist: for `[dev-dependencies]` only, so that it can be in
/// nothing that ships.
const SIMULATED: &str = "simulated-pmu";

/// External crates that only these may use.
const RESERVED: &[(&str, &[&str])] = &[("libc", &["sys", "bench"]), ("lexopt", &["cli", "bench"])];

/// One manifest: its package name and the names of its dependencies (those of tests excepted).
pub struct Manifest {
    /// Package name.
    pub name: String,
    /// Names of its dependencies.
    pub deps: Vec<String>,
    /// It has what is for tests in what ships.
    pub simulates: bool,
}

impl Manifest {
    /// Reads what the rule needs from the text of a `Cargo.toml`.
    pub fn parse(text: &str) -> Manifest {
        let mut section = "";
        let mut manifest = Manifest {
            name: String::new(),
            deps: Vec::new(),
            simulates: false,
        };
        for line in text
            .lines()
            .map(str::trim)
            .filter(|l| !l.is_empty() && !l.starts_with('#'))
        {
            if line.starts_with('[') {
                section = line;
                continue;
            }
            let own = manifest.name == "sys" && section == "[features]";
            manifest.simulates |=
                line.contains(SIMULATED) && section != "[dev-dependencies]" && !own;
            let key = line.split(['=', '.', ' ']).next().unwrap_or_default();
            match section {
                "[package]" if key == "name" => {
                    manifest.name = line.split('"').nth(1).unwrap_or_default().to_owned();
                }
                "[dependencies]" => manifest.deps.push(key.to_owned()),
                _ => {}
            }
        }
        manifest
    }

    /// What breaks the rule.
    pub fn faults(&self) -> Vec<String> {
        let name = self.name.as_str();
        let mut faults = Vec::new();
        if self.simulates {
            faults.push(format!(
                "{name}: {SIMULATED} is for [dev-dependencies] only"
            ));
        }
        if TOOLS.contains(&name) {
            return faults;
        }
        let Some(rank) = ORDER.iter().position(|n| *n == name) else {
            return vec![format!(
                "{name}: not in the list of layers (xtask/src/layers.rs)"
            )];
        };
        let banned = FORBIDDEN
            .iter()
            .find(|(n, _)| *n == name)
            .map_or(&[][..], |(_, d)| d);
        for dep in self.deps.iter().map(String::as_str) {
            if TOOLS.contains(&dep) {
                faults.push(format!("{name}: depends on the tool {dep}"));
            }
            if ORDER
                .iter()
                .position(|n| *n == dep)
                .is_some_and(|r| r >= rank)
                || banned.contains(&dep)
            {
                faults.push(format!("{name}: may not depend on {dep}"));
            }
            if RESERVED
                .iter()
                .any(|(d, users)| *d == dep && !users.contains(&name))
            {
                faults.push(format!("{name}: may not use {dep} directly"));
            }
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(name: &str, deps: &[&str]) -> usize {
        Manifest {
            name: name.into(),
            deps: deps.iter().map(|d| (*d).to_owned()).collect(),
            simulates: false,
        }
        .faults()
        .len()
    }

    #[test]
    fn arrows_point_down_only() {
        assert_eq!(faults("sema", &["syntax", "diag", "image"]), 0);
        assert_eq!(faults("syntax", &["sema"]), 1);
        assert_eq!(faults("consumer", &["codegen"]), 1);
        assert_eq!(faults("kernel", &["libc"]), 1);
        assert_eq!(faults("bench", &["session", "libc"]), 0);
        assert_eq!(faults("stranger", &[]), 1);
    }

    #[test]
    fn what_is_for_tests_stays_there() {
        let simulates = |name: &str, section: &str| {
            let text = format!(
                "[package]\nname = \"{name}\"\n[{section}]\nsys = {{ features = [\"{SIMULATED}\"] }}\n"
            );
            Manifest::parse(&text).faults().len()
        };
        assert_eq!(simulates("kernel", "dev-dependencies"), 0);
        assert_eq!(simulates("kernel", "dependencies"), 1);
        assert_eq!(simulates("kernel", "features"), 1);
        assert_eq!(simulates("sys", "features"), 0);
    }

    #[test]
    fn manifests_are_read() {
        let m = Manifest::parse(
            "[package]\nname = \"x\"\n[dependencies]\na.workspace = true\nb = \"1\"\n[dev-dependencies]\nc = \"1\"\n",
        );
        assert_eq!(
            (m.name.as_str(), m.deps),
            ("x", vec!["a".to_owned(), "b".to_owned()])
        );
    }
}
