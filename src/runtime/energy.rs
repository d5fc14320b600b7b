//! Energy that a GPU takes, by the counter of its management library (NVML), which adds up what the board draws.
//!
//! The counter moves in steps of tens of milliseconds. So it is read all the while, and each of its moves is kept with its
//! time; between two of them the power is taken as the same. What is shorter than [`LEAST_STEPS`] steps is not told: the caller
//! repeats it, or says so. The power of the idle device is measured before.
//!
//! ```text
//! joules                       ______/      slope: watts
//!                        _____/
//! _______/------/_______/
//!     idle   |      span      |             joules of the span: the curve at its end less that at its begin
//! ```

use super::device::Gpu;
use crate::diag::{Diagnostic, Stop};
use nvml_wrapper::Nvml;
use serde::Serialize;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Reads the joules that a device has taken since some moment.
pub type Meter = Box<dyn FnMut() -> Result<f64, Diagnostic> + Send>;

/// Begin and end, in seconds of the system's clock.
pub type Span = (f64, f64);

/// So many steps of the counter a span lasts at least: each of its ends is known to a step, so that this is a tenth.
pub const LEAST_STEPS: f64 = 20.0;
/// Time for which the idle device is measured.
pub const IDLE: Duration = Duration::from_secs(2);
/// Time between two readings of the counter.
const POLL: Duration = Duration::from_millis(2);
/// Time for which a last move of the counter is waited for.
const LAST_MOVE: Duration = Duration::from_secs(1);

/// Seconds of the system's clock, which other processes have, too.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

/// The meter of the first GPU.
///
/// # Errors
/// `no-meter` without a GPU, without NVML, or where the device has no such counter.
pub fn meter() -> Result<Meter, Diagnostic> {
    let missing = |why: String, help: &str| Diagnostic::error("no-meter", why, None).help(help.to_owned());
    let gpu = Gpu::first().map_err(|fault| {
        missing(
            format!("energy is read from the meter of a GPU: {}", fault.message),
            "leave out --energy (tune: --objective energy); `rtcuda device` shows what is missing",
        )
    })?;
    let nvml = Nvml::init().map_err(|e| {
        missing(
            format!("NVIDIA's management library (libnvidia-ml.so.1) cannot be used: {e}"),
            "it comes with the driver; a container has it where NVIDIA_DRIVER_CAPABILITIES names `utility`",
        )
    })?;
    let uuid = gpu.uuid.clone();
    let mut meter: Meter = Box::new(move || {
        let joules = nvml.device_by_uuid(uuid.as_str()).and_then(|device| device.total_energy_consumption());
        joules.map(|millijoules| 1e-3 * millijoules as f64).map_err(|e| {
            missing(
                format!("the energy counter of {} ({uuid}) cannot be read: {e}", gpu.name),
                "devices before Volta have none, nor has a part of one (MIG): leave out --energy",
            )
        })
    });
    meter()?;
    Ok(meter)
}

/// A meter that is read all the while, by a thread of its own.
#[derive(Debug)]
pub struct Metering {
    /// Watts of the idle device.
    pub idle_watts: f64,
    /// Seconds from one move of the counter to the next.
    pub step: f64,
    record: Shared,
    stop: Sender<()>,
    reader: JoinHandle<Result<(), Diagnostic>>,
}

/// The readings so far, which a thread adds to.
#[derive(Debug, Clone)]
struct Shared(Arc<Mutex<Record>>);

impl Shared {
    fn add(&self, time: f64, joules: f64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).add(time, joules);
    }

    fn so_far(&self) -> Record {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn n_moves(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).moves.len()
    }
}

/// Measures the idle device for a time, and reads on from there.
///
/// # Errors
/// `no-meter` where the counter cannot be read, or hardly moves.
pub fn begin(mut meter: Meter, idle: Duration) -> Result<Metering, Diagnostic> {
    let mut record = Record::default();
    let end = now() + idle.as_secs_f64();
    while now() < end {
        record.add(now(), meter()?);
        std::thread::sleep(POLL);
    }
    let (Some(step), Some(idle_watts)) = (record.step(), record.watts()) else {
        let message = format!("the energy counter moved {} times in {idle:?}: too seldom", record.moves.len());
        return Err(
            Diagnostic::error("no-meter", message, None).help("leave out --energy: this meter resolves nothing")
        );
    };
    let (stop, stopped) = channel();
    let record = Shared(Arc::new(Mutex::new(record)));
    let read = record.clone();
    let reader = std::thread::spawn(move || {
        while stopped.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout) {
            read.add(now(), meter()?);
        }
        Ok(())
    });
    Ok(Metering { idle_watts, step, record, stop, reader })
}

impl Metering {
    /// Seconds that a span should last.
    pub fn least_seconds(&self) -> f64 {
        LEAST_STEPS * self.step
    }

