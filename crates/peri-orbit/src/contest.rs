//! Who stays when more memories claim a zone than fit into it.

use std::cmp::Reverse;

use peri_types::Zone;

/// A memory that claims a place in one of the zones of limited capacity.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Claim {
    /// Which memory. Of two that stand equal, the lower one stays.
    pub(crate) slot: usize,
    /// The zone it has by itself, from 0.
    pub(crate) zone: usize,
    pub(crate) standing: u128,
}

/// Whether anybody was pushed outward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Crowd {
    Roomy,
    Crowded,
}

/// Gives every claimant a zone. An overfull zone pushes those who stand lowest to the next one.
pub(crate) fn share_out(
    capacities: [usize; 3],
    claims: &[Claim],
    mut give: impl FnMut(usize, Zone),
) -> Crowd {
    let mut claimed = [0; 3];
    for claim in claims {
        claimed[claim.zone] += 1;
    }
    if claimed.iter().zip(capacities).all(|(claimed, capacity)| *claimed <= capacity) {
        claims.iter().for_each(|claim| give(claim.slot, Zone::ALL[claim.zone]));
        return Crowd::Roomy;
    }
    let mut waiting: Vec<&Claim> = Vec::with_capacity(claims.len());
    for (code, capacity) in capacities.into_iter().enumerate() {
        waiting.extend(claims.iter().filter(|claim| claim.zone == code));
        let stay = waiting.len().min(capacity);
        if stay > 0 && stay < waiting.len() {
            waiting.select_nth_unstable_by_key(stay, |claim| (Reverse(claim.standing), claim.slot));
        }
        waiting.drain(..stay).for_each(|claim| give(claim.slot, Zone::ALL[code]));
    }
    waiting.iter().for_each(|claim| give(claim.slot, Zone::Belt));
    Crowd::Crowded
}
