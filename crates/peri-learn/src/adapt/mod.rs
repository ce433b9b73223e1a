//! An adapter of queries: a low-rank correction of the query vector, learned from feedback and protected from being forgotten.
