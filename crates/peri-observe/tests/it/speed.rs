//! The rules read a long conversation in the time that a hook has; the figure is shown, not asserted.

use std::time::Instant;

use peri_observe::observe;

use crate::support::said;

#[test]
fn a_long_conversation_is_read_to_its_end() {
    let texts = [
        "We decided to store all timestamps in UTC. The nightly export crashes when a name is empty.",
        "이번 주 안에 자동차 보험 갱신해야 해. 응답 시간은 200ms를 넘으면 안 돼.",
        "我们决定所有时间都用 UTC 存储。上次部署之后 Safari 上登录不了。",
        "Could you explain what this function does and why it is called twice in the loop below?",
    ];
    let messages: Vec<_> =
        (0..2000).map(|place| said(&format!("{} Case {place}.", texts[place % texts.len()]))).collect();
    let begun = Instant::now();
    let first = observe(&messages[..1], &[], &[]);
    let loaded = begun.elapsed();
    let found: usize = messages.chunks(20).map(|turn| observe(turn, &[], &[]).len()).sum();
    let seconds = begun.elapsed().as_secs_f64();
    println!("first message {loaded:?}; {} messages in {seconds:.3} s", messages.len());
    assert!(!first.is_empty() && found >= messages.len() / 20);
}
