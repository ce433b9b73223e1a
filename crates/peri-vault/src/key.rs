//! What documents are called: keys, the paths they stand for, and names that are refused.

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;

use serde::Serialize;
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

use crate::VaultError;

/// What a document is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Read whole by whoever asks for it, and never recalled: what an agent is, what its world is, who its users are.
    Config,
    /// Remembered, and recalled like any memory.
    Knowledge,
}

/// The folder of config documents.
pub(crate) const CONFIG: &str = "md";
/// The folder of users' documents, in it.
const USERS: &str = "users";
/// The folder of knowledge.
pub(crate) const KNOWLEDGE: &str = "knowledge";
/// How documents end.
pub(crate) const ENDING: &str = ".md";

/// The longest path that the source of a memory has room for, in bytes.
const PATH_BYTES_MAX: usize = 200;

const ELSEWHERE: &str = "documents are in md, in md/users, or below knowledge";

/// The name of a document: `system`, `world`, `user:ana`, or the path of knowledge without its ending, such as
/// `knowledge/facts/coffee`. Names are the same however their letters are composed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The path in the vault, with forward slashes and in composed letters.
    path: String,
}

impl Key {
    /// Reads a key as somebody writes it. The ending `.md` and the folder `knowledge/` may be written or left out.
    pub fn parse(text: &str) -> Result<Self, VaultError> {
        let bad = |why| VaultError::Key { key: text.to_owned(), why };
        let composed: String = text.nfc().collect();
        let bare = composed.strip_suffix(ENDING).unwrap_or(&composed);
        let path = match bare.split_once(':') {
            Some(("user", id)) if id.contains('/') => return Err(bad("a user's name has no slash")),
            Some(("user", id)) => format!("{CONFIG}/{USERS}/{id}{ENDING}"),
            Some(_) => return Err(bad("only user: may stand before a colon")),
            None if is_below(bare, CONFIG) || is_below(bare, KNOWLEDGE) => format!("{bare}{ENDING}"),
            None if bare.contains('/') => format!("{KNOWLEDGE}/{bare}{ENDING}"),
            None => format!("{CONFIG}/{bare}{ENDING}"),
        };
        Self::of_path(&path).map_err(bad)
    }

    /// The key of a path in the vault, written with forward slashes, or why there can be no document.
    pub(crate) fn of_path(path: &str) -> Result<Self, &'static str> {
        let path = composed(path);
        let (folder, name) = path.rsplit_once('/').ok_or(ELSEWHERE)?;
        Self::of_file(&Place::of(folder)?, name)
    }

    /// The key of a file in a folder, or why there can be no document.
    pub(crate) fn of_file(folder: &Place, name: &str) -> Result<Self, &'static str> {
        let name = composed(name);
        if folder.path.len() + 1 + name.len() > PATH_BYTES_MAX {
            return Err("its path is too long");
        }
        check_name(name.strip_suffix(ENDING).ok_or("it does not end in .md")?)?;
        Ok(Self { path: [&folder.path, "/", &name].concat() })
    }

    /// What the document is for.
    pub fn class(&self) -> Class {
        if is_below(&self.path, KNOWLEDGE) { Class::Knowledge } else { Class::Config }
    }

    /// Its path in the vault, with forward slashes.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The file's name without its ending.
    pub fn name(&self) -> &str {
        let stem = self.path.strip_suffix(ENDING).unwrap_or(&self.path);
        stem.rsplit('/').next().unwrap_or(stem)
    }

    /// The folder it is in, in the vault.
    pub(crate) fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// A document beside it with another name.
    pub(crate) fn beside(&self, name: &str) -> Result<Self, &'static str> {
        Self::of_path(&format!("{}/{name}{ENDING}", self.folder()))
    }

    /// The path as the system writes it.
    pub(crate) fn relative(&self) -> PathBuf {
        self.path.split('/').collect()
    }
}

/// A folder that documents may be in.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    /// The path in the vault, with forward slashes and in composed letters.
    path: String,
}

impl Place {
    /// The folder of a path in the vault, or why there can be no documents in it.
    pub(crate) fn of(path: &str) -> Result<Self, &'static str> {
        let path = composed(path);
        path.split('/').try_for_each(check_name)?;
        let holds = path == CONFIG || path == KNOWLEDGE || is_below(&path, KNOWLEDGE);
        let is_users = path.strip_prefix(CONFIG).and_then(|rest| rest.strip_prefix('/')) == Some(USERS);
        if holds || is_users { Ok(Self { path: path.into_owned() }) } else { Err(ELSEWHERE) }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stem = self.path.strip_suffix(ENDING).unwrap_or(&self.path);
        let users = format!("{CONFIG}/{USERS}/");
        match (stem.strip_prefix(&users), self.class()) {
            (Some(id), _) => write!(f, "user:{id}"),
            (None, Class::Config) => f.write_str(self.name()),
            (None, Class::Knowledge) => f.write_str(stem),
        }
    }
}

