#!/usr/bin/env bash
# On a machine with an NVIDIA GPU and nvcc: every shipped program, converted, run and compared at a large size, then
# under compute-sanitizer at its test size; the barriers of the grid under stress, and what a crossing takes; vectors and
# asynchronous copies; the operators that programs call; accesses of kernels as PTX, by two ways.
# Needs no Rust: RTCUDA names the binary. `make gpu` runs it.
#   RTCUDA=target/release/rtcuda tests/gpu.sh [programs|barrier|wide|api|traces]     one part alone
#   RTCUDA=target/release/rtcuda tests/gpu.sh mappings     every pair of sizes of a mapping, forced (10 minutes on 16 cores)
# Exit status 1 if a program differs, a barrier lets a block through, or the sanitizer finds anything.
set -u
cd "$(dirname "$0")/.."
rtcuda=$(realpath "${RTCUDA:-target/release/rtcuda}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ulimit -s unlimited 2>/dev/null

# Sizes at which the device has work to do; no multiple of anything. Others get the default.
declare -A large=(
    [axpy]="-DN=4000037" [dot]="-DN=4000037" [vv]="-DN=4000037" [spmv]="-DN=100003" [floats]="-DN=4001"
    [stencil7]="-DN=201" [vla]="-DN=101" [linear]="-DNX=201 -DNY=203 -DNZ=101" [demosaic]="-DROWS=2046 -DCOLS=2050"
    [mv]="-DN=4001 -DM=3001" [tmv]="-DN=3001 -DM=4001" [mm]="-DN=1021 -DM=1031 -DP=1013"
    [products]="-DN=1021 -DM=1031 -DP=101" [jacobi]="-DN=1501"
    [wave3d]="-DN=201" [csc_mv]=" " [expansion]="-DN=101 -DM=103"
    [generators]=" " [library]="-DN=201" [progress]=" " [row_matrix]=" " [time_levels]=" " [sizes]=" "
    [cg]="-DN=41" [cg_pipelined]="-DN=41" [cg_mixed]="-DN=41" [pcg]="-DN=41" [bicgstab]="-DN=41 -DMAX_ITERATIONS=4" [qmr]="-DN=41 -DMAX_ITERATIONS=4" [gmres]="-DN=41 -DMAX_ITERATIONS=4" [chebyshev]="-DN=31"
    [jacobi_csr]="-DN=41 -DMAX_ITERATIONS=9" [jacobi_sweeps]="-DN=41 -DMAX_ITERATIONS=2" [pcg_amg]="-DN=41" [sor_csr]="-DN=21"
    [before_pointer]=" " [steady]=" " [gathered]="-DN=200003" [long_rows]="-DN=30011" [pivots]="-DN=101" [aes128]="-DN=1000003" [strassen]="-DN=1030" [pcg_ic0]="-DN=31" [bicgstab_ilu0]="-DN=31 -DMAX_ITERATIONS=4" [gmres_ilu0]="-DN=31 -DMAX_ITERATIONS=4" [qmr_ilu0]="-DN=31 -DMAX_ITERATIONS=4"
)
default="-DN=1021 -DM=1031"
failed=0

barrier() {
    echo "== barriers of the grid: right results, 10,000 crossings of uneven blocks, times"
    local nvcc=${NVCC:-nvcc} shape
    "$nvcc" -arch=native -std=c++20 -O3 -I templates/runtime -L"$(dirname "$(command -v "$nvcc")")/../lib" \
        tests/runtime/barrier.cu -o "$work/barrier" || { failed=1; return; }
    RTCUDA_PROFILE=$work/times timeout 60 "$work/barrier" || failed=1
    grep -o '{"name":"[^"]*(as a graph)[^}]*}' "$work/times" || failed=1
    for shape in "1 1024" "2 64" "132 256" "264 256" "133 1024" "0 256" "0 32"; do # blocks (0: all that fit), threads
        # shellcheck disable=SC2086
        timeout 60 "$work/barrier" stress 10000 $shape || failed=1
    done
    timeout 120 "$work/barrier" time || failed=1
    "$nvcc" -arch=native -std=c++20 -O3 -I templates/runtime -L"$(dirname "$(command -v "$nvcc")")/../lib" \
        tests/runtime/interrupt.cu -o "$work/interrupt" || failed=1
    for shape in cooperative lock-free relaxed; do
        timeout 60 "$work/interrupt" $shape || failed=1
    done
    for tool in memcheck racecheck; do
        timeout 300 compute-sanitizer --tool "$tool" --error-exitcode 9 "$work/barrier" >"$work/log" 2>&1 || failed=1
        printf '%-16s %-10s %s\n' barrier "$tool" "$(grep SUMMARY "$work/log" | tail -1)"
    done
}

# MIRRORED_BYTES: what the launch of `mirrored` in tests/emit/wide.txt asks for.
wide() {
    echo "== vectors, asynchronous copies, shared memory that the launch asks for"
    local nvcc=${NVCC:-nvcc} name tool
    for name in runtime/wide emit/wide_main; do
        "$nvcc" -arch=native -std=c++20 -O3 -DMIRRORED_BYTES=58112 -I templates/runtime -I tests/emit/golden \
            -L"$(dirname "$(command -v "$nvcc")")/../lib" "tests/$name.cu" -o "$work/wide" || { failed=1; continue; }
        timeout 60 "$work/wide" || failed=1
        for tool in memcheck racecheck; do
            timeout 300 compute-sanitizer --tool "$tool" --error-exitcode 9 "$work/wide" >"$work/log" 2>&1 || failed=1
            printf '%-16s %-10s %s\n' "$name" "$tool" "$(grep SUMMARY "$work/log" | tail -1)"
        done
    done
}

# Compiling takes longer than running: several programs at a time.
jobs=${JOBS:-$(nproc)}

verified() { # a program's file and flags
    local name
    name=$(basename "$1" .c)
    "$rtcuda" verify --backend cuda --limit 120 "$1" -- "${@:2}" >"$work/$name.log" 2>&1 || { touch "$work/failed"; cat "$work/$name.log"; }
    printf '%-40s %s\n' "${*:2}" "$(grep "^$1" "$work/$name.log" | head -1)"
}

sanitized() { # a program's file
    local name tool
    name=$(basename "$1" .c)
    "$rtcuda" convert -o "$work/$name" "$1" >/dev/null 2>&1 && make -s -C "$work/$name" || { touch "$work/failed"; echo "$name is not built"; return; }
    for tool in memcheck racecheck; do
        RTCUDA_CHOICE=device timeout "${SANITIZER_LIMIT:-300}" compute-sanitizer --tool "$tool" --error-exitcode 9 "$work/$name/$name" >"$work/$name.$tool" 2>&1 || touch "$work/failed"
        printf '%-16s %-10s %s\n' "$name" "$tool" "$(grep SUMMARY "$work/$name.$tool" | tail -1)"
    done
}

programs() {
    export rtcuda work
    export -f verified sanitized
    echo "== verified at large sizes on $(nvidia-smi --query-gpu=name --format=csv,noheader | head -1)"
    for file in tests/programs/*.c solvers/*.c; do
        name=$(basename "$file" .c)
        printf 'verified %s %s\0' "$file" "${large[$name]:-$default}"
    done | xargs -0 -P "$jobs" -I{} bash -c '{}'

    echo "== under compute-sanitizer at test sizes"
    printf 'sanitized %s\0' tests/programs/*.c solvers/*.c | xargs -0 -P "$jobs" -I{} bash -c '{}'
    [ ! -e "$work/failed" ] || failed=1
}

# The rows of tests/mappings.rs: threads of a block, points a block apart, neighbouring points, pieces ahead. Any two sizes meet.
rows=("64 2 2 1" "64 4 4 3" "128 2 4 3" "128 4 2 1" "256 2 2 3" "256 4 4 1" "1024 2 4 1" "1024 4 2 3")

mapped() { # a program's file, and a row
    local name sizes toml function log row made
    name=$(basename "$1" .c) row=${*:2}
    made=$work/mapped/$name-${row// /-}
    toml=$made.toml log=$made.log
    sizes="block = $2\nmerge = $3\nskew = $4\nprefetch = $5"
    sed -E "/^(block|merge|skew|prefetch) *=/d; s/^((function|name) = .*)/\1\n$sizes/" "configs/$name.toml" >"$toml" 2>/dev/null
    "$rtcuda" convert --config "$toml" -o "$made" "$1" >"$log" 2>&1 || { touch "$work/failed"; cat "$log"; return; }
    for function in $(grep -o '"function": *"[^"]*"' "$made/rtcuda.json" | cut -d'"' -f4 | sort -u); do
        grep -q "^function = \"$function\"" "$toml" || printf '\n[[region]]\nfunction = "%s"\n%b\n' "$function" "$sizes" >>"$toml"
    done
    "$rtcuda" verify --backend cuda --limit 120 --config "$toml" "$1" >"$log" 2>&1 || { touch "$work/failed"; cat "$log"; }
    printf '%-12s %s\n' "$row" "$(grep "^$1" "$log" | head -1)"
}

mappings() {
    export rtcuda work
    export -f mapped
    mkdir -p "$work/mapped"
    echo "== verified with each row of sizes"
    for file in tests/programs/*.c solvers/*.c; do
        for row in "${rows[@]}"; do printf 'mapped %s %s\0' "$file" "$row"; done
    done | xargs -0 -P "$jobs" -I{} bash -c '{}'
    [ ! -e "$work/failed" ] || failed=1
}

api() {
    echo "== operators by calls, by cuBLAS and cuSPARSE, against naive loops"
    local nvcc=${NVCC:-nvcc}
    for file in tests/api/{dense,sparse,solve,errors,files,calls,cg,loops}.c; do
        name=$(basename "$file" .c)
        "$nvcc" -arch=native -O2 -I templates/api -L"$(dirname "$(command -v "$nvcc")")/../lib" "$file" \
            templates/api/rtcuda_api.c templates/api/rtcuda_api.cu -ldl -o "$work/api_$name" || { failed=1; continue; }
        argument=$work
        [ "$name" = cg ] && argument=matrices/poisson_2d.mtx
        printf '%-16s ' "$name"
        RTCUDA_BACKEND=cuda timeout 300 "$work/api_$name" "$argument" 2>&1 && echo "right" || failed=1
        # What reads files alone never comes to the device.
        compute-sanitizer --tool memcheck --require-cuda-init no --error-exitcode 9 "$work/api_$name" "$argument" >"$work/log" 2>&1 || failed=1
        printf '%-16s %-10s %s\n' "$name" memcheck "$(grep SUMMARY "$work/log" || echo "nothing asked of the device")"
    done
}

traced() { # a file, a kernel and its launch
    "$rtcuda" ptx trace --compare --kernel "$2" --grid "$3" --block "$4" --shared "$5" "$1" "${@:6}" || failed=1
}

# What a block of these reads depends on which block came before it, or on how a sum of theirs is rounded: one record in a
# hundred may differ.
by_arrival=" rt_sparse_tiles rt_sparse_tiles_of_several rt_cg_mixed_0_steps_2 "

arrives() { # a kernel and its log
    [[ $by_arrival == *" $1 "* ]] && awk '/records the same/ { same = $2; cpu = $8; gpu = $13 } END { exit !(100 * (cpu + gpu) < same) }' "$2"
}

# Launches that the simulation of a program writes down, traced both ways.
recorded() { # a program's file
    local name made log launch part ptx words
    name=$(basename "$1" .c) made=$work/traced/$(basename "$1" .c) log=$work/traced/$(basename "$1" .c).log
    mkdir -p "$work/traced"
    { "$rtcuda" convert -o "$made" "$1" && make -s -C "$made" sim SIMFLAGS="-O1 -ffp-contract=off -DRT_SIM_LAUNCHES" &&
        (cd "$made" && mkdir launches && RTCUDA_LAUNCHES=launches "./${name}_sim"); } >"$log" 2>&1 || { touch "$work/failed"; cat "$log"; return; }
    cd "$made" || return
    for cu in *.cu; do "${NVCC:-nvcc}" -ptx -std=c++20 -arch=sm_90 -lineinfo "$cu" -o "${cu%.cu}.ptx" || touch "$work/failed"; done
    for launch in launches/*.launch; do
        [ -e "$launch" ] || continue
        part=$(basename "$launch" .launch)
        ptx=$(grep -lF "$part" -- *.ptx | head -1)
        mapfile -t words <"$launch"
        "$rtcuda" ptx trace --compare --buffer 2000000 --limit 2000000000 "$ptx" "${words[@]}" >"$log" 2>&1 || arrives "$part" "$log" || touch "$work/failed"
        sed "s/^/$name: /" "$log"
    done
    cd - >/dev/null || return
}

traces() {
    echo "== accesses as the interpreter tells them, and as instrumented PTX records them here"
    local a='a=f32[64*64]' x='x=f32[64]' y='y=f32[64]'
    cd tests/ptx || exit 2
    traced rows.ptx rows 2,8 32,8 0 --arg 'a=f32[4096]' --arg 'b=f32[4096]' --arg n=60
    traced exchange.ptx exchange 1 64 16 --arg 'out=u32[64]'
    traced uncoalesced.cu row_of_thread 2 32 0 --arg "$a" --arg "$x" --arg "$y" --arg n=64
    traced uncoalesced.cu eliminate 4,4 16,16 0 --arg 'm=f32[64*64]' --arg "$a" --arg 'b=f32[64]' --arg n=64 --arg t=3
    traced uncoalesced.cu cells 2,2,2 8,8,8 0 --arg 'now=s32[4096]' --arg 'next=s32[4096]' --arg n=16
    traced kernels.cu total 3 128 512 --arg 'a=f32[1000]' --arg 'sum=f32[1]:zero' --arg n=1000
    traced kernels.cu paths 4 64 0 --arg 'a=s32[200]' --arg 'b=f32[200]' --arg 's={s32:200,f32:0.5,f32:0.25,f32:2,f64:0.125}'
    traced kernels.cu vectors 1 32 0 --arg 'a=f32[128]' --arg 'b=f32[64]' --arg 'c=u8[32]'
    cd ../..
    export rtcuda work by_arrival
    export -f recorded arrives
    echo "== first launches of each kernel of the shipped programs, likewise"
    printf '%s\0' tests/programs/*.c solvers/*.c | xargs -0 -P "$jobs" -I{} bash -c 'recorded {}'
    [ ! -e "$work/failed" ] || failed=1
}

case ${1:-all} in
all) programs; barrier; wide; api; traces ;;
programs | barrier | wide | api | traces | mappings) "$1" ;;
*) echo "tests/gpu.sh [programs|barrier|wide|api|traces|mappings]"; exit 2 ;;
esac
exit $failed
