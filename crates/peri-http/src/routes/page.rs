//! The dashboard: a page that uses this API, part of the binary, without a request to anywhere else.

use std::io::{self, Read as _};
use std::sync::LazyLock;

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::read::GzDecoder;

use crate::compress::state_of;
use crate::extract::Named;
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

/// The bare name of a file, its media type and what is in it, packed. The build script makes the table.
static PAGE_FILES: &[(&str, &str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/page_files.rs"));

/// A file with what tells its content from any other.
struct Tagged {
    name: &'static str,
    media_type: &'static str,
    packed: &'static [u8],
    tag: String,
}

impl Tagged {
    fn unpacked(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        GzDecoder::new(self.packed).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

static FILES: LazyLock<Vec<Tagged>> = LazyLock::new(|| {
    let tagged = |(name, media_type, packed): &(&'static str, &'static str, &'static [u8])| {
        let hash = blake3::hash(packed).to_hex();
        // Weak, since the same file is sent packed or not as the client wishes.
        Tagged { name, media_type, packed, tag: format!("W/\"{}\"", &hash[..32]) }
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
    // By now that header says gzip, or is not there.
    let takes_packed = asked.contains_key(header::ACCEPT_ENCODING);
    let mut response = if is_known(asked, &file.tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else if takes_packed {
        let kind = [(header::CONTENT_TYPE, file.media_type), (header::CONTENT_ENCODING, "gzip")];
        (kind, file.packed).into_response()
    } else {
        let bytes = file.unpacked().map_err(|_| Problem::internal())?;
        ([(header::CONTENT_TYPE, file.media_type)], bytes).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    // Another release has another page.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
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

    #[test]
    fn the_table_and_the_folder_agree() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("dashboard");
        let mut kept = names(&folder);
        let assets = names(&folder.join("assets"));
        assert!(kept.is_disjoint(&assets), "a name that is there twice");
        kept.extend(assets);
        let told: Vec<&str> = FILES.iter().map(|file| file.name).collect();
        assert_eq!(told, kept.iter().map(String::as_str).collect::<Vec<_>>(), "sorted, each once");
        for file in FILES.iter() {
            let beside = folder.join(file.name);
            let place = if beside.exists() { beside } else { folder.join("assets").join(file.name) };
            assert!(fs::read(place).unwrap() == file.unpacked().unwrap(), "{}", file.name);
        }
    }

    #[test]
    fn files_of_different_content_have_different_tags() {
        let tags: BTreeSet<&str> = FILES.iter().map(|file| file.tag.as_str()).collect();
        let contents: BTreeSet<&[u8]> = FILES.iter().map(|file| file.packed).collect();
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