impl Serialize for Key {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A name in composed letters. Most are so already, and need no second look.
fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    }
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Whether a name of a file without its ending, or of a folder, is one on every system.
fn check_name(name: &str) -> Result<(), &'static str> {
    if name.is_empty() {
        return Err("a part of its path is empty");
    }
    if name == "." || name == ".." {
        return Err("a path has no dots for folders");
    }
    if name.starts_with('.') {
        return Err("names that begin with a dot are hidden");
    }
    if name.ends_with(['.', ' ']) || name.starts_with(' ') {
        return Err("a name neither ends in a dot nor begins or ends with a space");
    }
    if name.bytes().any(|byte| matches!(byte, b'\\' | b':' | b'*' | b'?' | b'"' | b'<' | b'>' | b'|')) {
        return Err("a name has none of \\ : * ? \" < > |");
    }
    if name.contains(".md#") {
        return Err("a name does not hold .md#, which stands before a heading");
    }
    if name.chars().any(char::is_control) {
        return Err("a name has no control characters");
    }
    if is_device(name) {
        return Err("Windows keeps that name for a device");
    }
    Ok(())
}

fn is_device(name: &str) -> bool {
    let base = name.split('.').next().unwrap_or(name).trim_end();
    // The longest one, com with a raised digit, has five bytes; those of Windows' console have seven.
    if base.len() > 7 {
        return false;
    }
    let base = base.to_ascii_lowercase();
    if matches!(base.as_str(), "con" | "prn" | "aux" | "nul" | "conin$" | "conout$") {
        return true;
    }
    let numbered = base.strip_prefix("com").or_else(|| base.strip_prefix("lpt"));
    numbered.is_some_and(|number| {
        matches!(number, "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stand_for_paths_and_back() {
        for (text, path, shown) in [
            ("system", "md/system.md", "system"),
            ("world.md", "md/world.md", "world"),
            ("user:ana@example.org", "md/users/ana@example.org.md", "user:ana@example.org"),
            ("user:김민수", "md/users/김민수.md", "user:김민수"),
            ("knowledge/facts/coffee", "knowledge/facts/coffee.md", "knowledge/facts/coffee"),
            ("facts/좋은 커피.md", "knowledge/facts/좋은 커피.md", "knowledge/facts/좋은 커피"),
            ("knowledge/项目/计划", "knowledge/项目/计划.md", "knowledge/项目/计划"),
            ("md/users/ana", "md/users/ana.md", "user:ana"),
            ("facts/v1.2 notes", "knowledge/facts/v1.2 notes.md", "knowledge/facts/v1.2 notes"),
        ] {
            let key = Key::parse(text).unwrap();
            assert_eq!((key.path(), key.to_string().as_str()), (path, shown), "{text}");
            assert_eq!(Key::parse(shown).unwrap(), key);
        }
    }

    #[test]
    fn composed_and_decomposed_letters_make_the_same_key() {
        let (composed, decomposed) = ("facts/\u{ac00}\u{e9}", "facts/\u{1100}\u{1161}e\u{301}");
        assert_eq!(Key::parse(composed).unwrap(), Key::parse(decomposed).unwrap());
    }

    #[test]
    fn names_that_escape_or_that_some_system_cannot_have_are_refused() {
        for text in [
            "",
            "..",
            "../x",
            "facts/../../x",
            "/etc/passwd",
            "facts//x",
            "facts\\x",
            "C:\\x",
            "c:x",
            "facts/a:b",
            "facts/a\0b",
            "facts/con",
            "facts/NUL.txt",
            "con/x",
            "facts/lpt1",
            "facts/x.",
            "facts/x ",
            "facts/ x",
            "facts/.hidden",
            ".obsidian/x",
            "user:",
            "user:../x",
            "user:a/b",
            "md/other/x",
            "facts/a\nb",
            "facts/a|b",
            "knowledge/",
            "md/users/a/b",
            "other:x",
            "facts/v1.md#x",
        ] {
            assert!(Key::parse(text).is_err(), "{text:?}");
        }
        assert!(Key::parse(&format!("facts/{}", "가".repeat(80))).is_err());
    }
}
