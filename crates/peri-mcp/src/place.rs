//! Where a call works: as the call says, as configured, or as the client's workspace says. Never a guess.

use std::collections::BTreeMap;

use percent_encoding::percent_decode_str;
use perihelion::{Namespace, Scope};

use crate::refusal::Refusal;

/// Which namespaces belong to which workspace roots, for those that are not to be named after the root itself.
pub type Workspaces = BTreeMap<String, Namespace>;

/// Where calls work that do not say.
#[derive(Debug, Clone, Default)]
pub struct Home {
    /// What somebody has configured; it goes before what the client announces.
    pub namespace: Option<Namespace>,
    /// Names for workspace roots, by their URI or path.
    pub workspaces: Workspaces,
}

/// What a client announced about its workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Roots {
    /// The client does not know of workspaces.
    None,
    /// These, as URIs.
    Known(Vec<String>),
    /// It knows of workspaces, but did not say which, and why not.
    Silent(String),
}

impl Home {
    /// The scope of a call that names none.
    pub(crate) fn scope(&self, roots: &Roots) -> Result<Scope, Refusal> {
        if let Some(namespace) = &self.namespace {
            return Ok(Scope::Exact(namespace.clone()));
        }
        match roots {
            Roots::None => Ok(Scope::Exact(Namespace::default())),
            Roots::Silent(why) => Err(Refusal::argument(
                "namespace",
                format!("the client announced a workspace but did not say which ({why}); name the namespace"),
            )),
            Roots::Known(uris) => match &uris[..] {
                [] => Ok(Scope::Exact(Namespace::default())),
                [uri] => self.of_root(uri).map(Scope::Exact),
                several => {
                    let names = several.iter().map(|uri| self.of_root(uri).map(|name| name.to_string()));
                    let names = names.collect::<Result<Vec<_>, _>>()?.join(", ");
                    Err(Refusal::argument(
                        "namespace",
                        format!("this workspace has several folders; say which of their namespaces: {names}"),
                    ))
                }
            },
        }
    }

    /// The namespace of a folder that is a workspace root.
    pub fn of_folder(&self, folder: &std::path::Path) -> Result<Namespace, String> {
        let path = folder.to_string_lossy().replace('%', "%25");
        self.of_root(&format!("file://{path}")).map_err(|refusal| refusal.0)
    }

    /// The namespace of a workspace root: as configured, or named after its folder. The digest of the whole path
    /// keeps two folders of one name apart.
    pub(crate) fn of_root(&self, uri: &str) -> Result<Namespace, Refusal> {
        let path = percent_decode_str(uri.strip_prefix("file://").unwrap_or(uri)).decode_utf8_lossy();
        let path = if path.len() > 1 { path.trim_end_matches('/') } else { &path };
        if let Some(configured) = self.workspaces.get(uri).or_else(|| self.workspaces.get(path)) {
            return Ok(configured.clone());
        }
        let folder = path.rsplit(['/', '\\']).next().unwrap_or_default();
        let slug: String = folder
            .chars()
            .map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' })
            .take(40)
            .collect();
        let digest = blake3::hash(path.as_bytes()).to_hex();
        format!("workspace/{slug}-{}", &digest[..8])
            .parse()
            .map_err(|error| Refusal::new(format!("the workspace root {uri:?} gives no namespace: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_root(uri: &str) -> String {
        Home::default().of_root(uri).unwrap().to_string()
    }

    #[test]
    fn a_root_is_named_after_its_folder_and_two_of_one_name_are_kept_apart() {
        let (one, other) = (of_root("file:///home/ana/shop"), of_root("file:///home/bo/shop"));
        assert!(one.starts_with("workspace/shop-"), "{one}");
        assert_ne!(one, other);
        assert_eq!(of_root("file:///home/ana/shop/"), one);
        assert!(of_root("file:///c%3A/Users/%EA%B9%80/%EC%83%81%EC%A0%90").starts_with("workspace/상점-"));
    }

    #[test]
    fn what_is_configured_goes_before_what_is_announced() {
        let roots = Roots::Known(vec!["file:///home/ana/shop".to_owned()]);
        let mut home = Home::default();
        home.workspaces.insert("/home/ana/shop".to_owned(), "team/shop".parse().unwrap());
        assert_eq!(home.scope(&roots).unwrap().to_string(), "team/shop");
        home.namespace = Some("mine".parse().unwrap());
        assert_eq!(home.scope(&roots).unwrap().to_string(), "mine");
    }

    #[test]
    fn several_roots_or_a_silent_client_are_asked_about_instead_of_guessed() {
        let several = Roots::Known(vec!["file:///a".to_owned(), "file:///b".to_owned()]);
        assert!(Home::default().scope(&several).unwrap_err().0.contains("workspace/a-"));
        assert!(Home::default().scope(&Roots::Silent("no answer".to_owned())).is_err());
        assert_eq!(Home::default().scope(&Roots::None).unwrap(), Scope::default());
    }
}
