#!/usr/bin/env bash
# PolyBench/C 4.2.1 on a machine with an NVIDIA GPU, nvcc and gcc: all 30 programs, unmodified, as the table of
# RESULTS.md: verified, the worst relative difference, milliseconds in kernels and in the whole region, those of one
# core of the host, and of a peer. No tuning, no library; what a region leaves comes home, as it does with the peer.
#   RTCUDA=target/release/rtcuda tests/polybench.sh FOLDER [PROGRAM ...]      FOLDER is where PolyBench lies
# DATASET (LARGE), RUNS (3, of which the best counts; 0 verifies alone), VERIFY (yes; no times alone), LIMIT (200:
# seconds that verifying a program may take for a run) and FLAGS (more for the compiler: -DPOLYBENCH_USE_C99_PROTO)
# change what is measured. Exit status 1 if a program differs or is not built.
set -u
rtcuda=$(realpath "${RTCUDA:-$(dirname "$0")/../target/release/rtcuda}")
cd "${1:?the folder of PolyBench/C 4.2.1}" || exit 2
shift
dataset=${DATASET:-LARGE} runs=${RUNS:-3} limit=${LIMIT:-200}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ulimit -s unlimited 2>/dev/null
flags="-O2 -Iutilities -D${dataset}_DATASET ${FLAGS:-}"
printf '[defaults]\nlibrary = "never"\nstay-on-device = false\n' >"$work/plain.toml"

# PPCG 0.09.2, default options, sizes known, LARGE, double, on an H200 on 2026-11-20: milliseconds in kernels, and in
# its whole timed region. It has no figure for heat-3d, nussinov and ludcmp.
declare -A peer=(
    [correlation]="1.0 9.9" [covariance]="2.5 11.8" [2mm]="0.9 9.0" [3mm]="1.4 17.7" [atax]="0.6 4.9" [bicg]="0.5 4.9"
    [doitgen]="183 188" [mvt]="0.6 5.6" [gemm]="0.7 5.8" [gemver]="0.7 7.2" [gesummv]="0.4 5.0" [symm]="3.4 8.8"
    [syr2k]="4.6 10.6" [syrk]="1.9 5.8" [trmm]="22 25.6" [cholesky]="26 33" [durbin]="106 106" [gramschmidt]="191 196"
    [lu]="47 53" [trisolv]="15 21" [deriche]="3.4 68" [floyd-warshall]="50000 -" [adi]="612 640" [fdtd-2d]="10.6 18"
    [jacobi-1d]="3.5 3.8" [jacobi-2d]="8.4 13.9" [seidel-2d]="74 81" [heat-3d]="- -" [nussinov]="- -" [ludcmp]="- -"
)

files=$(<utilities/benchmark_list) || exit 2
if [ $# -gt 0 ]; then files=$(for name; do grep "/$name\.c\$" <<<"$files" || echo "no program $name" >&2; done); fi

verified() { # a program's file
    local name
    name=$(basename "$1" .c)
    # shellcheck disable=SC2086
    "$rtcuda" verify --backend cuda --limit "$limit" "$1" utilities/polybench.c -- $flags -I"$(dirname "$1")" \
        >"$work/$name.log" 2>&1 || { touch "$work/failed"; cat "$work/$name.log" >&2; }
}

built() { # a program's file: for the device, and for one core
    local name here
    name=$(basename "$1" .c) here="-I$(dirname "$1")"
    # shellcheck disable=SC2086
    "$rtcuda" convert --config "$work/plain.toml" -o "$work/$name" "$1" utilities/polybench.c -- $flags $here \
        >"$work/$name.build" 2>&1 && make -s -C "$work/$name" >>"$work/$name.build" 2>&1 &&
        gcc -O3 -DPOLYBENCH_TIME ${flags/-O2/} $here "$1" utilities/polybench.c -lm -o "$work/$name/one_core" ||
        { touch "$work/failed"; cat "$work/$name.build" >&2; }
}

# The seconds under a name in a profile, summed.
seconds() { grep -o "$1" "$2" | grep -o '[0-9.e+-]*$' | awk '{ s += $1 } END { printf "%.9g\n", s }'; }

timed() { # a program's name; milliseconds in kernels, in all, on one core
    local run kernels=() totals=() cores=()
    for ((run = 0; run < runs; run++)); do
        RTCUDA_PROFILE=$work/profile RTCUDA_CHOICE=device timeout 120 "$work/$1/$1" >"$work/out" 2>&1 || return 1
        totals+=("$(seconds '"total_s":[0-9.e+-]*' "$work/profile")")
        kernels+=("$(sed 's/"copy_in":{[^}]*}//g; s/"copy_out":{[^}]*}//g' "$work/profile" >"$work/inner"
            seconds '"seconds":[0-9.e+-]*' "$work/inner")")
        # What one core takes seconds for is not measured again.
        [ "$(printf '%.0f' "${cores[0]:-0}")" -ge 1 ] || cores+=("$(timeout 120 "$work/$1/one_core" 2>/dev/null | head -1)")
    done
    least "${kernels[@]}"; least "${totals[@]}"; least "${cores[@]}"
}
least() { printf '%s\n' "$@" | sort -g | head -1 | awk '{ printf "%.4g ", 1000 * $1 }'; }

export rtcuda work flags limit
export -f verified built
for step in $([ "${VERIFY:-yes}" = no ] || echo verified) $([ "$runs" -gt 0 ] && echo built); do
    printf '%s\0' $files | xargs -0 -P "${JOBS:-$(nproc)}" -I{} bash -c "$step {}"
done

# A row of the table, and at its end the geometric means of what both have a figure for.
cat >"$work/table.awk" <<'AWK'
function ratio(peers, ours, of) {
    if (peers + 0 == 0 || ours + 0 == 0) return "";
    sum[of] += log(peers / ours); n[of]++;
    return sprintf("%.3g", peers / ours);
}
BEGIN {
    FS = "|"; OFS = " | ";
    print "| program | verified | worst | kernels, ms | total, ms | one core, ms | peer's kernels | peer / ours | peer's total | peer / ours |";
    print "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |";
}
{
    split($2, verdict, /  +/);
    print "| " $1, verdict[7], verdict[5], $3, $4, $5, $6, ratio($6, $3, "kernels"), $7, ratio($7, $4, "total") " |";
}
END {
    for (of in sum) printf "geometric mean of peer / ours, %s: %.2f over %d programs\n", of, exp(sum[of] / n[of]), n[of];
}
AWK
for file in $files; do
    name=$(basename "$file" .c) peers=${peer[$(basename "$file" .c)]}
    [ "$dataset" = LARGE ] || peers="- -"
    row=$([ "${VERIFY:-yes}" = no ] || grep -F "$file" "$work/$name.log" | head -1)
    ours="- - - "
    [ "$runs" = 0 ] || ours=$(timed "$name") || touch "$work/failed"
    ours=${ours% }
    printf '%s|%s|%s|%s\n' "$name" "$row" "${ours// /|}" "${peers// /|}"
done | awk -f "$work/table.awk"
exit "$([ -e "$work/failed" ] && echo 1 || echo 0)"
