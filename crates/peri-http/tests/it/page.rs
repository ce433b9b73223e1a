//! The dashboard as a browser gets it.

use axum::http::Method;

use crate::support::{Answer, House};

/// The files that the page asks for.
fn files(page: &str) -> Vec<String> {
    let mut parts = page.split("\"/dashboard/");
    parts.next();
    parts.map(|part| format!("/dashboard/{}", part.split('"').next().unwrap())).collect()
}

fn check_headers(answer: &Answer) {
    let policy = answer.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{policy}");
    assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(answer.header("referrer-policy"), "no-referrer");
    assert_eq!(answer.header("cache-control"), "no-cache");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
}

#[tokio::test]
async fn the_page_and_all_that_it_asks_for_are_there_without_a_key() {
    let house = House::open().await;
    house.key(perihelion::Role::Reader, "*");
    let page = house.get("/").send().await;
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    check_headers(&page);
    for path in files(page.text()) {
        let file = house.get(&path).send().await;
        assert_eq!(file.status, 200, "{path}");
        check_headers(&file);
    }
}

#[tokio::test]
async fn a_file_that_is_known_is_not_sent_again() {
    let house = House::open().await;
    let page = house.get("/").send().await;
    let tag = page.header("etag").to_owned();
    assert!(tag.starts_with("W/\"") && tag.len() > 20, "{tag}");
    let again = house.get("/").header("if-none-match", &tag).send().await;
    assert_eq!((again.status, again.body.len()), (304, 0));
    assert_eq!(again.header("etag"), tag);
    check_headers(&again);
    let other = house.get("/").header("if-none-match", "W/\"another\"").send().await;
    assert_eq!((other.status, &other.body), (200, &page.body));
}

#[tokio::test]
async fn the_head_of_the_page_is_that_of_the_page() {
    let house = House::open().await;
    let (page, head) = (house.get("/").send().await, house.ask(Method::HEAD, "/").send().await);
    assert_eq!((head.status, head.body.len()), (200, 0));
    for name in ["content-type", "etag", "content-length", "content-security-policy"] {
        assert_eq!(head.header(name), page.header(name), "{name}");
    }
}

#[tokio::test]
async fn files_that_there_are_not_are_told_like_anything_else() {
    let house = House::open().await;
    for path in ["none.js", "index.html", "..%2Findex.html", "%2e%2e", "공전.js", "index.html%00"] {
        let path = format!("/dashboard/{}", path.replace('공', "%EA%B3%B5").replace('전', "%EC%A0%84"));
        house.get(&path).send().await.problem(404, "not-found");
    }
    house.ask(Method::POST, "/").send().await.problem(405, "method-not-allowed");
}
