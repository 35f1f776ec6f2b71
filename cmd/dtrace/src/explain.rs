//! `--explain D_TAG`: what an error means and how to mend it. Tags with a row of their own first, then families.

use diag::Tag;

/// Tag and what it means.
type Row = (Tag, &'static str);

const TAGS: &[Row] = &[
    (
        Tag::D_SYNTAX,
        "The text is not D. The message names the token where reading stopped; the mistake is there or just before.\nA clause is: probe descriptions, then /predicate/ if any, then { statements }. On the command line the braces may be\nleft out altogether; in a script they may not.",
    ),
    (
        Tag::D_EMPTY,
        "The program has no clause and no declaration, perhaps because all of it is a comment. -xempty allows that.",
    ),
    (
        Tag::D_PDESC_ZERO,
        "No probe has this description. Fields are provider:module:function:name, and those on the left may be left out.\n`dtrace -l` lists all probes, `dtrace -ln 'syscall:::'` some. -Z makes it no error.",
    ),
    (
        Tag::D_PDESC_INVAL,
        "The probe description cannot be read: more than three colons, too many globbing characters, or an unknown probe id.",
    ),
    (
        Tag::D_IDENT_UNDEF,
        "The name is no built-in variable, D variable, inline or kernel symbol known here.\nGlobal variables come into being by the first assignment in the text: x = 1; then x may be read below it.",
    ),
    (
        Tag::D_VAR_UNDEF,
        "A variable is read before the text assigns it.\nThread-local: self->x, clause-local: this->x, global: x. Order in the text counts, not order in time.",
    ),
    (
        Tag::D_FUNC_UNDEF,
        "There is no function, action or aggregating function of that name.",
    ),
    (
        Tag::D_PROTO_LEN,
        "A function got too few or too many arguments. The message says how many it takes.",
    ),
    (
        Tag::D_PROTO_ARG,
        "An argument has a type that the function cannot take. The message shows both types.\nUser strings must be fetched first: copyinstr(arg0).",
    ),
    (
        Tag::D_KEY_TYPE,
        "A value of this kind cannot be a key of an array or aggregation. Keys are integers, pointers, strings and, for\naggregations, stack(), ustack() and sym() with their relatives.",
    ),
    (
        Tag::D_OP_INCOMPAT,
        "The two sides have types that do not go together, such as a string and an integer.\nUse stringof(), a cast, or copyinstr() for strings of the traced process.",
    ),
    (
        Tag::D_OP_LVAL,
        "The left side of an assignment must be a variable or memory that D may write.",
    ),
    (
        Tag::D_OP_WRITE,
        "Built-in variables and kernel symbols cannot be assigned to.",
    ),
    (
        Tag::D_OP_SOU,
        "-> and . need a struct or union. For args[0]->x, look at the type with dtrace -lv.",
    ),
    (
        Tag::D_OP_ACT,
        "An action, such as trace() or printf(), is a statement and has no value. Use a predicate or if () to make it conditional.",
    ),
    (
        Tag::D_PRED_SCALAR,
        "A predicate must be a number or pointer: strings are compared, as in /execname == \"sh\"/.",
    ),
    (
        Tag::D_AGG_FUNC,
        "Aggregations only take aggregating functions: @a[key] = count();",
    ),
    (
        Tag::D_AGG_REDEF,
        "One aggregation always has the same aggregating function. Choose another name for the second one.",
    ),
    (
        Tag::D_AGG_NULL,
        "An aggregation by itself does nothing. Write @a = count(); or printa(@a);",
    ),
    (
        Tag::D_TRACE_AGG,
        "Values of aggregations exist only outside the kernel. Print them with printa(@a).",
    ),
    (
        Tag::D_PRINTF_ARG_PROTO,
        "The format has more conversions than there are arguments. %% prints a percent sign.",
    ),
    (
        Tag::D_PRINTF_ARG_EXTRA,
        "There are more arguments than the format has conversions.",
    ),
    (
        Tag::D_PRINTF_ARG_TYPE,
        "A conversion does not fit its argument: %d and %x take integers, %s strings, %p pointers, %k stacks, %a addresses.\nThe message shows both.",
    ),
    (
        Tag::D_PRINTF_ARG_FMT,
        "The format must be a string constant.",
    ),
    (
        Tag::D_MACRO_UNDEF,
        "$1 and its like are arguments of the command line: dtrace -s script.d one two.\n-xdefaultargs makes missing ones 0 and \"\".",
    ),
    (
        Tag::D_MACRO_UNUSED,
        "An argument was given that the program does not use. -xargref allows that.",
    ),
    (
        Tag::D_ARGS_NONE,
        "args[] belongs to a probe and can only be used in its clause.",
    ),
    (
        Tag::D_ARGS_IDX,
        "The probe has fewer arguments. dtrace -lvn PROBE shows them with their types.",
    ),
    (
        Tag::D_ARGS_MULTI,
        "The probes of this clause have arguments of different types, so args[] has no type here.\nUse arg0, arg1, … (always integers), or one clause a probe.",
    ),
    (
        Tag::D_DIV_ZERO,
        "A constant expression divides by zero. (Division by a variable that is zero is a fault at run time.)",
    ),
    (
        Tag::D_TYPE_MEMBER,
        "The struct or union has no such member in the running kernel. dtrace -e --dump=typed shows what was resolved.",
    ),
    (Tag::D_INT_OFLOW, "The constant does not fit 64 bits."),
    (
        Tag::D_STR_NL,
        "A string constant ends with its line. Use \\n for a newline inside.",
    ),
    (
        Tag::D_PRAGCTL_INVAL,
        "Only #pragma D, #line, #error and #ident are known. For #include and #define give -C, which runs the preprocessor.",
    ),
    (
        Tag::D_PRAGMA_OPTSET,
        "The option of a #pragma D option line does not exist, or cannot have this value. docs/DTRACE.md lists all.",
    ),
    (
        Tag::D_UNKNOWN,
        "No tag of its own. The message says what cannot be done.",
    ),
];

/// Beginning of a tag and what its family is about.
const FAMILIES: &[(&str, &str)] = &[
    (
        "D_ADDROF",
        "& needs something that has an address: no bit-fields, no D variables that live outside memory.",
    ),
    (
        "D_AGG",
        "Aggregations are assigned the result of an aggregating function, and are otherwise only given to printa(), clear(),\ntrunc(), normalize() and denormalize().",
    ),
    (
        "D_ARGS",
        "args[] are the typed arguments of a probe; dtrace -lvn PROBE shows them.",
    ),
    (
        "D_ARR",
        "Array indices must fit the declaration; associative arrays are global or thread-local.",
    ),
    (
        "D_ATTR",
        "-x amin forbids what is less stable than it says.",
    ),
    ("D_CAST", "This type cannot be converted to that one."),
    (
        "D_CG",
        "This form of expression cannot be computed inside a probe.",
    ),
    (
        "D_CHR",
        "Character constants hold one to eight characters on one line.",
    ),
    ("D_CLEAR", "clear(@a) takes one aggregation."),
    (
        "D_COMM",
        "commit() must come before everything a clause records, once.",
    ),
    (
        "D_DECL",
        "Declarations are those of C. Storage classes in D are self, this, extern and typedef.",
    ),
    (
        "D_DEREF",
        "* and -> need a pointer to something of known type.",
    ),
    (
        "D_DREC",
        "commit() must come before everything a clause records.",
    ),
    ("D_EXIT", "exit() cannot be in a speculating clause."),
    ("D_FREOPEN", "freopen() takes the path of a file."),
    ("D_FUNC", "What is called must be a function."),
    ("D_ID", "The name cannot be used in this way."),
    (
        "D_INT",
        "Integer constants are decimal, 0 octal or 0x hexadecimal, with u and l suffixes.",
    ),
    (
        "D_LLQUANT",
        "llquantize(value, factor, low, high, steps): all but the first are integer constants; factor at least 2, low < high,\nand the steps are a multiple of the factor. All uses of one aggregation have the same ones.",
    ),
    (
        "D_LQUANT",
        "lquantize(value, base, limit, step): all but the first are 32-bit integer constants; base < limit, step > 0.\nAll uses of one aggregation have the same ones.",
    ),
    (
        "D_MACRO",
        "$name and $1 are macro variables; they are replaced before compiling.",
    ),
    (
        "D_NOREG",
        "The expression is too deep. Break it up with this-> variables.",
    ),
    (
        "D_NORMALIZE",
        "normalize(@a, n) divides the printed values of an aggregation by a number.",
    ),
    (
        "D_OFFSETOF",
        "offsetof(type, member) needs a struct or union and a member that is no bit-field.",
    ),
    (
        "D_OP",
        "The operator cannot be applied to operands of these types.",
    ),
    (
        "D_PRAGMA",
        "#pragma D lines are: option, attributes, binding, depends_on.",
    ),
    ("D_PRAGERR", "The text says so itself, with #error."),
    (
        "D_PRINTA",
        "printa([format,] @a, …): %@d prints a value, other conversions the keys; all aggregations need the same keys.",
    ),
    (
        "D_PRINTF",
        "printf() formats are those of C, checked against the arguments; %a addresses, %k stacks, %Y times.",
    ),
    ("D_PRINTM", "printm() is not part of this version."),
    ("D_PRINT", "print() takes a value of known type."),
    ("D_PROC", "The process or the place in it cannot be traced."),
    ("D_PROTO", "The arguments do not fit the prototype."),
    (
        "D_PROV",
        "provider definitions name probes and the types of their arguments.",
    ),
    ("D_REGS", "uregs[] has no such register."),
    ("D_SIZEOF", "sizeof needs a type of known size."),
    ("D_SPEC", "speculate() must come first in its clause, once."),
    (
        "D_STACK",
        "stack([frames]): the number is a positive constant.",
    ),
    (
        "D_STRINGOF",
        "stringof() takes strings, char arrays and pointers.",
    ),
    (
        "D_SYM",
        "Kernel symbols are module`symbol or `symbol and need type data.",
    ),
    (
        "D_TRACEMEM",
        "tracemem(address, size [, limit]): the size is a positive constant.",
    ),
    (
        "D_TRACE",
        "trace() takes a value: no void expression, no aggregation (see printa).",
    ),
    (
        "D_TRUNC",
        "trunc(@a [, n]) keeps the n highest values (negative: lowest).",
    ),
    ("D_TYPE", "A type could not be found or has no such member."),
    ("D_USTACK", "ustack([frames [, strsize]]): constants."),
    (
        "D_XLATE",
        "Translators turn a struct of the kernel into one that programs see; all members used need a definition.",
    ),
    ("D_ACT", "Destructive actions cannot be speculative."),
    (
        "D_ASRELO",
        "The program refers to a symbol that is not there.",
    ),
];

/// What a tag means.
fn meaning(tag: Tag) -> Option<&'static str> {
    let own = TAGS.iter().find(|(t, _)| *t == tag).map(|(_, why)| *why);
    own.or_else(|| {
        FAMILIES
            .iter()
            .find(|(start, _)| tag.name().starts_with(start))
            .map(|(_, why)| *why)
    })
}

/// The explanation of a tag; `Err` if there is no such tag.
pub fn tag(name: &str) -> Result<String, String> {
    let wanted = name.to_ascii_uppercase();
    let known = Tag::ALL.iter().find(|t| t.name() == wanted);
    match known.and_then(|t| meaning(*t)) {
        Some(why) => Ok(format!("{wanted}\n\n{why}\n")),
        None => Err(format!(
            "unknown error tag: {name} (-xerrtags shows the tags of errors)"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tag_is_explained() {
        let missing: Vec<&str> = Tag::ALL
            .iter()
            .filter(|t| meaning(**t).is_none())
            .map(|t| t.name())
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn unknown_tags_are_refused() {
        assert!(tag("d_syntax").is_ok_and(|t| t.starts_with("D_SYNTAX\n")));
        assert!(tag("D_NONSENSE").is_err());
    }
}
