//! Words for time, and the days they mean on a given day.

use jiff::civil::{Date, date};
use peri_text::time_mentions;
use proptest::prelude::*;

/// A Thursday.
const TODAY: Date = date(2026, 11, 12);

/// What was found, as `text = first..last`, with the month and the day of this year alone.
fn found(text: &str, today: Date) -> Vec<String> {
    let day = |day: Date| {
        if day.year() == today.year() { day.strftime("%m-%d").to_string() } else { day.to_string() }
    };
    let told = |one: peri_text::TimeMention| {
        let days = if one.first == one.last {
            day(one.first)
        } else {
            format!("{}..{}", day(one.first), day(one.last))
        };
        format!("{} = {days}", &text[one.range])
    };
    time_mentions(text, today).into_iter().map(told).collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(found(text, TODAY), expected, "{text}");
}

#[test]
fn english_days_weeks_months_and_years() {
    check("what is due today?", &["today = 11-12"]);
    check("What did Ana say YESTERDAY?", &["YESTERDAY = 11-11"]);
    check("the day before yesterday we met", &["the day before yesterday = 11-10"]);
    check("tonight or this morning", &["tonight = 11-12", "this morning = 11-12"]);
    check("last night's dinner", &["last night = 11-11"]);
    check("see you tomorrow", &["tomorrow = 11-13"]);
    check("last week's plan", &["last week = 11-02..11-08"]);
    check("this week and next week", &["this week = 11-09..11-15", "next week = 11-16..11-22"]);
    check("the week before last", &["the week before last = 10-26..11-01"]);
    check("last month", &["last month = 10-01..10-31"]);
    check("next month", &["next month = 12-01..12-31"]);
    check("last year", &["last year = 2025-01-01..2025-12-31"]);
    check("this year", &["this year = 01-01..12-31"]);
    check("last weekend", &["last weekend = 11-07..11-08"]);
    check("this weekend", &["this weekend = 11-14..11-15"]);
}

#[test]
fn english_distances_and_stretches() {
    check("3 days ago", &["3 days ago = 11-09"]);
    check("three days ago", &["three days ago = 11-09"]);
    check("a day ago", &["a day ago = 11-11"]);
    check("two weeks ago", &["two weeks ago = 10-26..11-01"]);
    check("a couple of months ago", &["a couple of months ago = 09-01..09-30"]);
    check("2 years ago", &["2 years ago = 2024-01-01..2024-12-31"]);
    check("the past two weeks", &["the past two weeks = 10-30..11-12"]);
    check("over the last 3 days", &["the last 3 days = 11-10..11-12"]);
    check("in the past month", &["the past month = 10-13..11-12"]);
}

#[test]
fn english_weekdays() {
    check("what did we decide last Tuesday?", &["last Tuesday = 11-10"]);
    check("last Thursday", &["last Thursday = 11-05"]);
    check("past friday", &["past friday = 11-06"]);
    check("this Monday", &["this Monday = 11-09"]);
    check("next tue", &["next tue = 11-17"]);
    check("on Thursday we spoke", &["on Thursday = 11-12"]);
    check("on Friday we spoke", &["on Friday = 11-06"]);
    check("Tuesday of last week", &["Tuesday of last week = 11-03"]);
    check("last week on Tuesday", &["last week on Tuesday = 11-03"]);
    check("last week's Sunday", &["last week's Sunday = 11-08"]);
}

