//! The integer macros of a session: `$pid`, `$uid`, `$target` and their like.

/// Their names and values, read from /proc.
pub fn integers(target: Option<i32>) -> Vec<(String, i64)> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let mut ints = from_proc(&status, &stat);
    ints.push(("pid".into(), i64::from(std::process::id())));
    ints.push(("target".into(), i64::from(target.unwrap_or(0))));
    ints
}

fn from_proc(status: &str, stat: &str) -> Vec<(String, i64)> {
    let ids = |key: &str, n: usize| {
        let line = status
            .lines()
            .find_map(|l| l.strip_prefix(key))
            .unwrap_or_default();
        line.split_whitespace()
            .nth(n)
            .and_then(|w| w.parse::<i64>().ok())
            .unwrap_or(0)
    };
    // The command's name, which may hold anything, ends at the last parenthesis.
    let after = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let field = |n: usize| {
        after
            .split_whitespace()
            .nth(n)
            .and_then(|w| w.parse::<i64>().ok())
            .unwrap_or(0)
    };
    let rows = [
        ("uid", ids("Uid:", 0)),
        ("euid", ids("Uid:", 1)),
        ("gid", ids("Gid:", 0)),
        ("egid", ids("Gid:", 1)),
        ("ppid", field(1)),
        ("pgid", field(2)),
        ("sid", field(3)),
        // Linux has neither tasks nor projects in this sense; scripts may still name them.
        ("taskid", 0),
        ("projid", 0),
    ];
    rows.into_iter().map(|(n, v)| (n.to_owned(), v)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_proc() {
        let ints = from_proc(
            "Name:\tx\nUid:\t1\t2\t3\t4\nGid:\t5\t6\t7\t8\n",
            "9 (a) b) S 10 11 12 0",
        );
        let get = |n: &str| ints.iter().find(|(k, _)| k == n).map(|(_, v)| *v);
        for (name, value) in [
            ("uid", 1),
            ("euid", 2),
            ("gid", 5),
            ("egid", 6),
            ("ppid", 10),
            ("pgid", 11),
            ("sid", 12),
        ] {
            assert_eq!(get(name), Some(value), "{name}");
        }
    }

    #[test]
    fn this_process() {
        let ints = integers(Some(7));
        assert!(ints.contains(&("target".to_owned(), 7)));
        assert!(ints.contains(&("pid".to_owned(), i64::from(std::process::id()))));
    }
}
