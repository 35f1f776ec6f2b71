//! `json()` in the interpreter: texts made with what every path in them must give.

mod rt_common;

use rt_common::*;

/// A value's text, and the text of each value in it by its path.
struct Made {
    text: String,
    parts: Vec<(String, String)>,
}

fn blank(r: &mut Random) -> &'static str {
    ["", "", " ", "\n\t "][r.below(4)]
}

fn plain(r: &mut Random) -> Made {
    let texts = [
        "0",
        "-12.5e+3",
        "true",
        "false",
        "null",
        "\"\"",
        "\"a,b]}{[\"",
        "\"q\\\"\\\\\"",
    ];
    let text = texts[r.below(texts.len())].to_string();
    Made {
        text,
        parts: Vec::new(),
    }
}

fn made(r: &mut Random, depth: usize) -> Made {
    let kind = if depth == 0 {
        1 + r.below(2)
    } else {
        r.below(3)
    };
    if kind == 0 || depth > 3 {
        return plain(r);
    }
    let mut all = Made {
        text: String::new(),
        parts: Vec::new(),
    };
    let (open, close) = if kind == 1 { ("{", "}") } else { ("[", "]") };
    all.text += open;
    for n in 0..r.below(4) {
        if n > 0 {
            all.text += ",";
        }
        all.text += blank(r);
        let name = if kind == 1 {
            let name = ["a", "ab", "b c", "\\\"x"][n].to_string();
            all.text += &format!("\"{name}\"{}:{}", blank(r), blank(r));
            name
        } else {
            format!("[{n}]")
        };
        let value = made(r, depth + 1);
        all.text += &value.text;
        all.text += blank(r);
        for (path, text) in value.parts {
            let dot = if path.starts_with('[') { "" } else { "." };
            all.parts.push((format!("{name}{dot}{path}"), text));
        }
        all.parts.push((name, value.text));
    }
    all.text += close;
    all
}

fn padded(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes
}

fn json(text: &str, path: &str) -> Option<String> {
    let (s, p) = (padded(text), padded(path));
    let caps = [In::Num(s.len() as u64), In::Num(p.len() as u64)];
    let [a, b] = caps;
    let work = In::Mem(vec![0xa5; rt::JSON_WORK as usize]);
    let case = vec![In::Mem(s), In::Mem(p), work, a, b];
    let (range, _) = interpret(Local::Json, &case);
    let (start, end) = (range as u32 as usize, (range >> 32) as usize);
    (range != u64::MAX).then(|| text[start..end].to_string())
}

#[test]
fn every_value_is_found_by_its_path() {
    let mut r = Random(0x51ed_2701_93ab_44c1);
    let mut checked = 0;
    for _ in 0..100 {
        let all = made(&mut r, 0);
        let text = format!("{}{}", blank(&mut r), all.text);
        for (path, want) in &all.parts {
            let want = want
                .strip_prefix('"')
                .map_or(want.as_str(), |w| &w[..w.len() - 1]);
            assert_eq!(json(&text, path).as_deref(), Some(want), "{path} of {text}");
            checked += 1;
        }
        for path in [
            "z",
            "[4]",
            "a.z",
            "a[7]",
            "[0].z",
            "ab[0][0][9]",
            "",
            "[",
            "[x]",
            "a.",
        ] {
            assert_eq!(json(&text, path), None, "{path:?} of {text}");
        }
        // What is cut off has no value behind the cut.
        if let Some((path, _)) = all.parts.last() {
            let cut = text.len() - 1;
            let part: String = text.chars().take(r.below(cut.max(1))).collect();
            if let Some(found) = json(&part, path) {
                assert!(part.contains(&found), "{path} of {part}");
            }
        }
    }
    assert!(checked > 250, "{checked}");
}

#[test]
fn what_is_no_json_has_no_values() {
    for (text, path) in [
        ("", "a"),
        ("1", "a"),
        ("{\"a\":tru}", "a"),
        ("{\"a\":x}", "a"),
        ("{\"a\"1}", "a"),
        ("{\"a\":1", "a"),
        ("{\"a\":\"x", "a"),
        ("{\"a\":[1,2", "a"),
        ("{a:1}", "a"),
        ("[1]", "a"),
        ("{\"a\":1}", "[0]"),
        ("[]", "[0]"),
    ] {
        assert_eq!(json(text, path), None, "{path} of {text}");
    }
}