#[test]
fn korean() {
    check("오늘 뭐 해?", &["오늘 = 11-12"]);
    check("어제는 비가 왔다", &["어제 = 11-11"]);
    check("그저께와 그제", &["그저께 = 11-10", "그제 = 11-10"]);
    check("내일까지", &["내일 = 11-13"]);
    check("지난주에 뭐 했지?", &["지난주 = 11-02..11-08"]);
    check("지난 주 회의", &["지난 주 = 11-02..11-08"]);
    check("이번 주는", &["이번 주 = 11-09..11-15"]);
    check("다음주 일정", &["다음주 = 11-16..11-22"]);
    check("지난달", &["지난달 = 10-01..10-31"]);
    check("이번 달에", &["이번 달 = 11-01..11-30"]);
    check("작년 여름", &["작년 = 2025-01-01..2025-12-31"]);
    check("올해의 목표", &["올해 = 01-01..12-31"]);
    check("재작년", &["재작년 = 2024-01-01..2024-12-31"]);
    check("3일 전에", &["3일 전 = 11-09"]);
    check("이틀 전", &["이틀 전 = 11-10"]);
    check("2주 전 회의", &["2주 전 = 10-26..11-01"]);
    check("일주일 전", &["일주일 전 = 11-02..11-08"]);
    check("두 달 전", &["두 달 전 = 09-01..09-30"]);
    check("3개월 전", &["3개월 전 = 08-01..08-31"]);
    check("1년 전", &["1년 전 = 2025-01-01..2025-12-31"]);
    check("지난 화요일에", &["지난 화요일 = 11-10"]);
    check("지난 목요일", &["지난 목요일 = 11-05"]);
    check("지난주 화요일에", &["지난주 화요일 = 11-03"]);
    check("이번 주 월요일", &["이번 주 월요일 = 11-09"]);
    check("지난 주말에", &["지난 주말 = 11-07..11-08"]);
    check("화요일에 결정한 것", &["화요일 = 11-10"]);
    check("지난 2주 동안", &["지난 2주 = 10-30..11-12"]);
}

#[test]
fn chinese() {
    check("今天下午茶店", &["今天 = 11-12"]);
    check("昨天和前天", &["昨天 = 11-11", "前天 = 11-10"]);
    check("明天见", &["明天 = 11-13"]);
    check("上周讨论了什么？", &["上周 = 11-02..11-08"]);
    check("上个星期", &["上个星期 = 11-02..11-08"]);
    check("上星期", &["上星期 = 11-02..11-08"]);
    check("这周和下周", &["这周 = 11-09..11-15", "下周 = 11-16..11-22"]);
    check("上周二讨论了什么？", &["上周二 = 11-03"]);
    check("這週一", &["這週一 = 11-09"]);
    check("周三的会议", &["周三 = 11-11"]);
    check("星期天", &["星期天 = 11-08"]);
    check("上周末", &["上周末 = 11-07..11-08"]);
    check("上个月", &["上个月 = 10-01..10-31"]);
    check("这个月", &["这个月 = 11-01..11-30"]);
    check("去年和今年", &["去年 = 2025-01-01..2025-12-31", "今年 = 01-01..12-31"]);
    check("前年", &["前年 = 2024-01-01..2024-12-31"]);
    check("3天前", &["3天前 = 11-09"]);
    check("三天前", &["三天前 = 11-09"]);
    check("十二天前", &["十二天前 = 10-31"]);
    check("两周前", &["两周前 = 10-26..11-01"]);
    check("三个月前", &["三个月前 = 08-01..08-31"]);
    check("２年前", &["２年前 = 2024-01-01..2024-12-31"]);
    check("过去两周", &["过去两周 = 10-30..11-12"]);
    check("上周一起吃饭", &["上周 = 11-02..11-08"]);
    check("上周三次会议", &["上周 = 11-02..11-08"]);
}

#[test]
fn japanese() {
    check("昨日は何をした？", &["昨日 = 11-11"]);
    check("一昨日", &["一昨日 = 11-10"]);
    check("先週の火曜日", &["先週の火曜日 = 11-03"]);
    check("先週と来月", &["先週 = 11-02..11-08", "来月 = 12-01..12-31"]);
    check("二週間前", &["二週間前 = 10-26..11-01"]);
    check("3日前", &["3日前 = 11-09"]);
}

