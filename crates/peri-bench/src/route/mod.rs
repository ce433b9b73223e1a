//! `peri-bench route`: how often a task goes to the right agent, and how honest the confidence is.
//!
//! The router learns from the split `train`, one task after the other, and is judged on tasks of other topics. What can
//! be chosen was chosen by `--validate`, which never looks beyond the training part.

mod curve;
mod labelled;
mod score;

use std::path::PathBuf;
use std::time::Instant;

use peri_learn::route::{Link, Origin, Router, Settings, route_by_table};

use crate::Outcome;
use labelled::{Labelled, Set};
use score::{Answer, accuracy, answers, calibration, confidence, shuffled, spread};

const FOLDS: usize = 8;

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Plan {
    /// The folder with `tasks.jsonl` and `later.jsonl`.
    #[arg(long, default_value = "bench/routing")]
    data: PathBuf,
    /// How many orders of the training part are tried.
    #[arg(long, default_value_t = 10)]
    shuffles: u64,
    /// Leave the vectors out.
    #[arg(long)]
    words_only: bool,
    /// Only cross-validate inside the training part, topic by topic. Choose by this alone.
    #[arg(long)]
    validate: bool,
    /// With `--validate`: list the tasks that were routed wrongly.
    #[arg(long, requires = "validate")]
    misses: bool,
    /// How far one outcome moves the weights.
    #[arg(long)]
    learning_rate: Option<f32>,
    /// How strongly weights are drawn back to zero.
    #[arg(long)]
    decay: Option<f32>,
    /// How many earlier outcomes are gone over again with each new one.
    #[arg(long)]
    rehearsals: Option<usize>,
}

impl Plan {
    fn settings(&self, link: Link) -> Settings {
        let plain = Settings::default();
        Settings {
            learning_rate: self.learning_rate.unwrap_or(plain.learning_rate),
            decay: self.decay.unwrap_or(plain.decay),
            rehearsals: self.rehearsals.unwrap_or(plain.rehearsals),
            link,
            ..plain
        }
    }

    /// A router that has learned these tasks in this order.
    fn taught<'a>(&self, set: &Set, of: impl IntoIterator<Item = &'a Labelled>) -> Outcome<Router> {
        let mut router = Router::new(self.settings(Link::Shared));
        of.into_iter().try_for_each(|one| set.teach(&mut router, one))?;
        Ok(router)
    }
}

pub(crate) fn run(plan: &Plan) -> Outcome<()> {
    let set = Set::read(&plan.data, !plan.words_only)?;
    if plan.validate {
        return validate(plan, &set);
    }
    println!(
        "{} tasks to learn, {} held out, {} written later\n",
        set.train.len(),
        set.test.len(),
        set.later.len()
    );
    println!(
        "{:<34} {:>9} {:>6} {:>6} {:>6} {:>11} {:>6}",
        "accuracy", "held out", "en", "ko", "zh", "later", "ECE"
    );
    for (name, origin) in
        [("the original table alone", Some(Origin::Table)), ("the table with what was added", None)]
    {
        baseline(name, origin, &set);
    }
    let untaught = Router::default();
    line(
        "a router that has learned nothing",
        &[answers(&set, &untaught, &set.test)],
        &[answers(&set, &untaught, &set.later)],
    );
    learned(plan, &set)?;
    curve::learning(plan, &set)?;
    curve::bandit(plan, &set)?;
    speed(plan, &set)
}

fn baseline(name: &str, origin: Option<Origin>, set: &Set) {
    let answer = |one: &Labelled| Answer {
        language: one.language.clone(),
        agent: one.agent.clone(),
        chosen: route_by_table(&one.text, origin).agent.to_owned(),
        confidence: f32::NAN,
    };
    let of = |part: &[Labelled]| part.iter().map(answer).collect::<Vec<Answer>>();
    line(name, &[of(&set.test)], &[of(&set.later)]);
}

/// One line: means over several runs.
fn line(name: &str, test: &[Vec<Answer>], later: &[Vec<Answer>]) {
    let mean = |of: &[Vec<Answer>], language: Option<&str>| {
        let runs: Vec<f64> = of
            .iter()
            .map(|run| accuracy(run.iter().filter(|one| language.is_none_or(|own| own == one.language))))
            .collect();
        spread(&runs)
    };
    let (all, deviation) = mean(test, None);
    let (afterwards, _) = mean(later, None);
    let by_language: Vec<String> =
        ["en", "ko", "zh"].iter().map(|own| format!("{:>6.3}", mean(test, Some(own)).0)).collect();
    let error = spread(&test.iter().map(|run| calibration(run)).collect::<Vec<f64>>()).0;
    let error = if error.is_nan() { "—".to_owned() } else { format!("{error:.3}") };
    println!("{name:<34} {all:>5.3} ±{deviation:.3} {} {afterwards:>10.3} {error:>6}", by_language.join(" "));
}