    /// All that was read so far, until the counter has moved once more. Where its reader has ended, [`end`](Metering::end) says
    /// why.
    pub fn so_far(&self) -> Metered {
        let (n_moves, end) = (self.record.n_moves(), now() + LAST_MOVE.as_secs_f64());
        while self.record.n_moves() == n_moves && now() < end && !self.reader.is_finished() {
            std::thread::sleep(POLL);
        }
        Metered { idle_watts: self.idle_watts, step: self.step, record: self.record.so_far() }
    }

    /// All that was read.
    ///
    /// # Errors
    /// Those of the meter.
    pub fn end(self) -> Result<Metered, Stop> {
        let metered = self.so_far();
        // Where the reader has ended by a fault, nobody hears it.
        let _ = self.stop.send(());
        self.reader.join().map_err(|_| Stop::Bug("the reader of the meter panicked".into()))??;
        Ok(metered)
    }
}

/// Readings of a meter.
#[derive(Debug)]
pub struct Metered {
    /// Watts of the idle device, before.
    pub idle_watts: f64,
    /// Seconds from one move of the counter to the next.
    pub step: f64,
    record: Record,
}

/// Energy of something that was done once or several times.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Energy {
    /// Joules of one time.
    pub joules: f64,
    /// Of these, what the idle device would have taken.
    pub idle_joules: f64,
    /// Watts in the mean.
    pub watts: f64,
    /// Share of the joules that is uncertain by the steps of the counter, at most.
    pub uncertain_share: f64,
}

impl Energy {
    /// Joules of one time of something that takes so many seconds by itself: what the idle device took in the gaps between is
    /// none of it.
    pub fn without_gaps(&self, seconds: f64) -> f64 {
        let all = self.joules / self.watts;
        let idle_watts = self.idle_joules / all;
        self.joules - idle_watts * (all - seconds).max(0.0)
    }
}

/// A time that is too short for the meter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TooShort {
    /// Its seconds.
    pub seconds: f64,
    /// The least that would do.
    pub least: f64,
}

impl Metered {
    /// The energy in some spans, of something that was done so many times in them. Between spans that follow each other within a
    /// step the counter does not tell a pause: that is part of them.
    ///
    /// # Errors
    /// [`TooShort`] where they are.
    pub fn during(&self, spans: &[Span], times: u64) -> Result<Energy, TooShort> {
        let mut joined: Vec<Span> = vec![];
        for &(begin, end) in spans {
            match joined.last_mut() {
                Some((_, last)) if begin - *last < self.step => *last = last.max(end),
                _ => joined.push((begin, end)),
            }
        }
        let seconds: f64 = joined.iter().map(|(begin, end)| end - begin).sum();
        let least = LEAST_STEPS * self.step * joined.len().max(1) as f64;
        if seconds < least || times == 0 {
            return Err(TooShort { seconds, least });
        }
        let joules: f64 = joined.iter().map(|(begin, end)| self.record.at(*end) - self.record.at(*begin)).sum();
        Ok(Energy {
            joules: joules / times as f64,
            idle_joules: self.idle_watts * seconds / times as f64,
            watts: joules / seconds,
            uncertain_share: 2.0 * self.step * joined.len() as f64 / seconds,
        })
    }
}

/// The moves of a counter.
#[derive(Debug, Clone, Default)]
struct Record {
    /// When it was seen to move, and what it showed then.
    moves: Vec<(f64, f64)>,
    shown: Option<f64>,
}

impl Record {
    /// Adds what the counter shows: only a move is kept, since what is shown first was so for who knows how long.
    fn add(&mut self, time: f64, joules: f64) {
        if self.shown.is_some_and(|shown| shown != joules) {
            self.moves.push((time, joules));
        }
        self.shown = Some(joules);
    }

    /// Seconds from one move to the next in the mean; `None` after too few.
    fn step(&self) -> Option<f64> {
        const FEW: usize = 5;
        let (first, last) = (self.moves.first()?, self.moves.last()?);
        (self.moves.len() >= FEW).then(|| (last.0 - first.0) / (self.moves.len() - 1) as f64)
    }

    /// Watts in the mean.
    fn watts(&self) -> Option<f64> {
        let (first, last) = (self.moves.first()?, self.moves.last()?);
        (last.0 > first.0).then(|| (last.1 - first.1) / (last.0 - first.0))
    }

