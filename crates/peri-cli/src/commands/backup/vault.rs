//! The vault of a copy: two data folders must not follow one folder of documents.

use std::path::{Component, Path};

use toml::{Table, Value};

/// What is written in the place of the setting.
const OFF: &str = "enabled = \"off\" # restored beside the folder whose vault it is";

/// The settings with the vault switched off, if it is on and lies outside of whichever data folder they are put into.
/// One inside comes along with the backup, and is the copy's own.
pub(super) fn kept_off(settings: &str) -> Option<String> {
    let table: Table = settings.parse().ok()?;
    let vault = table.get("vault")?.as_table()?;
    let is_off = vault.get("enabled").and_then(Value::as_str) == Some("off");
    let folder = vault.get("folder").and_then(Value::as_str)?;
    if is_off || !leads_outside(Path::new(folder)) {
        return None;
    }
    let edited = switched_off(settings).filter(|text| is_switched_off(text));
    // Settings that are written in an unusual way lose their comments in the copy, and nothing else.
    edited.or_else(|| written_anew(table))
}

fn leads_outside(folder: &Path) -> bool {
    let mut depth = 0_i32;
    folder.components().any(|part| {
        match part {
            Component::Normal(_) => depth += 1,
            Component::ParentDir => depth -= 1,
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return true,
        }
        depth < 0
    })
}

/// The same text, with the one line in the table `[vault]`.
fn switched_off(settings: &str) -> Option<String> {
    let is_header = |line: &str| line.split('#').next().unwrap_or_default().trim() == "[vault]";
    let lines: Vec<&str> = settings.lines().collect();
    let header = lines.iter().position(|line| is_header(line))?;
    let mut inside = true;
    let mut written = Vec::with_capacity(lines.len() + 1);
    for (at, line) in lines.iter().enumerate() {
        inside &= at <= header || !line.trim_start().starts_with('[');
        let is_key = line.split('=').next().is_some_and(|key| key.trim() == "enabled");
        if at > header && inside && is_key {
            continue;
        }
        written.push(*line);
        if at == header {
            written.push(OFF);
        }
    }
    Some(written.join("\n") + "\n")
}

fn is_switched_off(settings: &str) -> bool {
    let table: Option<Table> = settings.parse().ok();
    let enabled = table.as_ref().and_then(|table| table.get("vault")?.get("enabled")?.as_str());
    enabled == Some("off")
}

fn written_anew(mut table: Table) -> Option<String> {
    table.get_mut("vault")?.as_table_mut()?.insert("enabled".to_owned(), Value::String("off".to_owned()));
    toml::to_string(&table).ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_vault_outside_is_switched_off_however_it_is_written_and_all_else_stays() {
        for settings in [
            "# 주석\n[vault]\nfolder = \"/home/ana/문서\"\n\n[recall]\nlimit = 7\n",
            "[recall]\nlimit = 7\n[vault] # 我的\nenabled = \"on\"\nfolder = \"/x\"\n",
            "[recall]\nlimit = 7\n[vault]\nfolder = \"/x\"\nenabled = \"auto\"\n[other]\nenabled = true\n",
            "[vault]\nfolder = \"../beside\"\n[recall]\nlimit = 7\n",
            "vault.folder = \"a/../../x\"\n[recall]\nlimit = 7\n",
            "vault = { folder = \"/x\", enabled = \"on\" }\nrecall = { limit = 7 }\n",
        ] {
            let off = kept_off(settings).unwrap();
            let (mut before, after): (Table, Table) = (settings.parse().unwrap(), off.parse().unwrap());
            let vault = before.get_mut("vault").unwrap().as_table_mut().unwrap();
            vault.insert("enabled".to_owned(), Value::String("off".to_owned()));
            assert_eq!(after, before, "{off}");
            assert_eq!(off.contains('#'), settings.contains('#') || settings.contains("[vault]"), "{off}");
            assert_eq!(kept_off(&off), None);
        }
    }

    #[test]
    fn a_vault_inside_or_none_at_all_is_left_alone() {
        for settings in [
            "",
            "[recall]\nlimit = 7\n",
            "[vault]\nenabled = \"on\"\n",
            "[vault]\nfolder = \"문서\"\n",
            "[vault]\nfolder = \"a/../b\"\n",
            "[vault]\nfolder = \"/x\"\nenabled = \"off\"\n",
            "not = [toml",
        ] {
            assert_eq!(kept_off(settings), None, "{settings}");
        }
    }
}
