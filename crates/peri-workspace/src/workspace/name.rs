//! Paths as texts: with slashes everywhere, and telling any two files apart whatever bytes their names have.

use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

/// A relative path as text. Bytes that are not UTF-8 become `\xNN`, and a backslash in a name is doubled, so that
/// two files never get the same text. None for a path that leaves the folder.
pub(crate) fn text_of(path: &Path) -> Option<String> {
    let mut text = String::new();
    for component in path.components() {
        let name = match component {
            Component::Normal(name) => name,
            Component::CurDir => continue,
            _ => return None,
        };
        if !text.is_empty() {
            text.push('/');
        }
        push_name(&mut text, name.as_encoded_bytes());
    }
    (!text.is_empty()).then_some(text)
}

fn push_name(text: &mut String, name: &[u8]) {
    for chunk in name.utf8_chunks() {
        for c in chunk.valid().chars() {
            if c == '\\' {
                text.push('\\');
            }
            text.push(c);
        }
        for byte in chunk.invalid() {
            write!(text, "\\x{byte:02x}").expect("writing to a string cannot fail");
        }
    }
}

/// The path that git names by these bytes.
#[cfg(unix)]
pub(super) fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

/// The path that git names by these bytes, which are UTF-8 where names are not bytes.
#[cfg(not(unix))]
pub(super) fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_keep_their_letters_and_never_leave_the_folder() {
        for (path, text) in [
            ("src/main.rs", Some("src/main.rs")),
            ("./src/지도.rs", Some("src/지도.rs")),
            ("a\nb", Some("a\nb")),
            ("../a", None),
            ("a/../../b", None),
            ("", None),
        ] {
            assert_eq!(text_of(Path::new(path)).as_deref(), text, "{path:?}");
        }
    }

    #[cfg(unix)]
    proptest::proptest! {
        #[test]
        fn two_names_never_get_the_same_text(a in proptest::collection::vec(1u8.., 1..12), b in proptest::collection::vec(1u8.., 1..12)) {
            let text = |bytes: &[u8]| {
                let mut text = String::new();
                push_name(&mut text, bytes);
                text
            };
            proptest::prop_assert_eq!(a == b, text(&a) == text(&b));
            let path = path_of(&a);
            proptest::prop_assert_eq!(path.as_os_str().as_encoded_bytes(), &a[..]);
        }
    }
}
