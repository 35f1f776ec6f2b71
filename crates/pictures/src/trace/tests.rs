//! Timelines as a strict parser of JSON sees them, checked against the format's rules.

use super::*;
use crate::golden::{about, same};
use image::Site;
use serde_json::Value;
use std::sync::Arc;

/// Probes by index.
const PROBES: [[&str; 3]; 12] = [
    ["syscall", "read", "entry"],
    ["syscall", "read", "return"],
    ["fbt", "vfs_read", "entry"],
    ["fbt", "vfs_read", "return"],
    ["io", "submit", "start"],
    ["io", "endio", "done"],
    ["sched", "", "wakeup"],
    ["python1", "x", "function-entry"],
    ["python1", "y", "function-return"],
    ["python1", "z", "gc-start"],
    ["python1", "z", "gc-done"],
    ["sched", "", "on-cpu"],
];

fn probe(index: u32) -> Probe {
    let [provider, function, name] = PROBES[index as usize];
    Probe {
        id: index,
        provider: provider.into(),
        module: "m".into(),
        function: function.into(),
        name: name.into(),
        site: Site::Begin,
        selector: 0,
        points: Arc::new([]),
    }
}

/// One record: thread, time, probe, values.
struct Made(Timeline);

impl Made {
    fn new() -> Made {
        Made(Timeline::new())
    }

    fn at(&mut self, tid: i64, time: u64, index: u32, values: &[Item]) -> &mut Made {
        self.of(tid, time, index, 0, values)
    }

    fn of(&mut self, tid: i64, time: u64, index: u32, clause: u32, values: &[Item]) -> &mut Made {
        let pid = if tid == 0 { 0 } else { 100 };
        let mut items = vec![
            Item::Int(pid),
            Item::Int(tid),
            Item::Text(format!("t{tid}")),
        ];
        items.extend_from_slice(values);
        let shown = Shown {
            cpu: 1,
            timestamp: 1_000_000 + time,
            clause,
            probe: index,
            items,
        };
        self.0.record(&shown, &probe(index), &["arg0".to_owned()]);
        self
    }

    fn whole(&mut self, until: u64) -> (Value, String) {
        let mut text = self.0.take();
        assert!(
            serde_json::from_str::<Value>(&text).is_err(),
            "what is cut short is no JSON"
        );
        self.0.finish(1_000_000 + until, &about(&["LOST: 3 drops"]));
        text += &self.0.take();
        let value: Value = serde_json::from_str(&text).expect("JSON");
        check(&value);
        (value, text)
    }
}

/// The rules of the format for the events that are used, and that slices of a thread are nested.
fn check(whole: &Value) {
    let events = whole["traceEvents"].as_array().expect("an array of events");
    let mut nested: HashMap<(u64, u64), Vec<(f64, f64)>> = HashMap::new();
    let mut pairs: HashMap<(String, String), i32> = HashMap::new();
    for event in events {
        let of = |key: &str| event.get(key).unwrap_or_else(|| panic!("{key} of {event}"));
        let phase = of("ph").as_str().expect("a phase");
        assert!(of("name").is_string() && of("args").is_object());
        let track = (
            of("pid").as_u64().expect("a pid"),
            of("tid").as_u64().expect("a tid"),
        );
        match phase {
            "M" => {
                assert!(
                    ["process_name", "thread_name"].contains(&of("name").as_str().unwrap_or(""))
                );
                assert!(event["args"]["name"].is_string());
                continue;
            }
            "X" => {
                let (ts, dur) = (
                    of("ts").as_f64().expect("ts"),
                    of("dur").as_f64().expect("dur"),
                );
                assert!(dur >= 0.0);
                nested.entry(track).or_default().push((ts, ts + dur));
            }
            "i" => assert!(["t", "g"].contains(&of("s").as_str().unwrap_or(""))),
            "b" | "e" => {
                let key = (
                    event["cat"].to_string(),
                    of("id").as_str().expect("an id").to_owned(),
                );
                *pairs.entry(key).or_default() += if phase == "b" { 1 } else { -1 };
            }
            other => panic!("phase {other}"),
        }
        assert!(of("cat").is_string() && of("ts").is_number());
    }
    assert!(pairs.values().all(|n| *n == 0), "{pairs:?}");
    for slices in nested.values_mut() {
        slices.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
        let mut open: Vec<f64> = Vec::new();
        for (from, to) in slices.iter() {
            open.retain(|end| end > from);
            assert!(open.last().is_none_or(|end| end >= to), "{slices:?}");
            open.push(*to);
        }
    }
    assert!(whole["otherData"]["lost"].is_string());
}

fn int(v: i64) -> Item {
    Item::Int(v)
}

/// `ph name ts dur` of what is no name of a thread.
fn shown(whole: &Value) -> Vec<String> {
    let events = whole["traceEvents"].as_array().expect("events");
    let events = events.iter().filter(|e| e["ph"] != "M" && e["s"] != "g");
    events
        .map(|e| {
            let part = |key: &str| e.get(key).map_or(String::new(), |v| format!(" {v}"));
            let text = |key: &str| e[key].as_str().unwrap_or_default();
            format!(
                "{} {}{}{}",
                text("ph"),
                text("name"),
                part("ts"),
                part("dur")
            )
        })
        .collect()
}

