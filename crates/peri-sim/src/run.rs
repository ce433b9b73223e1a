//! Several processes on one folder while things go wrong, and a model of what they were told.
//!
//! A seed decides how many processes there are, what each is told in each round, and what goes wrong at which of its
//! calls. What the system decides is who comes first within a round, so that two runs of a seed differ in who waits for
//! whom, and from there in what is refused and what waits.

mod choice;
mod weather;

use std::fs;
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::actor::DATA;
use crate::disk::Disk;
use crate::ledger::{Came, Ledger, When};
use crate::order::{Answer, Manner, Order};
use crate::picture::Picture;
use crate::process::{Heard, PATIENCE, Place, Process, begin_record};
use crate::random::Random;
use crate::record;
use crate::shim::{self, Action, State};
use choice::Choice;
use weather::{Jolt, Weather};

/// How far it is, is told after so many seeds.
const PROGRESS: u64 = 100;

/// Whoever sleeps is woken after so long at the latest.
const NAP: Duration = Duration::from_millis(1500);

/// Whoever looks waits for its turn and does nothing by itself.
const ONLOOKER: Manner = Manner { queues: false, threads: false, busy_ms: 20_000 };
const LAST: Manner = Manner { queues: true, ..ONLOOKER };

/// Runs seeds; how many of them failed is the answer.
pub(crate) fn run(
    seeds: Range<u64>,
    verbose: bool,
    parallel: usize,
    tell: &(dyn Fn(&str) + Sync),
) -> io::Result<u64> {
    let scratch = tempfile::tempdir()?;
    let shim = shim::compile(&scratch.path().join("shim"))?;
    let (next, failed) = (AtomicU64::new(seeds.start), AtomicU64::new(0));
    let trouble: Mutex<Option<io::Error>> = Mutex::new(None);
    let began = Instant::now();
    std::thread::scope(|threads| {
        for _ in 0..parallel.max(1) {
            threads.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        return;
                    }
                    if seed > seeds.start && (seed - seeds.start).is_multiple_of(PROGRESS) {
                        tell(&format!("{} seeds, {} s", seed - seeds.start, began.elapsed().as_secs()));
                    }
                    match one(seed, &shim, verbose, tell) {
                        Ok(true) => {}
                        Ok(false) => drop(failed.fetch_add(1, Ordering::Relaxed)),
                        Err(error) => {
                            tell(&format!("seed {seed} could not be run: {error}"));
                            trouble
                                .lock()
                                .unwrap_or_else(std::sync::PoisonError::into_inner)
                                .get_or_insert(error);
                            return;
                        }
                    }
                }
            });
        }
    });
    if let Some(error) = trouble.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        return Err(error);
    }
    let (count, failed) = (seeds.end - seeds.start, failed.load(Ordering::Relaxed));
    tell(&format!("{count} seeds, {failed} failed, {} s", began.elapsed().as_secs()));
    Ok(failed)
}

/// Runs one seed and tells what was found.
fn one(seed: u64, shim: &std::path::Path, verbose: bool, tell: &(dyn Fn(&str) + Sync)) -> io::Result<bool> {
    let scratch = tempfile::tempdir()?;
    let mut world = World::begin(seed, shim.to_owned(), &scratch.path().canonicalize()?)?;
    world.live()?;
    if verbose {
        world.diary.iter().for_each(|line| tell(line));
    }
    if world.findings.is_empty() {
        return Ok(true);
    }
    let mut report =
        format!("seed {seed} failed; again with: peri-sim run --verbose --seeds {seed}..{}", seed + 1);
    for finding in &world.findings {
        report.push_str("\n  ");
        report.push_str(finding);
    }
    tell(&report);
    Ok(false)
}

/// A place in which a process lives, and the next one after it.
struct Slot {
    manner: Manner,
    process: Option<Process>,
    is_open: bool,
    /// Whether something fatal was planned: threads of the process may meet it after it has answered.
    doomed: bool,
}

struct World {
    random: Random,
    place: Place,
    disk: Disk,
    ledger: Ledger,
    slots: Vec<Slot>,
    weather: Weather,
    rounds: u64,
    started: u64,
    diary: Vec<String>,
    findings: Vec<String>,
}

