//! Just enough of an XML reader to notice what is not well formed.

/// An element with its attributes, its own text and the elements in it.
#[derive(Debug, Default)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) text: String,
    pub(crate) children: Vec<Element>,
}

impl Element {
    pub(crate) fn attribute(&self, name: &str) -> &str {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str()).unwrap()
    }

    pub(crate) fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |child| child.name == name)
    }
}

/// Reads a document; panics where it is not well formed.
pub(crate) fn read(document: &str) -> Element {
    for c in document.chars() {
        let allowed =
            matches!(c as u32, 0x9 | 0xA | 0xD | 0x20..=0xD7FF | 0xE000..=0xFFFD | 0x10000..=0x10FFFF);
        assert!(allowed, "U+{:04X} is no character of XML 1.0", c as u32);
    }
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    // Readers turn every plain line end into the same one before they do anything else.
    let document = document.replace("\r\n", "\n").replace('\r', "\n");
    let (root, rest) = element(document.strip_prefix(head).unwrap());
    assert_eq!(rest.trim(), "", "there is one root");
    root
}

fn element(text: &str) -> (Element, &str) {
    let tag_end = text.find('>').unwrap();
    let inside = text[..tag_end].strip_prefix('<').unwrap();
    let (inside, is_empty) = inside.strip_suffix('/').map_or((inside, false), |inside| (inside, true));
    let (name, attributes) = inside.split_once(' ').unwrap_or((inside, ""));
    assert!(!name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric()), "{name:?}");
    let mut found =
        Element { name: name.to_owned(), attributes: read_attributes(attributes), ..Element::default() };
    let mut rest = &text[tag_end + 1..];
    if is_empty {
        return (found, rest);
    }
    loop {
        let (before, after) = rest.split_at(rest.find('<').unwrap());
        assert!(!before.contains("]]>"));
        found.text.push_str(&unescape(before));
        if let Some(after) = after.strip_prefix(&format!("</{name}>")) {
            return (found, after);
        }
        let (child, after) = element(after);
        found.children.push(child);
        rest = after;
    }
}

fn read_attributes(mut text: &str) -> Vec<(String, String)> {
    let mut attributes: Vec<(String, String)> = Vec::new();
    while let Some((name, rest)) = text.trim_start().split_once("=\"") {
        let (value, rest) = rest.split_once('"').unwrap();
        assert!(!value.contains('<'));
        assert!(attributes.iter().all(|(other, _)| other != name), "{name} is given twice");
        attributes.push((name.to_owned(), unescape(value)));
        text = rest;
    }
    assert_eq!(text.trim(), "");
    attributes
}

fn unescape(text: &str) -> String {
    let mut pieces = text.split('&');
    let mut plain = pieces.next().unwrap().to_owned();
    for piece in pieces {
        let (name, rest) = piece.split_once(';').expect("an ampersand begins a name");
        let c = match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            number => char::from_u32(number.strip_prefix('#').unwrap().parse().unwrap()).unwrap(),
        };
        plain.push(c);
        plain.push_str(rest);
    }
    plain
}
