//! How much of a test runs at once. The harness runs some tests side by side. Where two of them each start a crowd,
//! processes wait so long for a core that they hit time limits that nobody else hits.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::scope;

/// How many pieces of work go on at once in all tests together.
const AT_ONCE: usize = 3;

/// How many places are free.
static FREE: (Mutex<usize>, Condvar) = (Mutex::new(AT_ONCE), Condvar::new());

/// Held by the one test whose processes have to meet.
static CROWD: Mutex<()> = Mutex::new(());

thread_local! {
    /// Whether this thread does a piece of work: what is a part of it waits for no place of its own.
    static WORKS: Cell<bool> = const { Cell::new(false) };
}

/// Does the same with each, a few side by side, and gives what comes out in their order. For work that waits for processes
/// most of the time.
pub fn side_by_side<T: Sync, R: Send>(all: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if WORKS.get() {
        return all.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let lane = || {
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(one) = all.get(number) else { return done };
            let _place = Place::take();
            done.push((number, work(one)));
        }
    };
    let mut done: Vec<(usize, R)> = scope(|scope| {
        let lanes: Vec<_> = (0..AT_ONCE.min(all.len())).map(|_| scope.spawn(lane)).collect();
        lanes.into_iter().flat_map(|lane| lane.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

/// While the guard is held, no other test has a crowd. For races: threads that must run at once. Take it outside of
/// [`side_by_side`], never inside.
pub fn crowd() -> MutexGuard<'static, ()> {
    assert!(!WORKS.get(), "a piece of work makes no crowd");
    CROWD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A piece of work that goes on.
struct Place;

impl Place {
    fn take() -> Self {
        let (free, freed) = &FREE;
        let mut free = free.lock().unwrap_or_else(PoisonError::into_inner);
        while *free == 0 {
            free = freed.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
        *free -= 1;
        WORKS.set(true);
        Self
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let (free, freed) = &FREE;
        *free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        WORKS.set(false);
        freed.notify_one();
    }
}

#[test]
fn pieces_of_work_come_out_in_order_and_few_of_them_run_at_once() {
    let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let numbers: Vec<usize> = (0..40).collect();
    let doubled = side_by_side(&numbers, |number| {
        most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        let parts = side_by_side(&[1, 2], |part| part * number);
        now.fetch_sub(1, Ordering::SeqCst);
        parts[1]
    });
    assert_eq!(doubled, numbers.iter().map(|number| 2 * number).collect::<Vec<_>>());
    assert!(most.into_inner() <= AT_ONCE);
}
