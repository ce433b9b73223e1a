//! The dashboard: a page that uses this API, part of the binary, without a request to anywhere else.

use std::sync::LazyLock;

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::compress::state_of;
use crate::extract::Named;
use crate::page_files::PAGE_FILES;
use crate::problem::Problem;
use crate::table::Need::Nothing;
use crate::table::Operation;

pub(super) fn routes() -> Vec<Operation> {
    let tag = ("If-None-Match", "The ETag of a file that is known: answered with 304 while it is the same");
    vec![
        Operation::new(Nothing, Method::GET, "/", "page", page)
            .says("The dashboard: memories in orbit, search, graph, timeline and operations, for people")
            .heeds(tag.0, tag.1)
            .gives_text("text/html")
            .gives_nothing(StatusCode::NOT_MODIFIED),
        Operation::new(Nothing, Method::GET, "/dashboard/{file}", "pageFile", file)
            .says("A script, style or picture of the dashboard")
            .heeds(tag.0, tag.1)
            .gives_text("text/javascript")
            .gives_text("text/css")
            .gives_text("image/svg+xml")
            .gives_text("application/manifest+json")
            .gives_nothing(StatusCode::NOT_MODIFIED),
    ]
}

/// The file that is the page itself.
const INDEX: &str = "index.html";

/// The page may load its own files and data, and nothing else: neither from elsewhere nor from within itself.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' data:; font-src 'self'; worker-src 'self'; manifest-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A file with what tells its content from any other.
struct Tagged {
    name: &'static str,
    media_type: &'static str,
    bytes: &'static [u8],
    tag: String,
}

static FILES: LazyLock<Vec<Tagged>> = LazyLock::new(|| {
    let tagged = |(name, media_type, bytes): &(&'static str, &'static str, &'static [u8])| {
        let hash = blake3::hash(bytes).to_hex();
        // Weak, since the same file is sent compressed or not as the client wishes.
        Tagged { name, media_type, bytes, tag: format!("W/\"{}\"", &hash[..32]) }
    };
    PAGE_FILES.iter().map(tagged).collect()
});

async fn page(headers: HeaderMap) -> Result<Response, Problem> {
    give(INDEX, &headers)
}

async fn file(Named(name): Named<String>, headers: HeaderMap) -> Result<Response, Problem> {
    if name == INDEX {
        return Err(absent());
    }
    give(&name, &headers)
}

fn give(name: &str, asked: &HeaderMap) -> Result<Response, Problem> {
    let file = FILES.iter().find(|file| file.name == name).ok_or_else(absent)?;
    let mut response = if is_known(asked, &file.tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, file.media_type)], file.bytes).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    // Another release has another page.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&file.tag) {
        headers.insert(header::ETAG, tag);
    }
    Ok(response)
}

fn absent() -> Problem {
    Problem::not_found("the dashboard has no such file; its page is at /")
}

/// Whether the client has the file with this tag already. How strong a tag is does not matter to a reader.
fn is_known(asked: &HeaderMap, tag: &str) -> bool {
    let bare = tag.trim_start_matches("W/");
    let given = asked.get_all(header::IF_NONE_MATCH).into_iter().filter_map(|value| value.to_str().ok());
    let mut given = given.flat_map(|value| value.split(',')).map(str::trim);
    given.any(|one| one == "*" || state_of(one.trim_start_matches("W/")) == bare)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    fn names(folder: &Path) -> BTreeSet<String> {
        let Ok(entries) = fs::read_dir(folder) else { return BTreeSet::new() };
        let files = entries.map(Result::unwrap).filter(|entry| entry.file_type().unwrap().is_file());
        files.map(|entry| entry.file_name().into_string().unwrap()).collect()
    }

    fn media_type(name: &str) -> &'static str {
        match name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some("webmanifest") => "application/manifest+json",
            _ => panic!("{name} is of no type that the dashboard has"),
        }
    }

    #[test]
    fn the_table_and_the_folder_agree() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("dashboard");
        let mut kept = names(&folder);
        let assets = names(&folder.join("assets"));
        assert!(kept.is_disjoint(&assets), "a name that is there twice");
        kept.extend(assets);
        let told: Vec<&str> = PAGE_FILES.iter().map(|(name, ..)| *name).collect();
        assert_eq!(told, kept.iter().map(String::as_str).collect::<Vec<_>>(), "sorted, each once");
        for (name, told, bytes) in PAGE_FILES {
            assert_eq!(*told, media_type(name), "{name}");
            let beside = folder.join(name);
            let place = if beside.exists() { beside } else { folder.join("assets").join(name) };
            assert!(fs::read(place).unwrap() == *bytes, "{name} is of another build than the table says");
        }
    }

    #[test]
    fn files_of_different_content_have_different_tags() {
        let tags: BTreeSet<&str> = FILES.iter().map(|file| file.tag.as_str()).collect();
        let contents: BTreeSet<&[u8]> = FILES.iter().map(|file| file.bytes).collect();
        assert_eq!(tags.len(), contents.len());
    }

    #[test]
    fn a_tag_is_known_however_it_is_listed() {
        for (given, known) in [
            ("W/\"a\"", true),
            ("\"a\"", true),
            ("\"b\", W/\"a\"", true),
            ("*", true),
            ("\"b\"", false),
            ("a", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(header::IF_NONE_MATCH, given.parse().unwrap())]);
            assert_eq!(is_known(&headers, "W/\"a\""), known, "{given}");
        }
        assert!(!is_known(&HeaderMap::new(), "W/\"a\""));
    }
}
