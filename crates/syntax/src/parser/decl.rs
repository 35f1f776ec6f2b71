//! Declaration specifiers and declarations.

use super::Parser;
use crate::R;
use crate::ast::{ArithBase, Decl, DeclSpec, Declarator, StorageClass, TypeName, TypeSpec};
use crate::token::{Kw, P, Tok};
use diag::{Span, Tag};

/// What the arithmetic words of specifiers say so far.
#[derive(Default)]
struct Arith {
    base: Option<ArithBase>,
    unsigned: Option<bool>,
    short: bool,
    long: u8,
}

impl Arith {
    fn any(&self) -> bool {
        self.base.is_some() || self.attributes()
    }

    fn attributes(&self) -> bool {
        self.unsigned.is_some() || self.short || self.long > 0
    }
}

fn storage_class(tok: &Tok) -> Option<StorageClass> {
    let Tok::Kw(kw) = tok else { return None };
    let rows = [
        (Kw::Auto, StorageClass::Auto),
        (Kw::Register, StorageClass::Register),
        (Kw::Static, StorageClass::Static),
        (Kw::Extern, StorageClass::Extern),
        (Kw::Typedef, StorageClass::Typedef),
        (Kw::SelfWord, StorageClass::SelfVar),
        (Kw::This, StorageClass::ThisVar),
    ];
    rows.iter()
        .find(|(row, _)| row == kw)
        .map(|(_, class)| *class)
}

fn base_word(tok: &Tok) -> Option<ArithBase> {
    match tok {
        Tok::Kw(Kw::Void) => Some(ArithBase::Void),
        Tok::Kw(Kw::Char) => Some(ArithBase::Char),
        Tok::Kw(Kw::Int) => Some(ArithBase::Int),
        Tok::Kw(Kw::Float) => Some(ArithBase::Float),
        Tok::Kw(Kw::Double) => Some(ArithBase::Double),
        Tok::Ident(name) if name == "_Bool" => Some(ArithBase::Bool),
        _ => None,
    }
}

/// Specifiers under construction.
struct Specs {
    spec: DeclSpec,
    arith: Arith,
}

