//! Programs that compile, and what of their typed form matters.

use super::{add, compile, try_compile, world::FakeWorld};
use crate::{Compiler, Options};

/// Every line must be somewhere in the dump.
fn has(text: &str, lines: &[&str]) {
    let dump = compile(text);
    for line in lines {
        assert!(
            dump.lines().any(|l| l.trim() == *line),
            "{text}\nlacks: {line}\n{dump}"
        );
    }
}

#[test]
fn counting_system_calls() {
    has(
        "syscall:::entry { @[execname, probefunc] = count(); } tick-1s { exit(0); }",
        &[
            "agg @_[str<16, probe.function] = count",
            "clause 0 line 1 probes [0, 1]",
            "@_[execname:str, probefunc:str] <- count:",
            "exit(0:i32)",
        ],
    );
}

#[test]
fn latency_of_read() {
    has(
        "syscall::read:entry { self->ts = timestamp; } \
         syscall::read:return /self->ts/ { @[execname] = quantize(timestamp - self->ts); self->ts = 0; }",
        &[
            "var self->ts: u64",
            "(= self->ts timestamp:u64)",
            "if self->ts:u64",
            "@_[execname:str] <- quantize: (Sub.u:u64 timestamp:u64 self->ts:u64)",
            "(= self->ts 0:u64)",
        ],
    );
}

#[test]
fn printf_of_strings_and_numbers() {
    has(
        "syscall::openat:entry { printf(\"%s %d\", copyinstr(arg1), pid); }",
        &["printf[%s %d]((copyinstr:str arg1), pid:i32)"],
    );
}

#[test]
fn tracepoint_arguments_are_loaded_through_trusted_pointers() {
    has(
        "sdt:sched::sched_switch { @[args[1]->comm, args[2]->parent->pid] = count(); }",
        &[
            "agg @_[str<17, i32] = count",
            "@_[(string<=16:str (arg:u64 CtxWord(1) trusted) +4), \
             (load:i32 (load:u64 (arg:u64 CtxWord(2) trusted) +24) +0)] <- count:",
        ],
    );
}

#[test]
fn user_pointers_are_read_from_user_space() {
    has(
        "syscall::openat:entry { trace(stringof(args[1])); printf(\"%s\", copyinstr(args[1])); }",
        &["trace((user string:str (arg:u64 SyscallArg(1)) +0))"],
    );
}

#[test]
fn bit_fields_of_memory() {
    has(
        "BEGIN { trace(curthread->state); }",
        &["trace((bits<u5 at 3 of 1>:u32 curthread:u64 +20))"],
    );
}

#[test]
fn steps_make_64_bit_variables_and_plain_assignment_keeps_the_type() {
    has(
        "BEGIN { x++; y = 1; s = \"a\"; a[pid, execname]++; self->b[1] = (char)3; p = curthread; }",
        &[
            "var x: i64",
            "var y: i32",
            "var s: str",
            "assoc a[i64, str]: i64",
            "assoc self->b[i64]: i8",
            "var p: u64",
            "(poststep x +1)",
            "(poststep a[(Cast:i64 pid:i32), execname:str] +1)",
        ],
    );
}

#[test]
fn narrow_types_do_not_grow_and_are_cut_when_stored() {
    has(
        "uint8_t a; uint8_t b; int64_t c; BEGIN { c = a + b; a = a + b; a = 300; }",
        &[
            "(= c (Add.u:i64 a:u8 b:u8))",
            "(= a (Cast:u8 (Add.u:u8 a:u8 b:u8)))",
            "(= a 44:u8)",
        ],
    );
}

#[test]
fn booleans_hold_whether_not_whether_the_low_byte_is_set() {
    has(
        "_Bool b; BEGIN { b = 256; b = pid; trace((_Bool)arg0); }",
        &[
            "(= b 1:u8)",
            "(= b (Ne.u:u8 pid:i32 0:i64))",
            "trace((Ne.u:u8 arg0 0:i64))",
        ],
    );
}