fn learned(plan: &Plan, set: &Set) -> Outcome<()> {
    let mut orders = vec![("learned, in the order of the file", vec![set.train.iter().collect::<Vec<_>>()])];
    orders.push(("learned, shuffled", (1..=plan.shuffles).map(|seed| shuffled(&set.train, seed)).collect()));
    let mut last = Vec::new();
    for (name, orders) in orders {
        let routers =
            orders.into_iter().map(|order| plan.taught(set, order)).collect::<Outcome<Vec<Router>>>()?;
        let of = |part: &[Labelled], how: fn(&Router) -> Router| {
            routers.iter().map(|router| answers(set, &how(router), part)).collect::<Vec<_>>()
        };
        line(name, &of(&set.test, Router::clone), &of(&set.later, Router::clone));
        let bare = |router: &Router| router.clone().uncalibrated();
        line("  without calibration", &of(&set.test, bare), &of(&set.later, bare));
        let practised = |router: &Router| {
            let mut router = router.clone();
            router.rehearse(5);
            router
        };
        line("  gone over again five times", &of(&set.test, practised), &of(&set.later, practised));
        last = of(&set.test, Router::clone).concat();
        let later = of(&set.later, Router::clone).concat();
        println!(
            "  mean confidence held out {:.3}, later {:.3} with calibration error {:.3}",
            confidence(&last),
            confidence(&later),
            calibration(&later),
        );
    }
    per_agent(&last);
    reliability(&last);
    Ok(())
}

fn per_agent(answers: &[Answer]) {
    println!("\n{:<24} {:>6} {:>10}  mostly mistaken for", "held out, by agent", "found", "precision");
    for agent in Router::default().agents() {
        let own = || answers.iter().filter(|one| one.agent == *agent);
        let precision = accuracy(answers.iter().filter(|one| one.chosen == *agent));
        let mistaken = |other: &String| own().filter(|one| one.chosen == *other && other != agent).count();
        let router = Router::default();
        let most = router.agents().iter().max_by_key(|other| mistaken(other));
        let most = most.filter(|other| mistaken(other) > 0).map_or("", String::as_str);
        println!("{agent:<24} {:>6.3} {precision:>10.3}  {most}", accuracy(own()));
    }
}

fn reliability(answers: &[Answer]) {
    println!("\n{:<14} {:>7} {:>8} {:>7}", "confidence", "tasks", "claimed", "right");
    for bin in 0..10_u8 {
        let (low, high) = (f32::from(bin) / 10.0, f32::from(bin + 1) / 10.0);
        let own: Vec<Answer> = answers
            .iter()
            .filter(|one| one.confidence >= low && (one.confidence < high || bin == 9))
            .cloned()
            .collect();
        if !own.is_empty() {
            let claimed = confidence(&own);
            println!("{low:.1} to {high:.1}     {:>7} {claimed:>8.3} {:>7.3}", own.len(), accuracy(&own));
        }
    }
}

/// Each topic is left out once, with the others of its fold, and routed by what the rest taught.
fn validate(plan: &Plan, set: &Set) -> Outcome<()> {
    let mut topics: Vec<&String> = set.train.iter().map(|one| &one.topic).collect();
    topics.dedup();
    let fold_of = |one: &Labelled| topics.iter().position(|topic| **topic == one.topic).unwrap_or(0) % FOLDS;
    let (mut all, mut bare, mut untaught, mut runs) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for seed in 1..=plan.shuffles {
        let before = all.len();
        for fold in 0..FOLDS {
            let order = shuffled(&set.train, seed);
            let router = plan.taught(set, order.into_iter().filter(|one| fold_of(one) != fold))?;
            let left_out = || set.train.iter().filter(|one| fold_of(one) == fold);
            all.extend(answers(set, &router, left_out()));
            bare.extend(answers(set, &router.clone().uncalibrated(), left_out()));
            untaught.extend(answers(set, &Router::default(), left_out()));
            if plan.misses && seed == 1 {
                misses(set, &router, left_out());
            }
        }
        runs.push(accuracy(&all[before..]));
    }
    let (mean, deviation) = spread(&runs);
    println!(
        "cross-validated: {mean:.4} ±{deviation:.4}, calibration error {:.3}, mean confidence {:.3}",
        calibration(&all),
        confidence(&all)
    );
    println!(
        "without calibration: error {:.3}, mean confidence {:.3}",
        calibration(&bare),
        confidence(&bare)
    );
    println!(
        "untaught: {:.3}, calibration error {:.3}, mean confidence {:.3}",
        accuracy(&untaught),
        calibration(&untaught),
        confidence(&untaught)
    );
    for language in ["en", "ko", "zh"] {
        println!("  {language} {:.3}", accuracy(all.iter().filter(|one| one.language == language)));
    }
    per_agent(&all);
    Ok(())
}

fn misses<'a>(set: &Set, router: &Router, of: impl Iterator<Item = &'a Labelled>) {
    for one in of {
        let route = router.route(&set.task(one));
        if route.agent != one.agent {
            println!("{}: {}\n    {}", one.agent, one.text, route.reasoning());
        }
    }
}

fn speed(plan: &Plan, set: &Set) -> Outcome<()> {
    let router = plan.taught(set, &set.train)?;
    let mut times: Vec<f64> = Vec::new();
    for one in std::iter::repeat_n(&set.test, 20).flatten() {
        let task = set.task(one);
        let started = Instant::now();
        let route = router.route(&task);
        times.push(started.elapsed().as_secs_f64() * 1e6);
        assert!(!route.agent.is_empty());
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    let started = Instant::now();
    let again = plan.taught(set, &set.train)?;
    let each = started.elapsed() / u32::try_from(set.train.len().max(1))?;
    let kept = serde_json::to_string(&again)?;
    println!(
        "\na route takes {:.1} µs (median), {:.1} µs (99 of 100); learning an outcome takes {each:.1?}; kept in {} KB",
        at(0.5),
        at(0.99),
        kept.len() / 1000,
    );
    Ok(())
}
