#!/usr/bin/env bash
# What a host does with arrays that are kept on the GPU: tests/guards/attack.c, converted, beside its original, on the GPU where
# there is one and else simulated; sequences in parallel, 50 to a process, with all calls on the device or any.
#   RTCUDA=target/release/rtcuda tests/attack.sh [SEQUENCES [FIRST_SEED]]   10,000 from 1 on, unless said
#   RTCUDA=target/release/rtcuda tests/attack.sh costs                      times of a call, a fault, a piece brought home
# The program is built with AddressSanitizer and UBSan (SANITIZE= builds it without). JOBS says how many run at a time.
# Exit status 1 if a sequence differs, does not end well, or a sanitizer finds anything.
set -u
rtcuda=$(realpath "${RTCUDA:-$(dirname "$0")/../target/release/rtcuda}") || exit 2
cd "$(dirname "$0")/guards" || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvidia-smi -L >"$work/gpu" 2>/dev/null && command -v "${NVCC:-nvcc}" >/dev/null && has_gpu=1 || has_gpu=

built() { # a program's name, flags of the compiler
    local log=$work/$1.log sanitizers
    "$rtcuda" convert "$1.c" -o "$work/$1" -- "${@:2}" >"$log" 2>&1 || { cat "$log"; exit 1; }
    sanitizers=$(printf '%s\n' "${@:2}" | grep -e '^-fsanitize=' | tr '\n' ' ')
    if [ -n "$has_gpu" ]; then
        make -s -C "$work/$1" LDLIBS="-lpthread ${sanitizers//-fsanitize/-Xcompiler -fsanitize}" >"$log" 2>&1
    else
        make -s -C "$work/$1" sim SIMFLAGS=-O1 LDLIBS="-lpthread $sanitizers" >"$log" 2>&1 && mv "$work/$1/$1_sim" "$work/$1/$1"
    fi || { cat "$log"; exit 1; }
}

costs() {
    built costs -O2
    RTCUDA_CHOICE=model "$work/costs/costs" calls
    RTCUDA_CHOICE=device "$work/costs/costs" faults
}

batch() { # first seed, sequences
    local at=$work/$1 choice=device
    (($1 / 50 % 2)) && choice=shuffle:$1
    "$work/original" "$1" "$2" >"$at.wanted" || { touch "$work/failed"; return; }
    RTCUDA_CHOICE=$choice timeout -k 1 "${LIMIT:-300}" "$work/attack/attack" "$1" "$2" >"$at.out" 2>"$at.err"
    local status=$?
    if [ $status != 0 ] || grep -q 'Sanitizer\|runtime error' "$at.err" || ! cmp -s "$at.wanted" "$at.out"; then
        touch "$work/failed"
        echo "from seed $1, RTCUDA_CHOICE=$choice: status $status, different: $(diff "$at.wanted" "$at.out" | grep -c '^<')"
        diff "$at.wanted" "$at.out" | head -3
        head -20 "$at.err"
    fi
    comm -12 <(sort "$at.wanted") <(sort "$at.out") >"$at.same"
}

attack() { # sequences, first seed
    local flags=(-O1) first with_sanitizers=
    [ -z "${SANITIZE-yes}" ] || with_sanitizers=", with sanitizers" flags+=(-g -DSANITIZED -fsanitize=address -fsanitize=undefined)
    built attack "${flags[@]}"
    "${CC:-cc}" -w -O1 attack.c -lpthread -o "$work/original" || exit 1
    # Faults of closed pages are the runtime's; the driver of a GPU maps memory where AddressSanitizer would have none.
    export ASAN_OPTIONS=handle_segv=0:allow_user_segv_handler=1:detect_leaks=0:protect_shadow_gap=0 UBSAN_OPTIONS=print_stacktrace=1
    export work
    export -f batch
    for ((first = $2; first < $2 + $1; first += 50)); do
        echo "$first $(($2 + $1 - first < 50 ? $2 + $1 - first : 50))"
    done | xargs -P "${JOBS:-$(nproc)}" -L1 bash -c 'batch "$0" "$1"'
    echo "sequences: $1; the same: $(cat "$work"/*.same | wc -l); $([ -n "$has_gpu" ] && head -1 "$work/gpu" || echo simulated)${with_sanitizers-}"
    [ ! -e "$work/failed" ]
}

case ${1:-} in
costs) costs ;;
*) attack "${1:-10000}" "${2:-1}" ;;
esac
