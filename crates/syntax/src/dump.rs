//! The tree as text, for `--dump=ast`: one item, statement or part a line, expressions as nested lists.

use crate::ast::*;
use std::fmt::Write;

/// Writes a unit as text. No positions, so that the text is stable under reformatting of the program.
pub fn dump(unit: &Unit) -> String {
    let mut out = String::new();
    for (name, value, _) in &unit.options {
        let value = value.as_ref().map(|v| format!("={v}")).unwrap_or_default();
        line(&mut out, 0, &format!("option {name}{value}"));
    }
    for item in &unit.items {
        self::item(&mut out, item);
    }
    out
}

fn line(out: &mut String, indent: usize, text: &str) {
    let _ = writeln!(out, "{:indent$}{text}", "", indent = indent * 2);
}

fn item(out: &mut String, item: &Item) {
    match item {
        Item::Clause(c) => clause(out, c),
        Item::Decl(d) => line(out, 0, &format!("decl {}", decl(d))),
        Item::Inline(i) => {
            let text = format!(
                "inline {} {} = {}",
                spec(&i.spec),
                declarator(&i.declr),
                expr(&i.body)
            );
            line(out, 0, &text);
        }
        Item::Translator(t) => {
            let head = format!(
                "translator {} < {} {} >",
                type_name(&t.output),
                type_name(&t.input),
                t.param
            );
            line(out, 0, &head);
            for (name, value, _) in &t.members {
                line(out, 1, &format!("{name} = {}", expr(value)));
            }
        }
        Item::Provider(p) => {
            line(out, 0, &format!("provider {}", p.name));
            for probe in &p.probes {
                let xlated = probe
                    .xlated
                    .as_ref()
                    .map(|x| format!(" : ({})", params(x)))
                    .unwrap_or_default();
                line(
                    out,
                    1,
                    &format!("probe {}({}){xlated}", probe.name, params(&probe.args)),
                );
            }
        }
        Item::Pragma(p) => line(out, 0, &format!("pragma {} {}", p.name, p.words.join(" "))),
    }
}

fn clause(out: &mut String, clause: &Clause) {
    line(out, 0, "clause");
    for spec in &clause.specs {
        match spec {
            Spec::Text(text, _) => line(out, 1, &format!("spec {text}")),
            Spec::Id(id, _) => line(out, 1, &format!("spec id {id}")),
        }
    }
    if let Some(predicate) = &clause.predicate {
        line(out, 1, &format!("predicate {}", expr(predicate)));
    }
    match &clause.body {
        Some(body) => {
            line(out, 1, "body");
            stmts(out, 2, body);
        }
        None => line(out, 1, "no body"),
    }
}

fn stmts(out: &mut String, indent: usize, list: &[Stmt]) {
    for stmt in list {
        match stmt {
            Stmt::Expr(e) => line(out, indent, &expr(e)),
            Stmt::If {
                arms, otherwise, ..
            } => {
                for (word, arm) in std::iter::once("if")
                    .chain(std::iter::repeat("else if"))
                    .zip(arms)
                {
                    line(out, indent, &format!("{word} {}", expr(&arm.cond)));
                    stmts(out, indent + 1, &arm.then);
                }
                if !otherwise.is_empty() {
                    line(out, indent, "else");
                    stmts(out, indent + 1, otherwise);
                }
            }
        }
    }
}

