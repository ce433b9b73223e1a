//! The document for people: a page that reads `/openapi.json`, part of the binary, without a request to anywhere else.

use axum::http::{HeaderName, Method, header};

use crate::table::Need::Nothing;
use crate::table::Operation;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Nothing, Method::GET, "/docs", "docs", page)
            .says("This document for people, with forms to try everything")
            .gives_text("text/html"),
        Operation::new(Nothing, Method::GET, "/docs.js", "docsScript", script)
            .says("The script of that page")
            .gives_text("text/javascript"),
        Operation::new(Nothing, Method::GET, "/docs.css", "docsStyle", style)
            .says("The style of that page")
            .gives_text("text/css"),
    ]
}

/// The page may load its own script, style and data, and nothing else: neither from elsewhere nor from within itself.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

type Asset = ([(HeaderName, &'static str); 4], &'static str);

fn asset(media_type: &'static str, text: &'static str) -> Asset {
    let headers = [
        (header::CONTENT_TYPE, media_type),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::REFERRER_POLICY, "no-referrer"),
        // Another release has another page.
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, text)
}

async fn page() -> Asset {
    asset("text/html; charset=utf-8", include_str!("../../assets/docs.html"))
}

async fn script() -> Asset {
    asset("text/javascript; charset=utf-8", include_str!("../../assets/docs.js"))
}

async fn style() -> Asset {
    asset("text/css; charset=utf-8", include_str!("../../assets/docs.css"))
}