    /// Joules at a time: on a line between two moves, and outside of them as at the nearest.
    fn at(&self, time: f64) -> f64 {
        let next = self.moves.partition_point(|(moved, _)| *moved < time);
        let Some((before, after)) = next.checked_sub(1).map(|k| self.moves[k]).zip(self.moves.get(next)) else {
            let nearest = if next == 0 { self.moves.first() } else { self.moves.last() };
            return nearest.map_or(0.0, |(_, joules)| *joules);
        };
        before.1 + (after.1 - before.1) * (time - before.0) / (after.0 - before.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Watts of a device: 300 from 10 to 12 seconds, 500 from 13 to 14, and 100 else.
    fn joules(time: f64) -> f64 {
        let within = |begin: f64, end: f64| time.clamp(begin, end) - begin;
        100.0 * time + 200.0 * within(10.0, 12.0) + 400.0 * within(13.0, 14.0)
    }

    /// A counter that moves each 30 ms, read each 2 ms.
    fn planted() -> Metered {
        let step = 0.03;
        let mut record = Record::default();
        for k in 0..10_000 {
            let time = 0.002 * f64::from(k);
            record.add(time, joules((time / step).floor() * step));
        }
        Metered { idle_watts: 100.0, step: record.step().unwrap(), record }
    }

    fn near(found: f64, expected: f64, share: f64) -> bool {
        (found - expected).abs() <= share * expected
    }

    #[test]
    fn energy_is_that_of_the_spans() {
        let metered = planted();
        assert!(near(metered.step, 0.03, 0.01) && near(metered.record.watts().unwrap(), 140.0, 0.01));
        for (spans, times, joules, idle) in [
            (&[(10.0, 12.0)][..], 1, 600.0, 200.0),
            (&[(10.0, 12.0)], 4, 150.0, 50.0),
            (&[(13.0, 14.0)], 1, 500.0, 100.0),
            (&[(10.0, 12.0), (13.0, 14.0)], 1, 1100.0, 300.0),
            (&[(10.0, 11.0), (11.01, 12.0)], 1, 600.0, 200.0),
            (&[(2.0, 9.0)], 7, 100.0, 100.0),
        ] {
            let found = metered.during(spans, times).unwrap();
            assert!(near(found.joules, joules, 0.03), "{spans:?}: {found:?}");
            assert!(near(found.idle_joules, idle, 0.03), "{spans:?}: {found:?}");
            assert!(found.uncertain_share <= 0.1001, "{found:?}");
        }
    }

    #[test]
    fn what_the_counter_does_not_resolve_is_not_told() {
        let metered = planted();
        assert!(metered.during(&[(10.0, 10.5)], 100).is_err());
        // Long enough in all, but each of them is not.
        let apart: Vec<Span> = (0..20).map(|k| (10.0 + 0.1 * f64::from(k), 10.05 + 0.1 * f64::from(k))).collect();
        let short = metered.during(&apart, 20).unwrap_err();
        assert!(near(short.seconds, 1.0, 0.01) && near(short.least, 12.0, 0.01), "{short:?}");
        assert!(metered.during(&[], 1).is_err() && metered.during(&[(10.0, 12.0)], 0).is_err());
    }

    /// A meter of 100 watts, and of 700 from when it is told so.
    fn live(is_busy: std::sync::Arc<std::sync::atomic::AtomicBool>) -> Meter {
        let (mut last, mut sum, mut shown) = (now(), 0.0, (0.0, 0.0));
        Box::new(move || {
            let time = now();
            let watts = if is_busy.load(std::sync::atomic::Ordering::Relaxed) { 700.0 } else { 100.0 };
            sum += watts * (time - last);
            last = time;
            if time - shown.0 >= 0.008 {
                shown = (time, sum);
            }
            Ok(shown.1)
        })
    }

    #[test]
    fn a_meter_is_read_while_something_runs() {
        let is_busy = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let metering = begin(live(is_busy.clone()), Duration::from_millis(200)).unwrap();
        is_busy.store(true, std::sync::atomic::Ordering::Relaxed);
        let busy = now();
        std::thread::sleep(Duration::from_secs_f64(2.0 * metering.least_seconds()));
        let span = (busy, now());
        is_busy.store(false, std::sync::atomic::Ordering::Relaxed);
        let metered = metering.end().unwrap();
        let found = metered.during(&[span], 1).unwrap();
        assert!(near(metered.idle_watts, 100.0, 0.15) && near(found.watts, 700.0, 0.15), "{metered:?}, {found:?}");
    }

    #[test]
    fn a_meter_that_stands_still_or_fails_is_a_fault() {
        let still = begin(Box::new(|| Ok(7.0)), Duration::from_millis(30)).unwrap_err();
        assert!(still.code == "no-meter" && still.message.contains("moved 0 times"), "{still:?}");
        let mut n_reads = 0;
        let failing: Meter = Box::new(move || {
            n_reads += 1;
            if n_reads < 40 { Ok(f64::from(n_reads)) } else { Err(Diagnostic::error("no-meter", "it is gone", None)) }
        });
        let metering = begin(failing, Duration::from_millis(40)).unwrap();
        std::thread::sleep(Duration::from_millis(300));
        assert!(matches!(metering.end(), Err(Stop::Input(fault)) if fault.message == "it is gone"));
    }
}