fn join<T>(list: &[T], one: impl Fn(&T) -> String) -> String {
    list.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// An expression as text, for dumps and tests.
fn expr(e: &Expr) -> String {
    let mut out = String::new();
    write_expr(&mut out, e);
    out
}

fn list(out: &mut String, head: &str, parts: &[&Expr]) {
    out.push('(');
    out.push_str(head);
    for part in parts {
        out.push(' ');
        write_expr(out, part);
    }
    out.push(')');
}

fn int(value: u64, rank: IntRank) -> String {
    let suffix = match rank {
        IntRank::Int => "",
        IntRank::UInt => "u",
        IntRank::Long => "l",
        IntRank::ULong => "ul",
        IntRank::LongLong => "ll",
        IntRank::ULongLong => "ull",
    };
    if rank.signed() {
        format!("{}{suffix}", value as i64)
    } else {
        format!("{value}{suffix}")
    }
}

fn write_expr(out: &mut String, e: &Expr) {
    use ExprKind::*;
    match &e.kind {
        Int(value, rank) => out.push_str(&int(*value, *rank)),
        Str(bytes) => {
            let _ = write!(out, "\"{}\"", bytes.escape_ascii());
        }
        Ident(name) => out.push_str(name),
        Agg(name) => {
            out.push('@');
            out.push_str(name);
        }
        SelfKw => out.push_str("self"),
        ThisKw => out.push_str("this"),
        Index(base, keys) => list(out, "index", &with(base, keys)),
        Call(base, args) => list(out, "call", &with(base, args)),
        Dot(base, name) => list(out, &format!(".{name}"), &[base]),
        Arrow(base, name) => list(out, &format!("->{name}"), &[base]),
        Unary(op, a) => list(out, unary_op(*op), &[a]),
        Post(op, a) => list(out, step_op(*op, "post"), &[a]),
        Pre(op, a) => list(out, step_op(*op, "pre"), &[a]),
        Binary(op, a, b) => list(out, binary_op(*op), &[a, b]),
        Cond(c, a, b) => list(out, "?:", &[c, a, b]),
        Assign(None, a, b) => list(out, "=", &[a, b]),
        Assign(Some(op), a, b) => list(out, &format!("{}=", binary_op(*op)), &[a, b]),
        Comma(a, b) => list(out, ",", &[a, b]),
        Cast(ty, a) => list(out, &format!("cast <{}>", type_name(ty)), &[a]),
        SizeofType(ty) => {
            let _ = write!(out, "(sizeof <{}>)", type_name(ty));
        }
        Sizeof(a) => list(out, "sizeof", &[a]),
        Stringof(a) => list(out, "stringof", &[a]),
        Offsetof(ty, member) => {
            let _ = write!(out, "(offsetof <{}> {member})", type_name(ty));
        }
        Xlate(ty, a) => list(out, &format!("xlate <{}>", type_name(ty)), &[a]),
    }
}

fn with<'e>(base: &'e Expr, rest: &'e [Expr]) -> Vec<&'e Expr> {
    std::iter::once(base).chain(rest).collect()
}

fn unary_op(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Addr => "&",
        UnaryOp::Deref => "*",
        UnaryOp::Plus => "+",
        UnaryOp::Neg => "-",
        UnaryOp::BitNot => "~",
        UnaryOp::Not => "!",
    }
}

fn step_op(op: StepOp, side: &str) -> &'static str {
    match (op, side) {
        (StepOp::Inc, "pre") => "pre++",
        (StepOp::Inc, _) => "post++",
        (StepOp::Dec, "pre") => "pre--",
        (StepOp::Dec, _) => "post--",
    }
}

fn binary_op(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Mod => "%",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Lt => "<",
        BinaryOp::Gt => ">",
        BinaryOp::Le => "<=",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::And => "&",
        BinaryOp::Xor => "^",
        BinaryOp::Or => "|",
        BinaryOp::LAnd => "&&",
        BinaryOp::LXor => "^^",
        BinaryOp::LOr => "||",
    }
}

fn class(class: StorageClass) -> &'static str {
    match class {
        StorageClass::Auto => "auto",
        StorageClass::Register => "register",
        StorageClass::Static => "static",
        StorageClass::Extern => "extern",
        StorageClass::Typedef => "typedef",
        StorageClass::SelfVar => "self",
        StorageClass::ThisVar => "this",
    }
}

fn qualifiers(c: bool, v: bool, r: bool, u: bool) -> String {
    let rows = [
        (c, "const"),
        (v, "volatile"),
        (r, "restrict"),
        (u, "userland"),
    ];
    rows.iter()
        .filter(|(on, _)| *on)
        .map(|(_, word)| format!("{word} "))
        .collect()
}

fn spec(s: &DeclSpec) -> String {
    let classes: String = s
        .classes
        .iter()
        .map(|(c, _)| format!("{} ", class(*c)))
        .collect();
    let quals = qualifiers(s.is_const, s.is_volatile, s.is_restrict, s.is_userland);
    format!("{classes}{quals}{}", type_spec(&s.ty))
}

