//! Completions end tasks, changes and corrections end what held before.

use peri_observe::{FindingKind, ItemState, Target, observe};

use crate::support::{answered, item, said};

#[test]
fn a_completion_ends_the_task_it_speaks_of() {
    let known = [
        item("rollback", FindingKind::OpenTask, "We still have to write the rollback script."),
        item("bank", FindingKind::OpenTask, "Remind me to call the bank."),
        item("deploy", FindingKind::OpenTask, "결제 서비스 배포해야 해."),
        item("login", FindingKind::OpenTask, "登录跳转的问题要修。"),
        item("done", FindingKind::OpenTask, "Write the rollback plan."),
    ];
    for (text, expected) in [
        ("The rollback script is done.", Some("rollback")),
        ("I called the bank.", Some("bank")),
        ("결제 서비스 배포 완료!", Some("deploy")),
        ("登录跳转的问题已经修好了。", Some("login")),
        ("I finished the tax declaration.", None),
    ] {
        let found = observe(&[said(text)], &known, &[]);
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(found[0].completes, expected.map(|id| Target::Item(id.to_owned())), "{text}");
    }
}

#[test]
fn a_task_that_is_done_already_is_not_ended_again() {
    let mut known = item("a", FindingKind::OpenTask, "Write the rollback script.");
    known.state = ItemState::Done;
    let found = observe(&[said("The rollback script is done.")], &[known], &[]);
    assert_eq!(found[0].completes, None);
}

#[test]
fn two_tasks_alike_leave_a_completion_open() {
    let known = [
        item("a", FindingKind::OpenTask, "Write the script for orders."),
        item("b", FindingKind::OpenTask, "Write the script for invoices."),
    ];
    let found = observe(&[said("I finished the script.")], &known, &[]);
    assert_eq!(found[0].completes, None);
}

#[test]
fn a_task_and_its_completion_may_stand_in_one_conversation() {
    let found = observe(
        &[said("TODO: write the rollback script"), answered("I've written the rollback script.")],
        &[],
        &[],
    );
    assert_eq!(found.len(), 2, "{found:#?}");
    assert_eq!(found[1].completes, Some(Target::Finding(0)));
}

#[test]
fn a_change_names_what_it_replaces() {
    let known = [
        item("ci", FindingKind::Decision, "Our CI runs on Jenkins."),
        item("state", FindingKind::Decision, "프런트엔드는 리덕스를 쓴다."),
        item("chat", FindingKind::Decision, "团队聊天用 Slack。"),
        item("port", FindingKind::Person, "The staging port is 8080."),
        item("home", FindingKind::Person, "User lives in Berlin."),
    ];
    for (text, expected) in [
        ("We moved our CI from Jenkins to GitHub Actions.", Target::Item("ci".to_owned())),
        ("이제 리덕스 안 쓰고 주스탄드로 바꿨어.", Target::Item("state".to_owned())),
        ("这周我们从 Slack 换成了 Zulip。", Target::Item("chat".to_owned())),
        ("No, the staging port is 8443, not 8080.", Target::Item("port".to_owned())),
        ("I moved to Porto two weeks ago.", Target::Item("home".to_owned())),
        ("We switched from Webpack to Vite.", Target::Text("Webpack".to_owned())),
    ] {
        let found = observe(&[said(text)], &known, &[]);
        assert_eq!(found.len(), 1, "{text}: {found:#?}");
        assert_eq!(found[0].replaces, Some(expected), "{text}");
    }
}

#[test]
fn a_change_may_replace_what_was_found_just_before() {
    let found = observe(
        &[said("We decided to use npm for the client."), said("We use pnpm instead of npm for the client.")],
        &[],
        &[],
    );
    assert_eq!(found.last().and_then(|one| one.replaces.clone()), Some(Target::Finding(0)), "{found:#?}");
}
