//! Lexer and parser of D, hand-written: D needs lexer states, `typedef` feedback, `/predicate/` against division, probe
//! descriptions, macro arguments and tagged errors.

pub mod ast;
