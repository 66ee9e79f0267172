//! The border of the engine: two functions that JavaScript calls, and the memory between them. All else is in
//! `kep_lint::editor::page`, which has no unsafe code.
//!
//! A panic ends the instance, as there is no unwinding: the page then makes a new one.

use kep_lint::editor::page::engine::Engine;
use std::cell::RefCell;

/// What an instance has between two calls. It has one thread.
#[derive(Default)]
struct Border {
    engine: Engine,
    /// The request; empty if it is too long.
    request: Vec<u8>,
    /// The answer, after four bytes with its length.
    answer: Vec<u8>,
}

thread_local! {
    static BORDER: RefCell<Border> = RefCell::default();
}

/// Makes room for a request of so many bytes, and returns where it begins; null if it is too long.
// SAFETY: no other symbol of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn request(length: u32) -> *mut u8 {
    BORDER.with_borrow_mut(|border| {
        if u64::from(length) > Engine::LONGEST_REQUEST {
            return std::ptr::null_mut();
        }
        border.request = vec![0; length as usize];
        border.request.as_mut_ptr()
    })
}

/// Answers the request, and returns where the answer begins: four bytes with its length, the lowest first, and its text. It
/// stays there until the next call.
// SAFETY: no other symbol of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    BORDER.with_borrow_mut(|border| {
        let request = std::mem::take(&mut border.request);
        let text = border.engine.answer(&request);
        border.answer.clear();
        border.answer.extend((text.len() as u32).to_le_bytes());
        border.answer.extend(text.as_bytes());
        border.answer.as_ptr()
    })
}
