//! Which pages may use the server: its own, and those of configured origins. Browsers say whose page sends a request.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};

use crate::problem::Problem;
use crate::settings::Settings;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// What the pages and the programs of this server are called by.
const PROGRAMS: &[&str] = &["/v1/", "/api/", "/mcp", "/metrics"];

/// Refuses requests of other pages: such a request names its page as the origin, or, if a browser sends it for an image, a
/// script or a form, says that it crosses sites.
pub(crate) fn check(
    settings: &Settings,
    headers: &HeaderMap,
    host: &str,
    (method, path): (&Method, &str),
) -> Result<(), Problem> {
    let mut origins = headers.get_all(header::ORIGIN).into_iter();
    let (origin, another) = (origins.next(), origins.next());
    if another.is_some() {
        return Err(Problem::misdirected("the request names two origins", "send one Origin header"));
    }
    match origin {
        Some(origin) => {
            let origin = origin.to_str().unwrap_or("null");
            let is_known = settings.origins.iter().any(|known| known.eq_ignore_ascii_case(origin));
            if is_known || is_own(origin, host) { Ok(()) } else { Err(foreign()) }
        }
        None if crosses_sites(headers) && !is_link(headers, method, path) => Err(foreign()),
        None => Ok(()),
    }
}

/// Nothing that is answered is for another site to embed. What a configured origin asks for by script is not embedded.
pub(crate) fn policy() -> (HeaderName, HeaderValue) {
    (RESOURCE_POLICY, HeaderValue::from_static("same-origin"))
}

/// Whether an origin is a page of this server, which a proxy in front may serve over TLS.
fn is_own(origin: &str, host: &str) -> bool {
    origin.split_once("://").is_some_and(|(scheme, place)| {
        ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known))
            && place.eq_ignore_ascii_case(host)
    })
}

fn crosses_sites(headers: &HeaderMap) -> bool {
    headers.get(FETCH_SITE).is_some_and(|site| site == "cross-site" || site == "same-site")
}

/// Whether a person followed a link to a page.
fn is_link(headers: &HeaderMap, method: &Method, path: &str) -> bool {
    let navigates = headers.get(FETCH_MODE).is_some_and(|mode| mode == "navigate");
    navigates && method == Method::GET && !PROGRAMS.iter().any(|start| path.starts_with(start))
}

fn foreign() -> Problem {
    Problem::misdirected("pages of that origin may not use this server", "add the origin to server.origins")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(headers: &[(&str, &str)], method: &Method, path: &str) -> bool {
        let settings = Settings { origins: vec!["https://app.example".to_owned()], ..Settings::default() };
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name.parse::<HeaderName>().unwrap(), value.parse().unwrap());
        }
        check(&settings, &map, "localhost:7437", (method, path)).is_ok()
    }

    #[test]
    fn a_page_uses_the_server_only_if_it_is_its_own_or_configured() {
        for (origins, fine) in [
            (&["http://localhost:7437"][..], true),
            (&["https://localhost:7437"], true),
            (&["https://app.example"], true),
            (&["ftp://localhost:7437"], false),
            (&["javascript://localhost:7437"], false),
            (&["http://localhost:7437", "http://evil.example"], false),
            (&["https://app.example", "https://app.example"], false),
            (&["null"], false),
        ] {
            let headers: Vec<_> = origins.iter().map(|origin| ("origin", *origin)).collect();
            assert_eq!(allows(&headers, &Method::POST, "/v1/recall"), fine, "{origins:?}");
        }
    }

    #[test]
    fn what_a_browser_sends_for_another_site_without_an_origin_is_refused_and_a_link_to_a_page_is_followed() {
        let sent =
            |site: &'static str, mode: &'static str| [("sec-fetch-site", site), ("sec-fetch-mode", mode)];
        for (site, mode, method, path, fine) in [
            ("cross-site", "no-cors", Method::GET, "/v1/sessions/s1", false),
            ("same-site", "no-cors", Method::GET, "/v1/context", false),
            ("cross-site", "no-cors", Method::POST, "/v1/maintain", false),
            ("cross-site", "navigate", Method::GET, "/v1/context", false),
            ("cross-site", "navigate", Method::GET, "/", true),
            ("cross-site", "navigate", Method::POST, "/", false),
            ("same-origin", "cors", Method::GET, "/v1/sessions/s1", true),
            ("none", "navigate", Method::GET, "/v1/export", true),
        ] {
            assert_eq!(allows(&sent(site, mode), &method, path), fine, "{site} {mode} {method} {path}");
        }
        assert!(allows(
            &[("sec-fetch-site", "cross-site"), ("origin", "https://app.example")],
            &Method::POST,
            "/v1/recall"
        ));
        assert!(allows(&[], &Method::POST, "/v1/maintain"), "programs send none of these");
    }
}
