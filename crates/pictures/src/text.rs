//! Names in XML and JSON.

use consumer::data::Item;
use std::fmt::Write;

/// What stands for a character that is no text, or that XML 1.0 does not have.
fn shown(c: char) -> char {
    match c {
        // Control pictures.
        '\0'..='\x1f' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
        '\x7f' => '\u{2421}',
        // C1 controls, marks that change the direction of what follows, and what is no character.
        '\u{80}'..='\u{9f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{fffe}'
        | '\u{ffff}' => '\u{fffd}',
        c => c,
    }
}

/// Appends text to XML; it may stand in an attribute in double quotes.
pub fn xml(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            c => out.push(shown(c)),
        }
    }
}

/// Appends a JSON string that may stand in XML, and in a script of HTML.
pub fn json(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '<' | '>' | '&' | '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// The same, as it is to be read: control characters are pictures of themselves.
pub fn json_shown(out: &mut String, text: &str) {
    let plain: String = text.chars().map(shown).collect();
    json(out, &plain);
}

/// A value in one line.
pub fn item(item: &Item) -> String {
    match item {
        Item::Int(v) => v.to_string(),
        Item::Uint(v) => v.to_string(),
        Item::Text(text) => text.clone(),
        Item::Bytes(bytes) => bytes.iter().map(|b| format!("{b:02x}")).collect(),
        Item::Symbol(frame) => frame.full_place(),
        Item::Stack(frames) => {
            let places: Vec<_> = frames.iter().map(|f| f.full_place()).collect();
            places.join(" < ")
        }
    }
}

/// The text, or its beginning and an ellipsis: at most so many characters.
pub fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept = text.chars().take(most.saturating_sub(1));
    kept.chain(['\u{2026}']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_names_hold_is_escaped() {
        let name = "std::map<a, b>::operator&(\"x\")\u{1}\n\u{202e}\u{7f}é";
        let mut out = String::new();
        xml(&mut out, name);
        assert_eq!(
            out,
            "std::map&lt;a, b&gt;::operator&amp;(&quot;x&quot;)\u{2401}\u{240a}\u{fffd}\u{2421}é"
        );
        let mut out = String::new();
        json(&mut out, name);
        assert_eq!(
            out,
            "\"std::map\\u003ca, b\\u003e::operator\\u0026(\\\"x\\\")\\u0001\\u000a\u{202e}\\u007fé\""
        );
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab\u{2026}");
        assert_eq!(cut("éé", 1), "\u{2026}");
    }
}
