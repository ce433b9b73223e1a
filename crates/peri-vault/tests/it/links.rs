//! Links between documents become edges between their memories.

use perihelion::{EdgeType, Scope};

use crate::support::Desk;

/// Where the links of a document lead.
fn leads(desk: &Desk, place: &str) -> Vec<String> {
    let id = desk.memory(place).id;
    let edges = desk.engine.edges(&Scope::All, id).unwrap();
    let own = edges.into_iter().filter(|edge| edge.source == id && edge.edge_type == EdgeType::RelatedTo);
    let mut sources: Vec<_> = own
        .map(|edge| desk.engine.get(&Scope::All, edge.target).unwrap().facets.source.unwrap())
        .map(|source| source.trim_start_matches("vault:knowledge/").to_owned())
        .collect();
    sources.sort();
    sources
}

#[test]
fn links_are_drawn_when_both_ends_are_there_and_follow_every_change() {
    let desk = Desk::new();
    desk.write("knowledge/facts/허브.md", "목록: [[커피|마실 것]] 그리고 [[experiences/여행#부산]]");
    assert_eq!(desk.sync().links_drawn, 0);
    desk.write("knowledge/facts/커피.md", "드립이 제일이다.");
    desk.write("knowledge/experiences/여행.md", "지난 여름 바다에 갔다.");
    assert_eq!(desk.sync().links_drawn, 2);
    assert_eq!(leads(&desk, "knowledge/facts/허브.md"), ["experiences/여행.md", "facts/커피.md"]);
    desk.write("knowledge/facts/허브.md", "목록: [[커피]]");
    assert_eq!(desk.sync().links_removed, 1);
    assert_eq!(leads(&desk, "knowledge/facts/허브.md"), ["facts/커피.md"]);
    // A renamed target is meant by its new name alone, as everywhere.
    std::fs::rename(desk.path("knowledge/facts/커피.md"), desk.path("knowledge/facts/차.md")).unwrap();
    desk.sync();
    assert_eq!(leads(&desk, "knowledge/facts/허브.md"), Vec::<String>::new());
    desk.write("knowledge/facts/허브.md", "목록: [[차]]");
    desk.sync();
    assert_eq!(leads(&desk, "knowledge/facts/허브.md"), ["facts/차.md"]);
    desk.remove("knowledge/facts/차.md");
    desk.sync();
    assert_eq!(leads(&desk, "knowledge/facts/허브.md"), Vec::<String>::new());
    assert!(desk.sync().is_nothing());
}

#[test]
fn a_link_to_a_heading_leads_to_its_part() {
    let desk = Desk::new();
    let filler = "A long story goes on and on. ".repeat(80);
    desk.write("knowledge/long.md", &format!("# One\n\n{filler}\n\n## Two\n\nThe end.\n"));
    desk.write("knowledge/a.md", "See [[long#two]].");
    desk.write("knowledge/b.md", "See [[Long]].");
    desk.sync();
    assert_eq!(leads(&desk, "knowledge/a.md"), ["long.md#Two"]);
    assert_eq!(leads(&desk, "knowledge/b.md"), ["long.md#One"]);
}

#[test]
fn links_of_the_front_matter_and_in_the_way_of_markdown_are_drawn_too() {
    let desk = Desk::new();
    desk.write("knowledge/차.md", "우롱차.");
    desk.write("knowledge/工作/燃料 1.md", "三号罐。");
    desk.write("knowledge/facts/tea.md", "Oolong.");
    let text = "---\nup: \"[[차|tea]]\"\nseen:\n  - \"[[tea]]\"\n  - 7\n---\nSee [it](../工作/%E7%87%83%E6%96%99%201.md).";
    desk.write("knowledge/프로젝트/달.md", text);
    assert_eq!(desk.sync().links_drawn, 3);
    assert_eq!(leads(&desk, "knowledge/프로젝트/달.md"), ["facts/tea.md", "工作/燃料 1.md", "차.md"]);
}