impl World {
    fn begin(seed: u64, shim: PathBuf, scratch: &std::path::Path) -> io::Result<Self> {
        let mut random = Random::new(seed);
        let [root, desk] = ["root", "desk"].map(|name| scratch.join(name));
        fs::create_dir_all(root.join(DATA))?;
        fs::create_dir_all(&desk)?;
        let record = desk.join("record");
        begin_record(&record)?;
        let slots = (0..2 + random.below(3)).map(|_| Slot {
            manner: Manner {
                queues: !random.one_in(4),
                threads: random.one_in(4),
                busy_ms: [40, 150, 2_000][usize::try_from(random.below(3)).unwrap_or(0)],
            },
            process: None,
            is_open: false,
            doomed: false,
        });
        let slots = slots.collect();
        let disk = Disk::of(&root)?;
        let rounds = 5 + random.below(6);
        let place = Place { shim, root, desk, record: Some(record) };
        Ok(Self {
            random,
            place,
            disk,
            ledger: Ledger::default(),
            slots,
            weather: Weather::default(),
            rounds,
            started: 0,
            diary: Vec::new(),
            findings: Vec::new(),
        })
    }

    fn live(&mut self) -> io::Result<()> {
        for round in 0..self.rounds {
            self.start_missing()?;
            self.round(round)?;
            if !self.findings.is_empty() {
                break;
            }
            if round % 3 == 2 {
                self.look(ONLOOKER, When::Between)?;
            }
        }
        self.finish()
    }

    /// Starts a process where there is none and opens the folder where that was not done.
    fn start_missing(&mut self) -> io::Result<()> {
        for number in 0..self.slots.len() {
            if self.slots[number].process.is_none() {
                self.started += 1;
                let process = Process::start(&self.place, &format!("process{}", self.started))?;
                process.control.set_state(self.weather.state)?;
                let slot = &mut self.slots[number];
                (slot.process, slot.is_open, slot.doomed) = (Some(process), false, false);
            }
            let slot = &mut self.slots[number];
            if let (false, Some(process)) = (slot.is_open, &mut slot.process) {
                let heard = process.ask(&Order::Open(slot.manner))?;
                slot.is_open = matches!(heard, Heard::Answer(Answer::Done));
                self.diary.push(format!("process {number} opens: {heard:?}"));
                let expected = slot.doomed;
                if matches!(heard, Heard::Gone | Heard::Nothing) {
                    self.lose(number, if expected { "" } else { "while opening, without a fault" })?;
                }
            }
        }
        Ok(())
    }

    /// Gives every process something to do at once, lets something go wrong, and notes what came of it.
    fn round(&mut self, round: u64) -> io::Result<()> {
        let mut random = self.random.fork();
        self.turn_weather(&mut random)?;
        let mut choice = Choice::new(&self.ledger, round);
        let before = self.ledger.change();
        let (mut orders, mut jolts) = (Vec::new(), Vec::new());
        for number in 0..self.slots.len() {
            let order = choice.order(&mut random, number);
            let jolt = Jolt::draw(&mut random);
            self.diary.push(format!("round {round}: process {number} gets {order:?} with {jolt:?}"));
            orders.push(order);
            jolts.push(jolt);
        }
        let cut = random.one_in(8).then(|| random.below(self.slots.len() as u64));
        for (number, slot) in self.slots.iter_mut().enumerate() {
            let Some(process) = &mut slot.process else { continue };
            let jolt = if cut == Some(number as u64) { Jolt::fatal(&mut random) } else { jolts[number] };
            jolts[number] = jolt;
            jolt.plan(&process.control)?;
            slot.doomed |= jolt.is_fatal();
            process.tell(&orders[number])?;
        }
        let heard = match cut {
            Some(first) => self.cut_power(usize::try_from(first).unwrap_or(0), &mut random)?,
            None => self.gather(&jolts)?,
        };
        for (number, (order, heard)) in orders.iter().zip(heard).enumerate() {
            self.diary.push(format!("round {round}: process {number} answers {heard:?}"));
            self.note(number, order, jolts[number], heard, before)?;
        }
        Ok(())
    }