#[test]
fn comparison_signs_follow_the_promoted_type() {
    has(
        "int a; unsigned int b; long c; BEGIN { trace(a < b); trace(c < b); trace(curthread < (struct task_struct *)0); }",
        &[
            "trace((Lt.u:i32 a:i32 b:u32))",
            "trace((Lt.s:i32 c:i64 b:u32))",
            "trace((Lt.u:i32 curthread:u64 0:u64))",
        ],
    );
}

#[test]
fn strings_compare_as_strings_and_with_null() {
    has(
        "BEGIN /execname == \"sh\"/ { self->s = execname; self->s = 0; trace(self->s == NULL); trace(curthread->comm == \"x\"); }",
        &[
            "if (StrEq execname:str \"sh\")",
            "(= self->s 0:i64)",
            "trace((StrEq self->s:str \"\"))",
            "trace((StrEq (string<=16:str curthread:u64 +4) \"x\"))",
        ],
    );
}

#[test]
fn pointers_scale() {
    has(
        "int *p; int *q; BEGIN { trace(*(p + 2)); trace(p[pid]); trace(q - p); p++; p += 3; }",
        &[
            "trace((load:i32 (Add.u:u64 p:u64 8:i64) +0))",
            "trace((load:i32 (Add.u:u64 p:u64 (Mul.s:i64 pid:i32 4:i64)) +0))",
            "trace((Div.s:i64 (Sub.s:i64 q:u64 p:u64) 4:i64))",
            "(poststep p +4)",
            "(Add=.u p 12:i64)",
        ],
    );
}

#[test]
fn stores_through_pointers_into_scratch() {
    has(
        "syscall::read:entry { this->c = (char *)copyin(arg1, 10); this->c[arg2] = '\\0'; trace(stringof(this->c)); }",
        &[
            "var this->c: u64",
            "(= this->c (copyin:u64 arg1, 10:u64))",
            "(= (mem:i8 (Add.u:u64 this->c:u64 arg2) +0) 0:i8)",
            "trace((string:str this->c:u64 +0))",
        ],
    );
}

#[test]
fn if_else_becomes_parts_that_continue() {
    has(
        "BEGIN /pid/ { a = 1; if (a > 2) { trace(1); } else { trace(2); } trace(3); }",
        &[
            "clause 0 line 1 probes [0]",
            "if pid:i32",
            "(= this->%cond1 (Not:i32 (Not:i32 (Gt.s:i32 a:i32 2:i32))))",
            "clause 1 line 1 probes [0] continues",
            "if this->%cond1:i32",
            "clause 2 line 1 probes [0] continues",
            "if (Not:i32 this->%cond1:i32)",
            "clause 3 line 1 probes [0] continues",
            "trace(3:i32)",
        ],
    );
}

#[test]
fn nested_conditions_are_guarded_by_the_outer_ones() {
    has(
        "BEGIN { if (pid) { if (tid) { trace(1); } } }",
        &[
            "if (LogAnd this->%cond1:i32 this->%cond2:i32)",
            "trace(1:i32)",
        ],
    );
}

#[test]
fn constant_conditions_choose_actions() {
    let dump = compile(
        "inline int OPT = 1; BEGIN { OPT ? printf(\"a\") : 1; OPT == 2 ? @[1] = count() : 1; }",
    );
    assert!(
        dump.contains("printf[a]()") && !dump.contains("agg"),
        "{dump}"
    );
}

#[test]
fn predicate_and_actions_may_define_for_each_other() {
    has(
        "BEGIN /x == 0/ { trace(x++); }",
        &["if (Eq.s:i32 x:i64 0:i32)"],
    );
    has("BEGIN /x++/ { trace(x); }", &["trace(x:i64)"]);
}

