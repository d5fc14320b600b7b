#!/usr/bin/env bash
# On a machine with an NVIDIA GPU and nvcc: every shipped program, converted, run and compared at a large size, then
# under compute-sanitizer at its test size. Needs no Rust: RTCUDA names the binary. `make gpu` runs it.
#   RTCUDA=target/release/rtcuda tests/gpu.sh
# Exit status 1 if a program differs or the sanitizer finds anything.
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
    [wave3d]="-DN=201" [csc_mv]=" "
)
default="-DN=1021 -DM=1031"
failed=0

echo "== verified at large sizes on $(nvidia-smi --query-gpu=name --format=csv,noheader | head -1)"
for file in tests/programs/*.c solvers/*.c; do
    name=$(basename "$file" .c)
    read -ra flags <<<"${large[$name]:-$default}"
    "$rtcuda" verify --backend cuda "$file" -- "${flags[@]}" >"$work/$name.log" 2>&1 || { failed=1; cat "$work/$name.log"; }
    printf '%-40s %s\n' "${flags[*]}" "$(grep "^$file" "$work/$name.log" | head -1)"
done

echo "== under compute-sanitizer at test sizes"
for file in tests/programs/*.c solvers/*.c; do
    name=$(basename "$file" .c)
    "$rtcuda" convert -o "$work/$name" "$file" >/dev/null 2>&1 && make -s -C "$work/$name" || { failed=1; continue; }
    for tool in memcheck racecheck; do
        compute-sanitizer --tool "$tool" --error-exitcode 9 "$work/$name/$name" >"$work/log" 2>&1 || failed=1
        printf '%-16s %-10s %s\n' "$name" "$tool" "$(grep SUMMARY "$work/log" | tail -1)"
    done
done
exit $failed
