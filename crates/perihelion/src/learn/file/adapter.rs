//! An adapter and what protects it, as records of a learning file and back.

use std::collections::BTreeMap;

use peri_learn::adapt::{Adapter, Consolidation, Mode};
use peri_learn::rvf::{AdapterRecord, EwcRecord, Factor};
use peri_types::{Namespace, SpaceId, Timestamp};
use serde_json::json;

use super::super::adapt::{ADAPTER, Kept};

/// What all tasks together need of the weights goes by this name.
const TOGETHER: &str = "together";

/// What one task needs goes by its name behind this.
const TASK: &str = "task ";

/// The records of an adapter.
pub(super) fn records(kept: &Kept, namespace: &Namespace, at: Timestamp) -> (AdapterRecord, EwcRecord) {
    let (adapter, protected) = (&kept.adapter, &kept.protected);
    let factor = |values: &[f32]| Factor {
        rows: adapter.rank() as u32,
        columns: adapter.space().dimensions,
        values: values.to_vec(),
    };
    let lora = AdapterRecord {
        name: ADAPTER.to_owned(),
        rank: adapter.rank() as u32,
        dimensions: adapter.space().dimensions,
        factors: [("u".to_owned(), factor(adapter.u())), ("v".to_owned(), factor(adapter.v()))].into(),
        namespace: Some(namespace.clone()),
        space: Some(adapter.space().clone()),
        trained_at: Some(at),
    };
    let tasks = protected.task_weights();
    let mut importance: BTreeMap<String, Vec<f32>> =
        tasks.into_iter().map(|(name, needs)| (format!("{TASK}{name}"), needs)).collect();
    importance.insert(TOGETHER.to_owned(), protected.fisher().to_vec());
    let ewc = EwcRecord {
        tasks_learned: protected.tasks_learned(),
        protection_strength: protected.protection_strength(),
        task_weights: [(TOGETHER.to_owned(), protected.anchor().to_vec())].into(),
        task_importance: importance,
        name: Some(ADAPTER.to_owned()),
        namespace: Some(namespace.clone()),
    };
    (lora, ewc)
}

/// The adapter that records speak of, if it is one of ours and of this space. Without what protects it, nothing of it is
/// protected.
pub(super) fn kept(
    lora: &AdapterRecord,
    ewc: Option<&EwcRecord>,
    space: &SpaceId,
    otherwise: Mode,
) -> Option<Kept> {
    let values = |name: &str| lora.factors.get(name).map(|factor| factor.values.clone());
    if lora.name != ADAPTER || lora.space.as_ref() != Some(space) {
        return None;
    }
    let rank = usize::try_from(lora.rank).ok()?;
    let adapter = Adapter::of(space.clone(), rank, values("u")?, values("v")?).ok()?;
    let mode = Mode::ALL.into_iter().find(|mode| mode.settings().rank == rank).unwrap_or(otherwise);
    let unprotected = || Consolidation::new(mode.settings().protection_strength);
    let size = adapter.u().len() + adapter.v().len();
    let protected = ewc.and_then(protection).filter(|own| own.fisher().len() == size);
    Some(Kept { mode, adapter, protected: protected.unwrap_or_else(unprotected) })
}

fn protection(ewc: &EwcRecord) -> Option<Consolidation> {
    let needs = ewc.task_importance.iter();
    let tasks: Vec<(&str, &Vec<f32>)> =
        needs.filter_map(|(name, needs)| Some((name.strip_prefix(TASK)?, needs))).collect();
    // Whatever is unsound about it is found when it is read.
    let written = json!({
        "format": peri_learn::adapt::FORMAT,
        "protection_strength": ewc.protection_strength,
        "tasks_learned": ewc.tasks_learned,
        "fisher": ewc.task_importance.get(TOGETHER)?,
        "anchor": ewc.task_weights.get(TOGETHER)?,
        "tasks": tasks,
    });
    serde_json::from_value(written).ok()
}

#[cfg(test)]
mod tests {
    use peri_learn::adapt::Example;

    use super::*;

    fn space(dimensions: u32) -> SpaceId {
        SpaceId { model: "모델".to_owned(), dimensions }
    }

    fn learned() -> Kept {
        let mode = Mode::Edge;
        let (rank, dimensions) = (mode.settings().rank, 3);
        let weights =
            |seed: f32| (0..rank * dimensions).map(|at| seed * at as f32 / 10.0).collect::<Vec<_>>();
        let adapter = Adapter::of(space(3), rank, weights(0.5), weights(-0.25)).unwrap();
        let vector = |at: usize| (0..3).map(|own| f32::from(u8::from(own == at))).collect::<Vec<f32>>();
        let example = Example { query: vector(0), used: vec![vector(1)], unused: vec![vector(2)] };
        let protected = Consolidation::new(300.0).after("과제 하나", &adapter, &[&example]).unwrap();
        Kept { mode, adapter, protected }
    }

    #[test]
    fn an_adapter_and_what_protects_it_come_back_as_they_were() {
        let own = learned();
        let namespace = Namespace::default();
        let (lora, ewc) = records(&own, &namespace, Timestamp::UNIX_EPOCH);
        assert_eq!(lora.space.as_ref(), Some(&space(3)));
        let back = kept(&lora, Some(&ewc), &space(3), Mode::Research).unwrap();
        assert_eq!((back.adapter, back.protected, back.mode), (own.adapter, own.protected, Mode::Edge));
    }

    #[test]
    fn one_of_another_space_name_or_size_is_left() {
        let (lora, ewc) = records(&learned(), &Namespace::default(), Timestamp::UNIX_EPOCH);
        assert!(kept(&lora, Some(&ewc), &space(4), Mode::Edge).is_none());
        let other = AdapterRecord { name: "theirs".to_owned(), ..lora.clone() };
        assert!(kept(&other, None, &space(3), Mode::Edge).is_none());
        let mut cut = lora.clone();
        cut.factors.get_mut("u").unwrap().values.pop();
        assert!(kept(&cut, None, &space(3), Mode::Edge).is_none());
        let mut less = ewc;
        less.task_importance.get_mut(TOGETHER).unwrap().pop();
        let unprotected = kept(&lora, Some(&less), &space(3), Mode::Edge).unwrap();
        assert_eq!(unprotected.protected.tasks_learned(), 0, "what protects it is not believed by halves");
    }
}