#[test]
fn several_descriptions_make_several_clauses() {
    has(
        "syscall::read:entry, syscall::openat:entry { trace(args[0]); }",
        &["clause 0 line 1 probes [0]", "clause 1 line 1 probes [1]"],
    );
    has(
        "syscall:::entry { trace(args[0]); }",
        &["clause 0 line 1 probes [0, 1]"],
    );
}

#[test]
fn empty_bodies_have_the_default_action() {
    has("BEGIN", &["clause 0 line 1 probes [0] default"]);
    has("BEGIN { }", &["clause 0 line 1 probes [0] default"]);
    has("BEGIN { x = 1; }", &["clause 0 line 1 probes [0]"]);
}

#[test]
fn translators_expand_members() {
    has(
        "typedef struct info { int pr_pid; string pr_name; } info_t; \
         translator info_t < struct task_struct *T > { pr_pid = T->pid; pr_name = T->comm; }; \
         inline info_t *cur = xlate <info_t *> (curthread); \
         BEGIN { trace(cur->pr_pid); trace(cur->pr_name); trace((xlate <info_t> (curthread)).pr_pid); }",
        &[
            "trace((load:i32 curthread:u64 +0))",
            "trace((string<=16:str curthread:u64 +4))",
        ],
    );
}

#[test]
fn parameterised_inlines_bind_their_arguments() {
    has(
        "inline int twice[int n] = n + n; BEGIN { trace(twice[pid]); }",
        &["trace((Cast:i32 (Add.s:i32 pid:i32 pid:i32)))"],
    );
}

#[test]
fn state_persists_over_texts() {
    let texts = [
        "int x; inline int N = 7;",
        "BEGIN { x = N; @a = count(); }",
        "END { printa(@a); trace(x); }",
    ];
    let dump = try_compile(Options::default(), &texts).unwrap();
    assert!(
        dump.contains("(= x 7:i32)") && dump.contains("printa@[0]"),
        "{dump}"
    );
}

#[test]
fn aggregation_keys_widen_over_all_uses() {
    has(
        "BEGIN { @a[pid] = count(); @a[timestamp] = count(); }",
        &["agg @a[u64] = count"],
    );
    has(
        "BEGIN { @a[execname] = count(); @a[\"x\"] = count(); @a[curthread->comm] = count(); }",
        &["agg @a[str<17] = count"],
    );
    has(
        "BEGIN { @a[\"x\"] = count(); @a[copyinstr(arg0)] = count(); }",
        &["agg @a[str] = count"],
    );
    has(
        "BEGIN { @a[stack(5), sym(arg0)] = count(); }",
        &["agg @a[stack[5], sym] = count"],
    );
}

#[test]
fn quantizing_functions_keep_their_parameters() {
    has(
        "BEGIN { @a = lquantize(arg0, 0, 100, 10); @b = llquantize(arg0, 10, 0, 6, 20); @c = quantize(arg0, 3); }",
        &[
            "agg @a[] = lquantize(0, 100, 10)",
            "agg @b[] = llquantize(10, 0, 6, 20)",
            "@c[] <- quantize: arg0, 3:i32",
        ],
    );
}

#[test]
fn sizes_and_offsets_are_constants() {
    has(
        "BEGIN { trace(sizeof (struct task_struct)); trace(offsetof(struct task_struct, parent)); trace(sizeof (string)); trace(sizeof curthread->comm * 2); }",
        &[
            "trace(48:u64)",
            "trace(24:u64)",
            "trace(256:u64)",
            "trace(32:u64)",
        ],
    );
}

#[test]
fn declared_structures_by_value() {
    has(
        "struct s { int a; char b[4]; unsigned f : 3; }; struct s v; self struct s t; \
         BEGIN { v.a = 1; trace(v.a); self->t = v; trace(v.f); trace(v); }",
        &[
            "var v: bytes[12]",
            "(= v 1:i32)",
            "trace(v:i32)",
            "(= self->t v:bytes[12])",
            "trace(v:bytes[12])",
        ],
    );
}

