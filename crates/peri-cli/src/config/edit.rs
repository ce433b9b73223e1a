//! Changing one setting in a configuration file; everything else in it stays as somebody wrote it.

use std::io::Write as _;
use std::path::Path;

use toml_edit::{DocumentMut, Item, Table, value};

/// Sets a text of a section, or takes it out. A file that is not there is made.
pub(crate) fn set(file: &Path, section: &str, name: &str, text: Option<&str>) -> std::io::Result<()> {
    let before = match peri_private::read_text(file) {
        Ok(before) => before,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error),
    };
    let after = changed(&before, section, name, text)?;
    if after == before {
        return Ok(());
    }
    let mut aside = file.as_os_str().to_owned();
    aside.push(".new");
    let mut written = std::fs::File::create(&aside)?;
    written.write_all(after.as_bytes())?;
    written.sync_all()?;
    std::fs::rename(&aside, file)
}

fn changed(before: &str, section: &str, name: &str, text: Option<&str>) -> std::io::Result<String> {
    let mut document: DocumentMut = before.parse().map_err(std::io::Error::other)?;
    match text {
        Some(text) => {
            let table = document.entry(section).or_insert_with(|| Item::Table(Table::new()));
            table[name] = value(text);
        }
        None => {
            let Some(table) = document.get_mut(section).and_then(Item::as_table_like_mut) else {
                return Ok(before.to_owned());
            };
            table.remove(name);
            if table.is_empty() {
                document.remove(section);
            }
        }
    }
    Ok(document.to_string())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn one_setting_changes_and_comments_stay() {
        let before = "# 내 설정\nnamespace = \"team\" # 我的\n\n[recall]\nlimit = 5\n";
        let with = changed(before, "encryption", "key_file", Some("/열쇠")).unwrap();
        assert!(with.starts_with(before) && with.contains("[encryption]\nkey_file = \"/열쇠\""), "{with}");
        let other = changed(&with, "encryption", "key_file", Some("/钥匙")).unwrap();
        assert_eq!(other, with.replace("/열쇠", "/钥匙"));
        assert_eq!(changed(&with, "encryption", "key_file", None).unwrap().trim_end(), before.trim_end());
        assert_eq!(changed(before, "encryption", "key_file", None).unwrap(), before);
    }

    #[test]
    fn a_file_that_is_no_settings_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("perihelion.toml");
        set(&file, "encryption", "key_file", Some("k")).unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "[encryption]\nkey_file = \"k\"\n");
        std::fs::write(&file, "no = = toml").unwrap();
        assert!(set(&file, "encryption", "key_file", None).is_err());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "no = = toml");
    }
}
