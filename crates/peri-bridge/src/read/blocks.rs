//! From lines to statements.

use super::lines::{self, Item};
use super::{Form, Read, Reading, Statement, imports, says_something};
use crate::fences::{Fences, Place};
use crate::markers::HEADING;

/// Reads a text line by line.
pub(super) fn read(text: &str, reading: Reading) -> Read {
    let mut reader = Reader::new(reading);
    let mut fences = Fences::default();
    for line in text.lines() {
        match fences.next(line) {
            Place::Text => reader.line(line),
            Place::Opens => reader.open_code(line),
            Place::Code | Place::Closes => reader.code(line),
        }
    }
    reader.finish()
}

/// A statement that is being read.
struct Block {
    text: String,
    /// How far its mark is from the edge, if it is an item.
    item: Option<ItemPlace>,
    form: Form,
    /// Whether a blank line was seen behind it.
    is_over: bool,
    /// Whether the next line of text goes on where it ends.
    is_joining: bool,
    context: Vec<String>,
}

#[derive(Clone, Copy)]
struct ItemPlace {
    indent: usize,
    content_indent: usize,
}

/// A sentence that leads to a list.
struct Lead {
    text: String,
    /// Items nearer to the edge than this do not belong to it.
    indent_min: usize,
}

struct Reader {
    reading: Reading,
    headings: Vec<(usize, String)>,
    /// How many headings of the first level there are: a single one is the title.
    titles: usize,
    leads: Vec<Lead>,
    open: Option<Block>,
    /// The indent of the block of code at hand; none if it is left out.
    code_indent: Option<usize>,
    /// Each statement with its headings' levels, until it is known which one is the title.
    found: Vec<(Vec<(usize, String)>, Block)>,
    read: Read,
}

impl Reader {
    fn new(reading: Reading) -> Self {
        Self {
            reading,
            headings: Vec::new(),
            titles: 0,
            leads: Vec::new(),
            open: None,
            code_indent: None,
            found: Vec::new(),
            read: Read::default(),
        }
    }

    /// A line outside code.
    fn line(&mut self, line: &str) {
        let bare = line.trim();
        let is_quiet = bare.is_empty() || (self.reading == Reading::Own && lines::is_tag(bare));
        if is_quiet {
            self.open.iter_mut().for_each(|block| block.is_over = true);
        } else if let Some((level, text)) = lines::heading(line) {
            self.close();
            self.head(level, text);
        } else if let Some(level) = lines::underline(bare).filter(|_| self.is_in_paragraph()) {
            let text = self.open.take().map(|block| lines::label(&block.text)).unwrap_or_default();
            self.head(level, text);
        } else if lines::is_break(bare) {
            self.close();
            self.leads.clear();
        } else if bare.starts_with('|') {
            self.attach(bare, 0);
        } else if let Some(item) = lines::item(line) {
            self.item(lines::indent(line), &item);
        } else {
            self.text(line, bare);
        }
    }

    fn is_in_paragraph(&self) -> bool {
        self.open.as_ref().is_some_and(|block| block.item.is_none() && !block.is_over && block.is_joining)
    }

    fn head(&mut self, level: usize, text: String) {
        self.leads.clear();
        self.headings.retain(|(own, _)| *own < level);
        if self.reading == Reading::Section && text == HEADING {
            return;
        }
        self.titles += usize::from(level == 1);
        if !text.is_empty() {
            self.headings.push((level, text));
        }
    }

    /// A line that begins an item.
    fn item(&mut self, indent: usize, item: &Item<'_>) {
        let text = lines::spaced(item.text);
        let is_nested =
            self.open.as_ref().and_then(|block| block.item).is_some_and(|own| indent >= own.content_indent);
        match self.open.take() {
            Some(block) if self.is_lead(&block) && (is_nested || block.item.is_none()) => {
                let indent_min = block.item.map_or(0, |own| own.content_indent);
                self.leads.retain(|lead| lead.indent_min < indent_min);
                self.leads.push(Lead { text: lines::label(&block.text), indent_min });
            }
            Some(mut block) if is_nested => {
                block.text.push_str("\n- ");
                block.text.push_str(&text);
                (block.is_over, block.is_joining) = (false, true);
                self.open = Some(block);
                return;
            }
            other => {
                self.open = other;
                self.close();
                self.leads.retain(|lead| lead.indent_min <= indent);
            }
        }
        let form = if item.is_numbered { Form::Steps } else { Form::Plain };
        let place = ItemPlace { indent, content_indent: item.content_indent };
        self.begin(text, Some(place), form);
    }