    /// Changes how the disk is, and what time it is for somebody.
    fn turn_weather(&mut self, random: &mut Random) -> io::Result<()> {
        let was = self.weather.state;
        self.weather.turn(random);
        let jump = random.one_in(4).then(|| (random.below(self.slots.len() as u64), weather::jump(random)));
        for (number, slot) in self.slots.iter_mut().enumerate() {
            let Some(process) = &mut slot.process else { continue };
            process.control.set_state(self.weather.state)?;
            if let Some((whose, ahead)) = jump
                && whose == number as u64
            {
                self.diary.push(format!("the clock of process {number} is {ahead} ms ahead"));
                process.control.set_clock(ahead)?;
            }
        }
        if was != self.weather.state {
            self.diary.push(format!("the disk is {:?}", self.weather.state));
            // Who opened a folder that could not be written only reads until it opens it again.
            if self.weather.state == State::Well {
                for slot in &mut self.slots {
                    slot.is_open = false;
                }
            }
        }
        Ok(())
    }

    /// Waits for all answers. Sleepers are woken when everybody else is done, or has waited long enough.
    fn gather(&mut self, jolts: &[Jolt]) -> io::Result<Vec<Heard>> {
        let mut heard: Vec<Option<Heard>> = jolts.iter().map(|_| None).collect();
        let until = Instant::now() + NAP;
        let sleeps = |jolt: &Jolt| jolt.action == Action::Stop;
        if jolts.iter().any(sleeps) {
            for (number, slot) in
                self.slots.iter_mut().enumerate().filter(|(number, _)| !sleeps(&jolts[*number]))
            {
                let Some(process) = &mut slot.process else { continue };
                match process.hear(until.saturating_duration_since(Instant::now()))? {
                    Heard::Nothing => {}
                    one => heard[number] = Some(one),
                }
            }
            for slot in &self.slots {
                slot.process.iter().try_for_each(Process::wake)?;
            }
        }
        for (number, slot) in self.slots.iter_mut().enumerate() {
            let (Some(process), None) = (&mut slot.process, &heard[number]) else { continue };
            heard[number] = Some(hear_awake(process, sleeps(&jolts[number]))?);
        }
        Ok(heard.into_iter().map(|one| one.unwrap_or(Heard::Gone)).collect())
    }

    /// Lets one process die at its call, kills all others in the middle of what they do, and leaves on the disk what a
    /// disk would hold.
    fn cut_power(&mut self, first: usize, random: &mut Random) -> io::Result<Vec<Heard>> {
        let mut heard: Vec<Heard> = self.slots.iter().map(|_| Heard::Gone).collect();
        if let Some(process) = &mut self.slots[first].process {
            heard[first] = process.hear(PATIENCE)?;
        }
        for slot in &mut self.slots {
            slot.process.iter_mut().try_for_each(Process::kill)?;
        }
        for (number, slot) in self.slots.iter_mut().enumerate() {
            if let (Some(process), Heard::Gone) = (&mut slot.process, &heard[number]) {
                // What it said before it died counts.
                heard[number] = process.hear(PATIENCE)?;
            }
            if let Some(process) = slot.process.take() {
                process.end()?;
            }
        }
        let left = weather::left(random);
        self.diary.push(format!("the power is cut, and of what was not flushed {left:?} is there"));
        let Some(record) = &self.place.record else { return Ok(heard) };
        let mut disk = std::mem::take(&mut self.disk);
        disk.follow(record::read(record)?);
        disk.cut(&self.place.root, left, random)?;
        fs::create_dir_all(self.place.root.join(DATA))?;
        begin_record(record)?;
        self.disk = Disk::of(&self.place.root)?;
        Ok(heard)
    }

    fn note(
        &mut self,
        number: usize,
        order: &Order,
        jolt: Jolt,
        heard: Heard,
        before: u64,
    ) -> io::Result<()> {
        match heard {
            Heard::Answer(answer) => {
                self.ledger.note(order, &Came::Answer(&answer), before);
                if let (Order::Recall { key }, Answer::Found { ids, degraded }) = (order, &answer) {
                    let found = ids.iter().any(|id| self.ledger.key(id) == Some(key));
                    if !found && degraded.is_empty() {
                        self.findings.push(format!("process {number} does not recall {key}"));
                    }
                }
                match (order, &answer) {
                    (Order::Close, _) => self.slots[number].is_open = false,
                    (_, Answer::Refused { kind, .. }) if kind == "Closed" => {
                        self.slots[number].is_open = false
                    }
                    (_, Answer::Refused { kind, text, .. })
                        if kind == "Internal" || (kind == "Corrupt" && !jolt.spoils_reads()) =>
                    {
                        self.findings
                            .push(format!("process {number} was refused {order:?} with {kind}: {text}"));
                    }
                    _ => {}
                }
                if let Some(process) = &self.slots[number].process {
                    process.control.calm()?;
                }
                Ok(())
            }
            Heard::Nothing => {
                self.findings.push(format!("process {number} hangs at {order:?}"));
                self.lose(number, "since it hangs")
            }
            Heard::Gone => {
                self.ledger.note(order, &Came::Died, before);
                let expected = self.slots[number].doomed;
                if self.slots[number].process.is_some() {
                    self.lose(number, if expected { "" } else { "without a reason" })?;
                }
                Ok(())
            }
        }
    }