fn type_spec(ty: &TypeSpec) -> String {
    match ty {
        TypeSpec::None => "untyped".to_owned(),
        TypeSpec::Arith {
            base,
            unsigned,
            short,
            long,
            complex,
        } => arith(*base, *unsigned, *short, *long, *complex),
        TypeSpec::String => "string".to_owned(),
        TypeSpec::Named(name) => name.clone(),
        TypeSpec::Sou {
            is_union,
            tag,
            members,
        } => {
            let word = if *is_union { "union" } else { "struct" };
            let tag = tag.as_ref().map(|t| format!(" {t}")).unwrap_or_default();
            let members = members.as_ref().map(|m| {
                let members: String = m.iter().map(|d| format!("{}; ", decl(d))).collect();
                format!(" {{ {members}}}")
            });
            format!("{word}{tag}{}", members.unwrap_or_default())
        }
        TypeSpec::Enum { tag, items } => {
            let tag = tag.as_ref().map(|t| format!(" {t}")).unwrap_or_default();
            let one = |(name, value, _): &(String, Option<Expr>, diag::Span)| match value {
                Some(value) => format!("{name} = {}", expr(value)),
                None => name.clone(),
            };
            let items = items.as_ref().map(|i| format!(" {{ {} }}", join(i, one)));
            format!("enum{tag}{}", items.unwrap_or_default())
        }
    }
}

fn arith(
    base: Option<ArithBase>,
    unsigned: Option<bool>,
    short: bool,
    long: u8,
    complex: bool,
) -> String {
    let sign = unsigned.map(|u| if u { "unsigned" } else { "signed" });
    let base = base.map(|b| match b {
        ArithBase::Void => "void",
        ArithBase::Char => "char",
        ArithBase::Int => "int",
        ArithBase::Float => "float",
        ArithBase::Double => "double",
        ArithBase::Bool => "_Bool",
    });
    let longs = std::iter::repeat_n("long", usize::from(long));
    let words = sign
        .into_iter()
        .chain(short.then_some("short"))
        .chain(longs);
    let words = words.chain(base).chain(complex.then_some("complex"));
    words.collect::<Vec<_>>().join(" ")
}

fn decl(d: &Decl) -> String {
    let declrs = join(&d.declrs, declarator);
    let gap = if declrs.is_empty() { "" } else { " " };
    format!("{}{gap}{declrs}", spec(&d.spec))
}

/// Reads from the name outwards: `x [3] *` is an array of three pointers.
fn declarator(d: &Declarator) -> String {
    let name = d.name.iter().map(|(n, _)| n.clone());
    let bits = d.bits.iter().map(|b| format!(": {}", expr(b)));
    name.chain(d.layers.iter().map(layer))
        .chain(bits)
        .collect::<Vec<_>>()
        .join(" ")
}

fn layer(layer: &Layer) -> String {
    match layer {
        Layer::Pointer {
            is_const,
            is_volatile,
            is_restrict,
            is_userland,
        } => {
            let quals = qualifiers(*is_const, *is_volatile, *is_restrict, *is_userland);
            format!("*{}", quals.trim_end())
        }
        Layer::Array(size, _) => {
            format!("[{}]", size.as_ref().map(|s| expr(s)).unwrap_or_default())
        }
        Layer::Assoc(keys, _) => format!("[{}]", params(keys)),
        Layer::Func(list, variadic, _) => {
            let dots = match (variadic, list.is_empty()) {
                (true, true) => "...",
                (true, false) => ", ...",
                (false, _) => "",
            };
            format!("({}{dots})", params(list))
        }
    }
}

fn params(list: &[Param]) -> String {
    join(list, |p| {
        format!("{} {}", spec(&p.spec), declarator(&p.declr))
            .trim_end()
            .to_owned()
    })
}

fn type_name(ty: &TypeName) -> String {
    format!("{} {}", spec(&ty.spec), declarator(&ty.declr))
        .trim_end()
        .to_owned()
}