#[test]
fn words_that_are_no_times_are_left_alone() {
    for text in [
        "the last time we met",
        "her last name is Lind",
        "you may go",
        "the past participle",
        "this book, next door, at last",
        "the last week of May",
        "the last two weeks of school",
        "Tuesdays are busy, every Monday too",
        "on Sunday mornings",
        "today.md and last_week and not-today",
        "days ago, 0 days ago, 99999 days ago",
        "todayish mistoday",
        "on Monday, 8 May 2023",
        "on Friday the 13th",
        "매일 매주 화요일 화요일마다",
        "오늘날의 문제",
        "이번 주제는 지난 주문과 다음 주소",
        "이번 달리기 대회",
        "그제야 알았다",
        "지난번 시간",
        "11월 3일 전까지",
        "2020년 전에는",
        "목요일은행이야기",
        "每周三开会，一周三次",
        "目前天气不错，以前天天跑步",
        "过去年轻的时候",
        "然后天黑了",
        "晚上周杰伦唱歌",
        "本周期和下周边",
        "2025年5月8日星期四",
        "5月3日前提交",
        "2020年前",
        "第三天前",
        "毎週火曜日",
        "",
    ] {
        check(text, &[]);
    }
}

#[test]
fn a_week_begins_on_monday_and_a_weekday_of_today_is_a_week_ago() {
    let monday = date(2026, 11, 9);
    assert_eq!(found("last Monday, 지난 월요일", monday), ["last Monday = 11-02", "지난 월요일 = 11-02"]);
    assert_eq!(found("last week", monday), ["last week = 11-02..11-08"]);
    let sunday = date(2026, 11, 8);
    assert_eq!(found("这周, 上周日", sunday), ["这周 = 11-02..11-08", "上周日 = 11-01"]);
    assert_eq!(found("last week on Tuesday", sunday), ["last week on Tuesday = 10-27"]);
    assert_eq!(found("last month", date(2026, 3, 31)), ["last month = 02-01..02-28"]);
}

#[test]
fn the_ends_of_the_calendar_give_no_days_rather_than_wrong_ones() {
    let all = "yesterday tomorrow last week next week last year next year last Tuesday next Tuesday \
        100 years ago the past two weeks 上周二 下周日 지난주 다음 달 재작년 来年";
    for today in [Date::MIN, Date::MAX] {
        for mention in time_mentions(all, today) {
            assert!(mention.first <= mention.last);
            assert!(mention.days() >= 1);
        }
    }
}

/// Text out of the pieces that words for time are made of.
fn hostile() -> impl Strategy<Value = String> {
    let pieces = vec![
        "last",
        "past",
        "next",
        "this",
        "the",
        "two",
        "3",
        "９",
        "week",
        "weeks",
        "days",
        "ago",
        " ",
        " ",
        "'s",
        "Tuesday",
        "on",
        "of",
        "上",
        "下",
        "这",
        "个",
        "周",
        "星期",
        "二",
        "两",
        "十",
        "百",
        "天",
        "前",
        "月",
        "年",
        "去",
        "今",
        "末",
        "지난",
        "이번",
        "다음",
        "주",
        "달",
        "화요일",
        "일",
        "전",
        "에",
        "두",
        "오늘",
        "昨",
        "日",
        "先",
        "週",
        "の",
        "火曜",
        "yesterday",
        "May 8",
        "2025年",
        "é",
        "\u{200d}",
        "İ",
        "9999",
    ];
    let piece = prop_oneof![
        "\\PC{0,4}".prop_map(|text| text),
        proptest::sample::select(pieces).prop_map(str::to_owned)
    ];
    proptest::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn any_text_gives_mentions_that_can_be_cut_out(text in hostile(), days in -4_000_000i32..4_000_000) {
        let shift = jiff::Span::new().days(days);
        let today = date(1970, 1, 1).checked_add(shift).unwrap_or(Date::MAX);
        let mut end = 0;
        for mention in time_mentions(&text, today) {
            prop_assert!(text.get(mention.range.clone()).is_some_and(|cut| !cut.is_empty()));
            prop_assert!(mention.range.start >= end);
            prop_assert!(mention.first <= mention.last);
            end = mention.range.end;
        }
    }
}