    /// Buries a process; one that died for no reason is a finding.
    fn lose(&mut self, number: usize, why: &str) -> io::Result<()> {
        let Some(process) = self.slots[number].process.take() else { return Ok(()) };
        let ended = process.end()?;
        if ended.panicked || !why.is_empty() {
            self.findings.push(format!("process {number} died {why}: {}", ended.complaint));
        }
        Ok(())
    }

    /// Lets a fresh process without faults look at everything.
    fn look(&mut self, manner: Manner, when: When) -> io::Result<Option<Picture>> {
        self.started += 1;
        let mut process = Process::start(&self.place, &format!("onlooker{}", self.started))?;
        let asked = self.ledger.asked();
        let orders =
            [Order::Open(manner), Order::Look { asked, settle: when == When::AtTheEnd }, Order::Close];
        let mut picture = None;
        for order in orders {
            match process.ask(&order)? {
                Heard::Answer(Answer::Seen(seen)) => picture = Some(*seen),
                Heard::Answer(Answer::Refused { kind, text, .. }) => {
                    self.findings.push(format!("an onlooker is refused {order:?}: {kind}: {text}"));
                }
                Heard::Answer(_) => {}
                gone => self.findings.push(format!("an onlooker is {gone:?} at {order:?}")),
            }
        }
        let ended = process.end()?;
        if ended.panicked {
            self.findings.push(format!("an onlooker panicked: {}", ended.complaint));
        }
        if let Some(picture) = &picture {
            self.findings.extend(self.ledger.compare(picture, when));
        }
        Ok(picture)
    }

    /// Lets everybody go, in peace or not, and compares the folder with what is known: once as it is, and once
    /// without anything that is derived.
    fn finish(&mut self) -> io::Result<()> {
        for number in 0..self.slots.len() {
            let Some(mut process) = self.slots[number].process.take() else { continue };
            process.control.calm()?;
            process.control.set_state(State::Well)?;
            if !self.random.one_in(3) {
                let heard = process.ask(&Order::Close)?;
                self.diary.push(format!("process {number} closes: {heard:?}"));
            }
            let ended = process.end()?;
            if ended.panicked {
                self.findings.push(format!("process {number} panicked: {}", ended.complaint));
            }
        }
        if !self.findings.is_empty() {
            return Ok(());
        }
        // Orbits advance every five minutes, and answers with them. So what differs once is compared once more.
        let mut differing = self.differing()?;
        if !differing.is_empty() {
            differing = self.differing()?;
        }
        let told = differing.into_iter().map(|key| format!("recall of {key} differs without derived files"));
        self.findings.extend(told);
        Ok(())
    }

    /// What is recalled differently once everything derived is deleted.
    fn differing(&mut self) -> io::Result<Vec<String>> {
        let first = self.look(LAST, When::AtTheEnd)?.unwrap_or_default();
        let index = self.place.root.join(DATA).join("index");
        if index.is_dir() {
            fs::remove_dir_all(index)?;
        }
        let second = self.look(LAST, When::AtTheEnd)?.unwrap_or_default();
        let differs =
            |key: &String| second.answers.get(key).is_some_and(|other| Some(other) != first.answers.get(key));
        Ok(first.answers.keys().filter(|key| differs(key)).cloned().collect())
    }
}

/// Waits for an answer, and wakes a process again that fell asleep after it was woken.
fn hear_awake(process: &mut Process, sleeps: bool) -> io::Result<Heard> {
    if !sleeps {
        return process.hear(PATIENCE);
    }
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until {
        match process.hear(Duration::from_millis(50))? {
            Heard::Nothing => process.wake()?,
            heard => return Ok(heard),
        }
    }
    Ok(Heard::Nothing)
}
