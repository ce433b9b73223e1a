//! Searching vectors finds what comparing all of them would find.

use peri_index::{Doc, Index, Mask, VectorSettings};
use peri_types::Filter;

use crate::{Note, at, empty, id, text_like};

fn filled(vectors: &[Vec<f32>]) -> Index {
    let mut index = empty(vectors[0].len() as u32);
    for (number, vector) in vectors.iter().enumerate() {
        Note { id: number as u128, vector: Some(vector.clone()), ..Note::default() }.enter(&mut index);
    }
    index
}

/// The share of the exact nearest that a search finds, over all queries.
fn recall(index: &Index, queries: &[Vec<f32>], mask: &Mask, k: usize) -> f64 {
    let (mut right, mut wanted) = (0, 0);
    for query in queries {
        let mut exact: Vec<(f32, Doc)> =
            mask.iter().filter_map(|doc| Some((index.cosine(query, doc)?, doc))).collect();
        exact.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let found = index.nearest(query, mask, k);
        assert!(found.is_sorted_by(|a, b| a.1 >= b.1));
        wanted += exact.len().min(k);
        right += exact.iter().take(k).filter(|(_, doc)| found.iter().any(|(own, _)| own == doc)).count();
    }
    right as f64 / wanted.max(1) as f64
}

#[test]
fn codes_find_what_an_exact_scan_finds() {
    let vectors = text_like(12_040, 256, 1);
    let (documents, queries) = vectors.split_at(12_000);
    let index = filled(documents);
    let mask = index.mask(&Filter::default(), at(0));
    for (k, least) in [(10, 0.999), (100, 0.998), (200, 0.998)] {
        let recall = recall(&index, queries, &mask, k);
        assert!(recall >= least, "recall@{k} is {recall}");
    }
}

#[test]
fn where_the_sample_misleads_nothing_is_missed() {
    // Which documents the sample holds is known here: one of each 32.
    let sampled = |number: usize| number.is_multiple_of(32);
    let vectors = text_like(20_020, 64, 5);
    let (documents, queries) = vectors.split_at(20_000);
    let index = filled(documents);
    let others = (0..20_000).filter(|number| !sampled(*number) && number % 2 == 0);
    let others = Mask::of(others.map(|number| index.doc_of(id(number as u128)).unwrap()));
    let unseen = recall(&index, queries, &others, 10);
    assert!(unseen >= 0.998, "{unseen}: the sample holds none of the mask");
    let query = &queries[0];
    let mixed = |other: &Vec<f32>| query.iter().zip(other).map(|(near, far)| near + far).collect();
    let better: Vec<Vec<f32>> = documents
        .iter()
        .enumerate()
        .map(|(number, own)| if sampled(number) { mixed(own) } else { own.clone() })
        .collect();
    let index = filled(&better);
    let mask = index.mask(&Filter::default(), at(0));
    for k in [10, 400, 800] {
        let found = recall(&index, &queries[..1], &mask, k);
        assert!(found >= 0.9, "{found} of {k}: the sample is nearer than all others");
    }
}

#[test]
fn a_selective_filter_costs_no_recall() {
    let vectors = text_like(20_020, 64, 2);
    let (documents, queries) = vectors.split_at(20_000);
    let mut index = filled(documents);
    index.set_settings(VectorSettings { flat_max: 1000, ..VectorSettings::default() });
    while index.extend_graph(5000) > 0 {}
    for every in [100, 1000] {
        let docs = (0..20_000).step_by(every).map(|number| index.doc_of(id(number)).unwrap());
        assert_eq!(recall(&index, queries, &Mask::of(docs), 10), 1.0);
    }
    let half = Mask::of((0..20_000).step_by(2).map(|number| index.doc_of(id(number)).unwrap()));
    let recall = recall(&index, queries, &half, 10);
    assert!(recall >= 0.97, "recall under a mask of half the documents is {recall}");
}

#[test]
fn the_graph_finds_nearly_all_and_newcomers_at_once() {
    let vectors = text_like(20_050, 64, 3);
    let (documents, queries) = vectors.split_at(20_000);
    let mut index = filled(documents);
    assert_eq!(index.graph_lag(), 0, "small namespaces need no graph");
    index.set_settings(VectorSettings { flat_max: 5000, ..VectorSettings::default() });
    assert_eq!(index.graph_lag(), 20_000);
    while index.extend_graph(3000) > 0 {}
    let mask = index.mask(&Filter::default(), at(0));
    let found = recall(&index, queries, &mask, 10);
    assert!(found >= 0.97, "recall@10 is {found}");
    for (number, query) in queries.iter().enumerate() {
        Note { id: 50_000 + number as u128, vector: Some(query.clone()), ..Note::default() }
            .enter(&mut index);
    }
    assert_eq!(index.graph_lag(), queries.len());
    let mask = index.mask(&Filter::default(), at(0));
    for (number, query) in queries.iter().enumerate() {
        assert_eq!(index.doc_of(id(50_000 + number as u128)), Some(index.nearest(query, &mask, 1)[0].0));
    }
    let copy = Index::decode(&index.encode()).unwrap();
    assert_eq!(copy.graph_lag(), queries.len());
    assert_eq!(copy.nearest(&queries[0], &mask, 20), index.nearest(&queries[0], &mask, 20));
}

#[test]
fn removed_memories_are_never_found_though_the_way_leads_over_them() {
    let vectors = text_like(6_000, 32, 4);
    let mut index = filled(&vectors);
    index.set_settings(VectorSettings { flat_max: 100, ..VectorSettings::default() });
    while index.extend_graph(3000) > 0 {}
    (0..6_000).filter(|number| number % 3 == 0).for_each(|number| assert!(index.remove(id(number))));
    let mask = index.mask(&Filter::default(), at(0));
    let found = recall(&index, &vectors[..30], &mask, 20);
    assert!(found >= 0.95, "recall@20 is {found}");
    assert!(index.nearest(&vectors[0], &mask, 50).iter().all(|&(doc, _)| index.facts(doc).is_some()));
}

#[test]
fn unusable_vectors_count_as_none() {
    let mut index = empty(3);
    for (number, vector) in [vec![1.0, 2.0], vec![0.0; 3], vec![f32::NAN, 1.0, 1.0], vec![f32::INFINITY; 3]]
        .into_iter()
        .enumerate()
    {
        Note { id: number as u128, vector: Some(vector), ..Note::default() }.enter(&mut index);
    }
    assert_eq!((index.len(), index.unembedded()), (4, 4));
    let mask = index.mask(&Filter::default(), at(0));
    assert!(index.nearest(&[1.0, 0.0, 0.0], &mask, usize::MAX).is_empty());
    assert!(index.nearest(&[1.0, 0.0], &mask, 3).is_empty());
    assert_eq!(index.similarity_stats(&[1.0, 0.0, 0.0], 100).count, 0);
}

#[test]
fn statistics_describe_the_sampled_cosines() {
    let index = filled(&text_like(500, 16, 5));
    let query = vec![1.0; 16];
    let stats = index.similarity_stats(&query, 10_000);
    let cosines: Vec<f32> =
        (0..500).filter_map(|number| index.cosine(&query, index.doc_of(id(number))?)).collect();
    let mean = cosines.iter().sum::<f32>() / 500.0;
    assert_eq!(stats.count, 500);
    assert!((stats.mean - mean).abs() < 1e-4 && stats.deviation > 0.0);
    assert_eq!(index.similarity_stats(&query, 50).count, 50);
}