#[test]
fn enumerators_are_constants() {
    has(
        "enum e { A, B = 5, C }; BEGIN { trace(C); }",
        &["trace(6:i32)"],
    );
}

#[test]
fn kernel_variables_and_functions() {
    has(
        "BEGIN { trace(`jiffies); trace(vmlinux`init_task.pid); trace((uintptr_t)&`do_exit); }",
        &[
            "trace((load:u64 4096:u64 +0))",
            "trace((load:i32 4096:u64 +0))",
            "trace(4096:u64)",
        ],
    );
}

#[test]
fn records_of_the_other_actions() {
    has(
        "BEGIN { @a[pid] = count(); tracemem(curthread, 16); stack(3); sym(arg0); printa(\"%d %@d\\n\", @a); trunc(@a, 5); \
         normalize(@a, 3); clear(@a); denormalize(@a); setopt(\"quiet\"); print(curthread->pid); system(\"ls %d\", pid); \
         freopen(\"\"); trace(*curthread); raise(9); stop(); chill(5); ftruncate(); }",
        &[
            "tracemem((mem:bytes[16] curthread:u64 +0))",
            "stack(stack[3])",
            "sym((sym arg0))",
            "printa[%d %@d\\n]@[0]()",
            "trunc@0(5:i64)",
            "normalize@0(3:i64)",
            "clear@0()",
            "denormalize@0()",
            "setopt(\"quiet\")",
            "print<int>((load:i32 curthread:u64 +0))",
            "system[ls %d](pid:i32)",
            "freopen[]()",
            "trace((mem:bytes[48] curthread:u64 +0))",
            "raise(9:i32)",
            "stop()",
        ],
    );
}

#[test]
fn info_tells_matches_destruction_and_stability() {
    let mut world = FakeWorld;
    let mut c = Compiler::new(&mut world, Options::default());
    let info = add(&mut c, "syscall:::entry, BEGIN { trace(pid); }").unwrap();
    assert_eq!((info.matched, info.destructive), (3, false));
    assert_eq!(info.stability.to_string(), "Stable/Stable/Common");
    let info = add(&mut c, "BEGIN { trace(curthread); stop(); }").unwrap();
    assert!(info.destructive);
    assert_eq!(info.stability.to_string(), "Stable/Private/Common");
    assert_eq!(c.finish().clauses.len(), 3);
}

#[test]
fn zdefs_checks_and_keeps_clauses_without_probes() {
    let options = Options {
        zdefs: true,
        ..Options::default()
    };
    let kept = try_compile(options.clone(), &["nosuch::: { trace(pid); }"]).unwrap();
    assert!(kept.contains("pid") && !kept.contains("nosuch"), "{kept}");
    assert!(try_compile(options, &["nosuch::: { trace(bogus); }"]).is_err());
}

#[test]
fn older_versions_lack_newer_names() {
    let options = Options {
        version: lang::Version(1, 0, 0),
        ..Options::default()
    };
    let error = try_compile(options, &["BEGIN { trace(strchr(\"a\", 'a')); }"]).unwrap_err();
    assert_eq!(error.tag.name(), "D_FUNC_UNDEF");
}

#[test]
fn deep_and_wide_expressions_end_in_code_or_an_error() {
    let deep = format!(
        "BEGIN {{ trace({}1{}); }}",
        "(pid+".repeat(200),
        ")".repeat(200)
    );
    let _ = try_compile(Options::default(), &[&deep]);
    let wide = format!("BEGIN {{ trace(pid{}); }}", "+pid".repeat(5000));
    let _ = try_compile(Options::default(), &[&wide]);
    let mut bomb = String::from("inline int i0 = pid;");
    for i in 1..60 {
        bomb += &format!("inline int i{i} = i{} + i{};", i - 1, i - 1);
    }
    let error = try_compile(Options::default(), &[&bomb]).unwrap_err();
    assert!(error.message.contains("too large"), "{}", error.message);
}
