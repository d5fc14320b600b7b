//! Arbitrary text as PTX: it is read and run for a while, or told what is wrong; never a panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rtcuda::ptx::liveness;
use rtcuda::ptx::run::watch::Nobody;
use rtcuda::ptx::run::{self, Argument, Fill, Launch, Value};
use rtcuda::ptx::source::Unit;
use rtcuda::ptx::types::Scalar;

fuzz_target!(|text: &str| {
    let Ok(unit) = Unit::read("t.ptx", text, None) else { return };
    for (kernel, function) in unit.module.functions.iter().enumerate().filter(|(_, function)| function.is_kernel) {
        let argument = |at: usize| Argument {
            name: format!("p{at}"),
            value: Value::Array { ty: Scalar::F32, elements: 64, fill: Fill::Pattern },
        };
        let arguments = (0..function.parameters().len()).map(argument).collect();
        let launch = Launch { grid: [2, 1, 1], block: [8, 8, 1], shared: 16, arguments, limit: 2_000 };
        if let Err(fault) = run::run(&unit.module, kernel, &launch, &mut Nobody) {
            unit.told(fault);
        }
        liveness::pressure(function);
    }
});
