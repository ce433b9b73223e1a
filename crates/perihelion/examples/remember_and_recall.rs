//! The ten-line program: remember two statements, ask a question, forget one.
//!
//! Run it with `cargo run -p perihelion --example remember_and_recall`.
#![allow(clippy::print_stdout)]

use perihelion::{Options, Perihelion, Recall, Remember, Scope};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // An engine works on a folder. A real program would use a folder that stays.
    let folder = tempfile::tempdir()?;
    let engine = Perihelion::open(Options::at(folder.path()))?;

    // When the receipt comes, the memory is on the disk.
    engine.remember(Remember::new("Ana prefers tea over coffee"))?;
    let receipt = engine.remember(Remember::new("The staging server is called Ganymede"))?;
    println!("remembered {} ({:?}, {:?})\n", receipt.id, receipt.outcome, receipt.meaning);

    // Recall answers with the memories that matter, the best first; an empty list means that none does.
    for question in ["what does Ana like to drink?", "name of the staging server", "how do volcanoes form?"] {
        println!("{question}");
        let recalled = engine.recall(&Recall::new(question))?;
        for hit in &recalled.hits {
            println!("  {:.2}  {}", hit.score, hit.memory.content);
        }
        if recalled.hits.is_empty() {
            println!("  (nothing relevant, out of {} memories weighed)", recalled.considered);
        }
    }

    // Forgetting moves a memory to the trash, from where it can be restored for thirty days.
    engine.forget(&Scope::All, receipt.id)?;
    let left = engine.recall(&Recall::new("name of the staging server"))?.hits.len();
    println!("\nafter forgetting the server, the same question finds {left} memories");
    engine.restore(&Scope::All, receipt.id)?;

    // Closing finishes the chores and, unlike dropping, tells of trouble.
    engine.close()?;
    Ok(())
}