    fn is_lead(&self, block: &Block) -> bool {
        self.reading == Reading::Own && !block.text.contains('\n') && block.text.ends_with([':', ':'])
    }

    /// A line of plain text.
    fn text(&mut self, line: &str, bare: &str) {
        let indent = lines::indent(line);
        let bare = lines::spaced(bare.trim_start_matches('>'));
        match &mut self.open {
            Some(block) if !block.is_over => block.go_on(&bare),
            Some(block) if block.item.is_some_and(|own| indent > own.indent) => {
                // A further paragraph of the same item.
                block.is_joining = false;
                block.go_on(&bare);
            }
            _ if indent >= 4 => self.attach(line, 4),
            _ => {
                self.close();
                self.leads.clear();
                self.begin(bare, None, Form::Plain);
            }
        }
    }

    fn begin(&mut self, text: String, item: Option<ItemPlace>, form: Form) {
        let context = self.leads.iter().map(|lead| lead.text.clone()).collect();
        self.open = Some(Block { text, item, form, is_over: false, is_joining: true, context });
    }

    fn open_code(&mut self, line: &str) {
        if let Some(item) = lines::item(line) {
            let text = Item { text: "", ..item };
            self.item(lines::indent(line), &text);
            self.code_indent = Some(item.content_indent);
            self.attach_line(item.text);
            return;
        }
        let indent = lines::indent(line);
        let is_taken = self.make_room();
        self.code_indent = is_taken.then_some(indent);
        self.code(line);
    }

    fn code(&mut self, line: &str) {
        if let Some(indent) = self.code_indent {
            self.attach_line(lines::dedent(line, indent));
        }
    }

    /// A line of a table, or of code without fences.
    fn attach(&mut self, line: &str, dedent: usize) {
        if self.make_room() {
            self.attach_line(lines::dedent(line, dedent));
        }
    }

    fn attach_line(&mut self, line: &str) {
        let Some(block) = &mut self.open else { return };
        block.text.push('\n');
        block.text.push_str(line);
        (block.is_over, block.is_joining, block.form) = (false, false, Form::Steps);
    }

    /// Whether there is something that a block of code or a table belongs to: a statement, or else a heading.
    fn make_room(&mut self) -> bool {
        if self.open.is_none() {
            if self.headings.is_empty() && self.reading == Reading::Own {
                self.read.blocks_left_out += 1;
                return false;
            }
            self.begin(String::new(), None, Form::Steps);
        }
        true
    }

    fn close(&mut self) {
        let Some(block) = self.open.take() else { return };
        self.read.imports.extend(imports::of(&block.text));
        let is_import = self.reading == Reading::Own && imports::only(&block.text);
        if says_something(&block.text) && !is_import {
            self.found.push((self.headings.clone(), block));
        }
    }

    fn finish(mut self) -> Read {
        self.close();
        let has_title = self.titles == 1;
        for (headings, block) in self.found {
            let below = headings.iter().filter(|(level, _)| !has_title || *level > 1);
            let context = below.map(|(_, text)| text.clone()).chain(block.context).collect();
            let headings = headings.into_iter().map(|(_, text)| text).collect();
            self.read.statements.push(Statement { text: block.text, context, headings, form: block.form });
        }
        let mut seen = std::collections::HashSet::new();
        self.read.imports.retain(|import| seen.insert(import.clone()));
        self.read
    }
}

impl Block {
    /// Adds a line that belongs to it.
    fn go_on(&mut self, line: &str) {
        if !self.is_joining {
            self.text.push('\n');
        }
        lines::join(&mut self.text, line);
        (self.is_over, self.is_joining) = (false, true);
    }
}
