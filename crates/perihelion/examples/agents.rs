//! Two agents of one team: each has a namespace of its own, and both share one. Filters choose by tag and
//! kind, a token budget keeps what is handed to a model small, and threads may use one engine at once.
//!
//! Run it with `cargo run -p perihelion --example agents`.
#![allow(clippy::print_stdout)]

use perihelion::{Filter, Kind, Options, Perihelion, Recall, Remember, Scope};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let engine = Perihelion::open(Options::at(folder.path()))?;

    // Every memory belongs to exactly one namespace, a path of your choosing.
    let (coder, reviewer, shared) = ("team/coder".parse()?, "team/reviewer".parse()?, "team/shared".parse()?);
    let own = |content: &str, namespace: &perihelion::Namespace| {
        Remember::new(content).in_namespace(namespace.clone())
    };
    engine.remember_all(vec![
        own("The release branch is called ship/2025.1", &shared).kind(Kind::Fact).tags(["release"]),
        own("Decided: the release waits for the security audit", &shared)
            .kind(Kind::Decision)
            .tags(["release"]),
        own("My last release attempt failed because of a missing changelog entry", &coder).tags(["release"]),
        own("The release notes still need a second pair of eyes", &reviewer).tags(["release", "todo"]),
        own("The linter is slow on the generated files", &coder),
    ])?;

    // A worker thread may write while others ask: all methods take `&self`.
    std::thread::scope(|threads| {
        let worker = threads.spawn(|| {
            let note = "The nightly build of the release branch took 14 minutes";
            engine.remember(own(note, &shared).kind(Kind::Observation).tags(["release", "build"]))
        });
        worker.join().map_err(|_| "the worker panicked")?.map_err(Box::<dyn std::error::Error>::from)
    })?;

    // Each agent asks its own namespace and the shared one, and never sees the other's.
    for (name, namespace) in [("coder", &coder), ("reviewer", &reviewer)] {
        let question = Recall::new("what about the release?")
            .in_scope(Scope::Exact(namespace.clone()))
            .in_scope(Scope::Exact(shared.clone()));
        println!("the {name} recalls:");
        show(&engine, &question)?;
    }

    // Filters choose before anything is ranked.
    let decisions = Filter { kinds: vec![Kind::Decision], tags: vec!["release".into()], ..Filter::default() };
    println!("decisions about the release, of the whole team:");
    let question = Recall::new("release").in_scope("team/*".parse()?);
    show(&engine, &Recall { filter: decisions, ..question.clone() })?;

    // A budget in tokens: what is handed on fits, and the answer says what had to stay behind.
    println!("the same without the filter, in at most 24 tokens:");
    show(&engine, &question.tokens_max(24))?;

    for stats in engine.stats(&"team/*".parse()?)?.namespaces {
        println!("{}: {} memories", stats.namespace, stats.memories);
    }
    engine.close()?;
    Ok(())
}

fn show(engine: &Perihelion, question: &Recall) -> Result<(), perihelion::Error> {
    let recalled = engine.recall(question)?;
    for hit in &recalled.hits {
        println!(
            "  {:.2}  [{}] {} ({} tokens)",
            hit.score, hit.memory.namespace, hit.memory.content, hit.tokens
        );
    }
    if recalled.over_budget > 0 {
        println!("        ({} more did not fit)", recalled.over_budget);
    }
    println!();
    Ok(())
}
