//! The page around a picture: title, what is to be known about it, scripts.

use crate::text;
use std::fmt::Write;

/// Pixels across; scripts draw anew for the window that there is.
pub const WIDTH: u32 = 1200;
/// Pixels left free on either side.
pub const MARGIN: u32 = 10;
/// Pixels of a line of text.
const LINE: u32 = 18;
/// Pixels of a character of the font.
pub const CHAR: f64 = 7.25;

/// What the text of a picture says beside its data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// Title.
    pub title: String,
    /// When, where and how long it was recorded.
    pub made: String,
    /// What was lost or is not whole, a line each (`LOST: 12 drops`).
    pub lost: Vec<String>,
}

/// A page that is being written.
pub struct Page {
    body: String,
    /// Where the next thing goes.
    y: u32,
}

const STYLE: &str = "\
text{font:12px 'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#222}
.title{font-size:17px;font-weight:bold}
.small{fill:#666}
.lost{fill:#b00020;font-weight:bold}
.frame text,.nopointer{pointer-events:none}
.tool{cursor:pointer;fill:#0a58ca}
.tool:focus,.graph:focus{outline:2px solid #0a58ca}
";

impl Page {
    /// Begins with the title and what is to be known.
    pub fn new(about: &About) -> Page {
        let mut page = Page {
            body: String::new(),
            y: 8,
        };
        page.y += 6;
        page.line("title", &about.title);
        page.line("small", &about.made);
        for lost in &about.lost {
            page.line("lost", lost);
        }
        page
    }

    /// Adds a line of text.
    pub fn line(&mut self, class: &str, line: &str) {
        if line.is_empty() {
            return;
        }
        self.y += LINE;
        // Writing to a String cannot fail.
        let _ = write!(self.body, "<text x=\"{MARGIN}\" y=\"{}\"", self.y - 5);
        if !class.is_empty() {
            let _ = write!(self.body, " class=\"{class}\"");
        }
        self.body.push('>');
        text::xml(&mut self.body, line);
        self.body.push_str("</text>\n");
    }

    /// Takes so many pixels of height; gives where they begin.
    pub fn take(&mut self, height: u32) -> u32 {
        let y = self.y;
        self.y = self.y.saturating_add(height);
        y
    }

    /// What elements are appended to.
    pub fn body(&mut self) -> &mut String {
        &mut self.body
    }

    /// The whole text: `data` (JSON) is for the script.
    pub fn finish(mut self, title: &str, data: &str, script: &str) -> String {
        let height = self.take(MARGIN) + MARGIN;
        let mut out = String::with_capacity(self.body.len() + data.len() + script.len() + 1024);
        // Writing to a String cannot fail.
        let _ = write!(
            out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" \
             height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\">\n<title>"
        );
        text::xml(&mut out, title);
        let _ = write!(
            out,
            "</title>\n<style>{STYLE}</style>\n<rect id=\"paper\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        );
        out.push_str(&self.body);
        if !script.is_empty() {
            let _ = write!(
                out,
                "<script type=\"application/json\" id=\"data\">{data}</script>\n<script><![CDATA[\n{script}]]></script>\n"
            );
        }
        out.push_str("</svg>\n");
        out
    }
}