impl Parser<'_> {
    /// Does a type name begin here?
    pub(super) fn at_type(&mut self) -> bool {
        match &self.tok.tok {
            Tok::Ident(name) => !self.consts.contains_key(name) && self.lx.is_type(name),
            Tok::Kw(kw) => matches!(
                kw,
                Kw::Void
                    | Kw::Char
                    | Kw::Short
                    | Kw::Int
                    | Kw::Long
                    | Kw::Float
                    | Kw::Double
                    | Kw::Signed
                    | Kw::Unsigned
                    | Kw::String
                    | Kw::Struct
                    | Kw::Union
                    | Kw::Enum
                    | Kw::Const
                    | Kw::Volatile
                    | Kw::Restrict
                    | Kw::Userland
            ),
            _ => false,
        }
    }

    /// The same after `(` in an expression, where a name that is a type and a variable goes by what follows.
    pub(super) fn at_paren_type(&mut self) -> bool {
        let follows = self.lx.peek_byte();
        let name = matches!(self.tok.tok, Tok::Ident(_));
        let typelike =
            matches!(follows, b')' | b'*' | b'[' | b'(' | b'_') || follows.is_ascii_alphabetic();
        (!name || typelike) && self.at_type()
    }

    /// Is the word after the current token the first of a type or of parameters?
    pub(super) fn peek_is_type(&mut self) -> bool {
        let word = self.lx.peek_word();
        match Kw::from_text(word) {
            Some(_) => true,
            None => self.lx.is_type(word),
        }
    }

    /// Specifiers, as many as there are; maybe none.
    pub(super) fn specifiers(&mut self) -> R<DeclSpec> {
        let start = self.tok.span;
        let mut specs = Specs {
            spec: DeclSpec {
                classes: Vec::new(),
                ty: TypeSpec::None,
                is_const: false,
                is_volatile: false,
                is_restrict: false,
                is_userland: false,
                span: start,
            },
            arith: Arith::default(),
        };
        while self.specifier(&mut specs)? {}
        if self.last.end >= start.end {
            specs.spec.span = self.from(start);
        }
        let span = specs.spec.span;
        self.check_arith(&specs, span)?;
        let Specs { mut spec, arith } = specs;
        if arith.any() && matches!(spec.ty, TypeSpec::None) {
            let Arith {
                base,
                unsigned,
                short,
                long,
            } = arith;
            spec.ty = TypeSpec::Arith {
                base,
                unsigned,
                short,
                long,
                complex: false,
            };
        }
        Ok(spec)
    }

    /// One specifier, if one is next.
    fn specifier(&mut self, to: &mut Specs) -> R<bool> {
        let span = self.tok.span;
        if let Some(class) = storage_class(&self.tok.tok) {
            if !to.spec.classes.is_empty() {
                return self.fail(
                    Tag::D_DECL_CLASS,
                    span,
                    "only one storage class allowed in a declaration",
                );
            }
            to.spec.classes.push((class, span));
        } else if let Some(base) = base_word(&self.tok.tok) {
            if to.arith.base.is_some() || !matches!(to.spec.ty, TypeSpec::None) {
                return self.fail(Tag::D_DECL_COMBO, span, "invalid type combination");
            }
            to.arith.base = Some(base);
        } else if let Tok::Kw(kw) = self.tok.tok {
            return self.keyword_specifier(kw, to);
        } else if let Tok::Ident(name) = &self.tok.tok {
            let named = to.arith.any() || !matches!(to.spec.ty, TypeSpec::None);
            if named || !self.lx.is_type(name) {
                return Ok(false);
            }
            to.spec.ty = TypeSpec::Named(name.clone());
        } else {
            return Ok(false);
        }
        self.bump()?;
        Ok(true)
    }

    fn keyword_specifier(&mut self, kw: Kw, to: &mut Specs) -> R<bool> {
        let arith = &mut to.arith;
        let mut clash = false;
        match kw {
            Kw::Const => to.spec.is_const = true,
            Kw::Volatile => to.spec.is_volatile = true,
            Kw::Restrict => to.spec.is_restrict = true,
            Kw::Userland => to.spec.is_userland = true,
            Kw::Short => {
                clash = arith.long > 0;
                arith.short = true;
            }
            Kw::Long => {
                clash = arith.short || arith.long == 2;
                arith.long += u8::from(!clash);
            }
            Kw::Signed | Kw::Unsigned => {
                let unsigned = kw == Kw::Unsigned;
                clash = arith.unsigned.is_some_and(|u| u != unsigned);
                arith.unsigned = Some(unsigned);
            }
            Kw::String | Kw::Struct | Kw::Union | Kw::Enum => {
                if arith.base.is_some() || !matches!(to.spec.ty, TypeSpec::None) {
                    return self.fail(Tag::D_DECL_COMBO, self.tok.span, "invalid type combination");
                }
                to.spec.ty = self.tagged_type(kw)?;
                return Ok(true);
            }
            _ => return Ok(false),
        }
        if clash {
            return self.fail(Tag::D_DECL_COMBO, self.tok.span, "invalid type combination");
        }
        self.bump()?;
        Ok(true)
    }

    fn check_arith(&self, specs: &Specs, span: Span) -> R<()> {
        let Arith {
            base,
            unsigned,
            short,
            long,
        } = specs.arith;
        let other = !matches!(specs.spec.ty, TypeSpec::None);
        let float = matches!(base, Some(ArithBase::Float | ArithBase::Double));
        let invalid =
            |tag, text: &str| self.fail(tag, span, format!("invalid type declaration: {text}"));
        if base == Some(ArithBase::Char) && (short || long > 0) {
            return invalid(
                Tag::D_DECL_CHARATTR,
                "short and long may not be used with char type",
            );
        }
        if base == Some(ArithBase::Void) && specs.arith.attributes() {
            return invalid(
                Tag::D_DECL_VOIDATTR,
                "attributes may not be used with void type",
            );
        }
        if unsigned.is_some() && (other || float) {
            return invalid(
                Tag::D_DECL_SIGNINT,
                "signed and unsigned may only be used with integer type",
            );
        }
        if long > 0 && other {
            let text = "long and long long may only be used with integer or floating-point type";
            return invalid(Tag::D_DECL_LONGINT, text);
        }
        if short && (other || float) || base == Some(ArithBase::Bool) && specs.arith.attributes() {
            return self.fail(Tag::D_DECL_COMBO, span, "invalid type combination");
        }
        Ok(())
    }

    /// `string`, or `struct`, `union` or `enum` with its tag and members.
    fn tagged_type(&mut self, kw: Kw) -> R<TypeSpec> {
        self.bump()?;
        if kw == Kw::String {
            return Ok(TypeSpec::String);
        }
        let tag = match self.tok.tok {
            Tok::Ident(_) => Some(self.expect_ident()?.0),
            _ => None,
        };
        if !self.at(P::LBrace) {
            return match (tag, kw) {
                (None, _) => self.syntax_error(),
                (tag, Kw::Enum) => Ok(TypeSpec::Enum { tag, items: None }),
                (tag, _) => Ok(TypeSpec::Sou {
                    is_union: kw == Kw::Union,
                    tag,
                    members: None,
                }),
            };
        }
        self.bump()?;
        if kw == Kw::Enum {
            return Ok(TypeSpec::Enum {
                tag,
                items: Some(self.enumerators()?),
            });
        }
        let members = Some(self.nested(Self::members)?);
        Ok(TypeSpec::Sou {
            is_union: kw == Kw::Union,
            tag,
            members,
        })
    }

    fn enumerators(&mut self) -> R<Vec<(String, Option<crate::ast::Expr>, Span)>> {
        let mut items = Vec::new();
        loop {
            let (name, span) = self.expect_ident()?;
            if name.contains('`') {
                let text =
                    format!("D scoping operator may not be used in an enumerator name ({name})");
                return self.fail(Tag::D_DECL_SCOPE, span, text);
            }
            let value = if self.eat(P::Assign)? {
                Some(self.const_expr()?)
            } else {
                None
            };
            self.defined.insert(name.clone());
            items.push((name, value, span));
            if !self.eat(P::Comma)? || self.at(P::RBrace) {
                self.expect(P::RBrace)?;
                return Ok(items);
            }
        }
    }

    fn members(&mut self) -> R<Vec<Decl>> {
        let mut members = Vec::new();
        while !self.at(P::RBrace) {
            members.push(self.member()?);
        }
        self.expect(P::RBrace)?;
        Ok(members)
    }

    fn member(&mut self) -> R<Decl> {
        let start = self.tok.span;
        if !self.at_type() {
            return self.syntax_error();
        }
        let spec = self.specifiers()?;
        let mut declrs = Vec::new();
        while !self.at(P::Semi) {
            let mut declr = self.declarator()?;
            if let Some((name, span)) = declr.name.as_ref().filter(|(n, _)| n.contains('`')) {
                let text = format!("D scoping operator may not be used in a member name ({name})");
                return self.fail(Tag::D_DECL_SCOPE, *span, text);
            }
            if self.eat(P::Colon)? {
                declr.bits = Some(Box::new(self.const_expr()?));
            }
            declrs.push(declr);
            if !self.eat(P::Comma)? {
                break;
            }
            if self.at(P::Semi) {
                return self.syntax_error();
            }
        }
        self.expect_after_declarator(P::Semi)?;
        Ok(Decl {
            spec,
            declrs,
            span: self.from(start),
        })
    }

    /// A second name after a declarator means that the first was to be a type.
    pub(super) fn expect_after_declarator(&mut self, p: P) -> R<Span> {
        if matches!(self.tok.tok, Tok::Ident(_)) {
            let text = "old-style declaration or incorrect type specified";
            return self.fail(Tag::D_DECL_IDENT, self.last, text);
        }
        self.expect(p)
    }

    /// Specifiers with an abstract declarator. The caller knows that a type begins here.
    pub(super) fn type_name(&mut self) -> R<TypeName> {
        let start = self.tok.span;
        let spec = self.specifiers()?;
        let declr = self.declarator()?;
        if declr.name.is_some() {
            return self.syntax_error();
        }
        Ok(TypeName {
            spec,
            declr,
            span: self.from(start),
        })
    }

    /// A declaration between clauses.
    pub(super) fn declaration(&mut self) -> R<Decl> {
        let start = self.tok.span;
        let spec = self.specifiers()?;
        if start == spec.span && self.last.end <= start.start {
            return self.syntax_error();
        }
        if let Some((StorageClass::Auto | StorageClass::Register | StorageClass::Static, span)) =
            spec.classes.first()
        {
            return self.fail(
                Tag::D_DECL_BADCLASS,
                *span,
                "specified storage class not appropriate in D",
            );
        }
        let mut declrs = Vec::new();
        while !self.at(P::Semi) {
            let declr = self.named_declarator(&spec)?;
            declrs.push(declr);
            if !self.eat(P::Comma)? {
                break;
            }
            if self.at(P::Semi) {
                return self.syntax_error();
            }
        }
        if !self.at(P::Semi) {
            self.expect_after_declarator(P::Semi)?;
        }
        let defines = matches!(spec.ty, TypeSpec::Sou { .. } | TypeSpec::Enum { .. });
        if declrs.is_empty() && !defines {
            return self.fail(Tag::D_DECL_USELESS, spec.span, "useless declaration");
        }
        self.expect_last(P::Semi)?;
        Ok(Decl {
            spec,
            declrs,
            span: self.from(start),
        })
    }

    /// A declarator of a declaration between clauses; a `typedef` is known from here on.
    fn named_declarator(&mut self, spec: &DeclSpec) -> R<Declarator> {
        let declr = self.declarator()?;
        let Some((name, span)) = &declr.name else {
            return self.syntax_error();
        };
        let class = spec.classes.first().map(|(class, _)| *class);
        if name.contains('`') && class != Some(StorageClass::Extern) {
            let text = format!("D scoping operator may not be used in a declaration name ({name})");
            return self.fail(Tag::D_DECL_SCOPE, *span, text);
        }
        if class == Some(StorageClass::Typedef) {
            self.lx.add_typedef(name);
        } else {
            self.defined.insert(name.clone());
        }
        Ok(declr)
    }
}
