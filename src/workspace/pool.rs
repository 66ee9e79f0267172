//! Work on many things: side by side where there are threads.

#[cfg(feature = "cli")]
use rayon::prelude::*;

/// What `work` makes of each of the `items`, in their order.
#[cfg(feature = "cli")]
pub fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    items.par_iter().map(work).collect()
}

#[cfg(not(feature = "cli"))]
pub fn each<T, R>(items: &[T], work: impl Fn(&T) -> R) -> Vec<R> {
    items.iter().map(work).collect()
}
