//! One canonical form for every way of writing a date.

use peri_text::{TermClass, date_terms};

use crate::query;

const FULL: [&str; 5] = ["d:2025-01-25", "ym:2025-01", "md:01-25", "m:01", "y:2025"];

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(query(text, &[TermClass::Date]), expected, "{text:?}");
}

#[test]
fn full_dates_in_every_spelling() {
    for text in [
        "2025-01-25",
        "2025/1/25",
        "2025-01-25T10:00:00Z",
        "on 2025.01.25.",
        "25 January 2025",
        "25 Jan, 2025",
        "January 25, 2025",
        "Jan. 25th 2025",
        "the 25th of January 2025",
        "25-Jan-2025",
        "JANUARY 25 2025",
        "2025年1月25日",
        "2025年01月25日开会",
        "２０２５年１月２５日",
        "2025년 1월 25일",
        "2025년1월25일에",
    ] {
        check(text, &FULL);
    }
    check("8 May, 2023", &["d:2023-05-08", "ym:2023-05", "md:05-08", "m:05", "y:2023"]);
    check("1:56 pm on 8 May, 2023", &["d:2023-05-08", "ym:2023-05", "md:05-08", "m:05", "y:2023"]);
    check("May 8th 2023", &["d:2023-05-08", "ym:2023-05", "md:05-08", "m:05", "y:2023"]);
}

#[test]
fn partial_dates_give_what_is_known() {
    check("January 2025", &["ym:2025-01", "m:01", "y:2025"]);
    check("2025-01", &["ym:2025-01", "m:01", "y:2025"]);
    check("Jan 25", &["md:01-25", "m:01"]);
    check("25 January", &["md:01-25", "m:01"]);
    check("2025年1月", &["ym:2025-01", "m:01", "y:2025"]);
    check("1月25日", &["md:01-25", "m:01"]);
    check("1월 25일", &["md:01-25", "m:01"]);
    check("what happened in January?", &["m:01"]);
    check("in 2023", &["y:2023"]);
    check("2023년", &["y:2023"]);
}

#[test]
fn words_and_numbers_that_are_no_dates() {
    for text in [
        "you may go",
        "the march to the sea",
        "mar the surface",
        "1.2.3",
        "192.168.0.1",
        "2048 tokens",
        "13/45/2025",
        "2025-13-45",
        "2025-99",
        "3个月",
        "100年",
        "may 99",
        "Dec",
        "at 10:30",
        "v2025.1",
        "99999999",
        "오 월",
        "",
    ] {
        check(text, &[]);
    }
}

#[test]
fn a_time_stamp_has_the_terms_of_its_date() {
    assert_eq!(date_terms(2025, 1, 25), FULL);
}