#[test]
fn calls_are_nested() {
    let mut made = Made::new();
    made.at(7, 0, 0, &[int(3)])
        .at(7, 1500, 2, &[])
        .at(8, 1600, 2, &[])
        .at(7, 4000, 3, &[int(-1)])
        .at(7, 10_001, 1, &[int(512)])
        .at(8, 10_002, 3, &[]);
    let (whole, text) = made.whole(20_000);
    assert_eq!(
        shown(&whole),
        [
            "X vfs_read 1.5 2.5",
            "X read 0.0 10.001",
            "X vfs_read 1.6 8.402"
        ]
    );
    same("trace.json", &text, "");
}

#[test]
fn what_has_no_end_or_no_beginning_is_said() {
    let mut made = Made::new();
    made.at(7, 0, 1, &[int(1)]) // no beginning
        .at(7, 1000, 0, &[])
        .at(7, 2000, 2, &[]) // its return is lost
        .at(7, 3000, 1, &[])
        .at(7, 4000, 0, &[]); // open in the end
    let (whole, text) = made.whole(9000);
    assert_eq!(
        shown(&whole),
        [
            "i read return 0.0",
            "X vfs_read 2.0 1.0",
            "X read 1.0 2.0",
            "X read 4.0 5.0"
        ]
    );
    for note in [
        "no beginning was recorded",
        "no end was recorded; closed with read",
        "it had not ended when tracing did",
    ] {
        assert!(text.contains(note), "{note}");
    }
    assert_eq!(whole["otherData"]["beginnings without end"], 2);
    assert_eq!(whole["otherData"]["ends without beginning"], 1);
    assert_eq!(whole["otherData"]["lost"], "LOST: 3 drops");
}

#[test]
fn recursion_closes_the_innermost() {
    let mut made = Made::new();
    for (time, probe) in [(0, 2), (10, 2), (20, 2), (30, 3), (40, 3), (50, 3)] {
        made.at(7, time * 1000, probe, &[]);
    }
    let (whole, _) = made.whole(60_000);
    assert_eq!(
        shown(&whole),
        [
            "X vfs_read 20.0 10.0",
            "X vfs_read 10.0 30.0",
            "X vfs_read 0.0 50.0"
        ]
    );
}

#[test]
fn what_another_thread_ends_is_found_by_its_first_value() {
    let mut made = Made::new();
    made.at(7, 0, 0, &[])
        .at(7, 1000, 4, &[int(0xa)])
        .at(7, 2000, 4, &[int(0xb)])
        .at(7, 3000, 1, &[])
        .at(0, 5000, 5, &[int(0xa)])
        .at(0, 4000, 5, &[int(0xb)]);
    let (whole, _) = made.whole(9000);
    assert_eq!(
        shown(&whole),
        [
            "X read 0.0 3.0",
            "b io 1.0",
            "e io 5.0",
            "b io 2.0",
            "e io 4.0"
        ]
    );
}

#[test]
fn other_pairs() {
    let mut made = Made::new();
    made.at(7, 0, 7, &[Item::Text("main".into())])
        .at(7, 1000, 9, &[int(2)])
        .at(7, 2000, 10, &[int(99)])
        .at(7, 3000, 8, &[Item::Text("main".into())])
        .at(7, 4000, 6, &[]);
    let (whole, _) = made.whole(9000);
    assert_eq!(
        shown(&whole),
        [
            "X gc 1.0 1.0",
            "X function: main 0.0 3.0",
            "i sched:::wakeup 4.0"
        ]
    );
}

#[test]
fn clauses_of_one_firing_are_one_event() {
    let mut made = Made::new();
    made.of(7, 0, 0, 0, &[int(1)])
        .of(7, 0, 0, 1, &[int(2), Item::Uint(u64::MAX)])
        .of(7, 5, 1, 2, &[]);
    let (whole, _) = made.whole(10);
    assert_eq!(shown(&whole), ["X read 0.0 0.005"]);
    let args = whole["traceEvents"]
        .as_array()
        .and_then(|e| e.iter().find(|e| e["ph"] == "X"));
    let args = &args.expect("a slice")["args"]["entry"];
    assert_eq!(args["arg0"], 1);
    assert_eq!(args["arg0 (2)"], 2);
    assert_eq!(args["value 2"], "0xffffffffffffffff");
}

#[test]
fn threads_have_names_and_idle_ones_their_cpu() {
    let mut made = Made::new();
    made.at(0, 0, 6, &[]).at(100, 1, 6, &[]);
    let (_, text) = made.whole(2);
    assert!(text.contains(
        "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":0,\"tid\":4194305,\"args\":{\"name\":\"t0/1\"}}"
    ));
    assert!(text.contains(
        "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":100,\"tid\":100,\"args\":{\"name\":\"t100\"}}"
    ));
}

#[test]
fn any_text_and_nothing_at_all() {
    let mut made = Made::new();
    made.at(
        7,
        0,
        6,
        &[Item::Text("\"\\\u{0}\u{1f}</script>\u{7f}\u{ffff}é".into())],
    );
    made.whole(1);
    let (whole, _) = Made::new().whole(1);
    assert_eq!(whole["otherData"]["note"], "nothing was recorded");
}
