#!/usr/bin/env bash
# Programs of others, unmodified, as a table: how much of one core's time is spent inside regions and in what they call (input
# and output left out), which function holds the most of the rest, how many regions there are and why loops stay on the host;
# where there is a GPU, also how long the whole program takes converted, whether it prints what it did, and what became of the calls.
#   RTCUDA=target/release/rtcuda tests/foreign.sh FOLDER [PROGRAM ...]
# FOLDER/programs says a program a line (# begins a comment); folders are below FOLDER, sources may be patterns:
#   name | folder | sources | flags of the compiler | arguments, < input too | sed expression that takes times out of the output
# Needs gcc; for what is inside regions perf, readelf and addr2line. All are built first, JOBS (1) at a time. RUNS (3) of each, the
# original and the converted program in turns, alone; the means count, and one more run of the converted one is taken apart. LIMIT
# (60) is the seconds of a run. KEEP names a folder where what was measured stays: NAME.runs has the times of all runs, NAME.share the
# lines outside regions, NAME.said the reasons. Exit status 1 if a program prints something else, or is not built.
set -u
rtcuda=$(realpath "${RTCUDA:-$(dirname "$0")/../target/release/rtcuda}")
folder=$(realpath "${1:?the folder of the programs}") || exit 2
shift
runs=${RUNS:-3} limit=${LIMIT:-60} jobs=${JOBS:-1} failed=0
work=${KEEP:-$(mktemp -d)}
[ -n "${KEEP:-}" ] && mkdir -p "$work" || trap 'rm -rf "$work"' EXIT
nvidia-smi -L >"$work/gpu" 2>/dev/null && command -v "${NVCC:-nvcc}" >/dev/null && has_gpu=1 || has_gpu=
command -v perf >/dev/null && has_perf=1 || has_perf=

# The seconds that a command takes in the folder of the program; its output, without times, in a file. A program of `void main` may
# end with any status.
timed() { # command, output
    local start end status
    start=$(date +%s.%N)
    (cd "$folder/$dir" && timeout "$limit" bash -c "$1") >"$2.all" 2>/dev/null
    status=$?
    end=$(date +%s.%N)
    [ $status = 124 ] && return 1
    echo $status >"$2.status"
    sed -E "${filter:-}" "$2.all" >"$2"
    echo "$end $start" | awk '{ printf "%.2f\n", $1 - $2 }'
}

mean() { awk -v "of=$1" '$1 == of { s += $2; n++ } END { if (n) printf "%.2f", s / n }' "$2"; }

# The per cent of the samples of one core that lie in a region or in what a region calls, without those of input and output,
# and the lines that hold the most of the others. A sample's stack is walked from the inside, through inlined functions, too.
share() { # name
    local at=$work/$1 base
    base=$(readelf -lW "$at.one_core" | awk '$1 == "LOAD" && $7 == "R" && $8 == "E" { print $3, $2; exit }')
    base=$((${base% *} - ${base#* }))
    perf script -i "$at.perf" --no-inline -F ip,sym,dso 2>/dev/null |
        awk -v base="$base" '
            function number(text, k, value) {
                for (k = 1; k <= length(text); k++) value = 16 * value + index("0123456789abcdef", substr(text, k, 1)) - 1
                return value
            }
            NF == 0 { if (chain != "") print chain (input ? " input" : ""); chain = ""; input = 0; next }
            /one_core/ { chain = chain " " sprintf("0x%x", number($1) + base - (chain != "")) }
            !/one_core/ { if (chain == "") chain = " -"; if ($2 ~ input_names && /libc/) input = 1 }
        ' input_names='^_*(IO_)?(v?[fs]?n?printf|v?f?scanf|getline|getdelim|f?(open|close|read|write|gets|puts|flush|seek)|f?(put|get)c|putchar|getchar|puts)(@.*)?$' >"$at.chains"
    tr ' ' '\n' <"$at.chains" | grep '^0x' | sort -u | addr2line -f -i -a -e "$at.one_core" |
        awk '/^0x/ { at = $1; sub(/^0x0*/, "0x", at); function_next = 1; next }
            function_next { called = $1; function_next = 0; next }
            { sub(/ .*/, ""); sub(/.*\//, ""); print at, called, $1; function_next = 1 }' >"$at.lines"
    awk -v regions="$at.regions" -v lines="$at.lines" '
        BEGIN {
            while ((getline <regions) > 0) { file[++n] = $1; low[n] = $2; high[n] = $3 }
            while ((getline <lines) > 0) {
                split($3, place, ":")
                for (k = 1; k <= n; k++) if (file[k] == place[1] && low[k] <= place[2] && place[2] <= high[k]) inside[$1] = 1
                if (!($1 in first)) first[$1] = $2 " (" $3 ")"
            }
        }
        $NF == "input" { next }
        { all++; is_in = 0; here = ""
          for (k = 1; k <= NF; k++) { if ($k in inside) is_in = 1; if (here == "" && $k in first) here = first[$k] }
          if (is_in) found++; else outside[here == "" ? "elsewhere" : here]++ }
        END {
            printf "%.0f\n", all ? 100 * found / all : 0
            for (line in outside) printf "%.1f %s\n", 100 * outside[line] / all, line | "sort -rn"
        }' "$at.chains" >"$at.share"
    head -1 "$at.share"
}

# The function outside regions that holds the most samples, and how many per cent of all.
rest() { # name
    awk 'NR > 1 { held[$2] += $1 } END { for (name in held) printf "%.0f %s\n", held[name], name }' "$work/$1.share" | sort -rn |
        awk 'NR == 1 && $1 > 0 { print $2, $1 }'
}

# What became of the calls of regions, of a profile: how many went to the device and how many stayed; seconds in kernels and in
# copies, and what else those that went took.
account() { # profile
    awk 'function of(name, text) { return match(text, "\"" name "\":[-0-9.e+]+") ? substr(text, RSTART + length(name) + 3, RLENGTH - length(name) - 3) + 0 : 0 }
        /^{"region":/ {
            went += of("calls", $0); left += of("left", $0); all += of("total_s", $0)
            text = $0; sub(/.*"copy_in":/, "", text); in_calls += of("seconds", text)
            sub(/.*"copy_out":/, "", text); copies += of("seconds", text)
            text = $0; sub(/.*"kernels":\[/, "", text); sub(/\],"copy_out".*/, "", text)
            while (match(text, /"seconds":/)) { kernels += of("seconds", text); text = substr(text, RSTART + RLENGTH) }
        }
        END { rest = all - kernels - in_calls; printf "%d, %d | %.3f | %.3f | %.3f", went, left, kernels, in_calls + copies, (rest > 0 ? rest : 0) }' "$1"
}

built() { # name, sources, flags
    local at=$work/$1
    rm -f "$at.failed"
    # shellcheck disable=SC2086
    (cd "$folder/$dir" && gcc -O3 -gdwarf-4 -no-pie -w $3 $2 -lm -o "$at.one_core") >"$at.build" 2>&1 || { echo "not built by gcc" >"$at.failed"; return; }
    # shellcheck disable=SC2086
    (cd "$folder/$dir" && "$rtcuda" convert -v -o "$at.converted" $2 -- -w $3) >"$at.said" 2>&1 || { echo "not converted" >"$at.failed"; return; }
    [ -z "$has_gpu" ] || make -s -C "$at.converted" >"$at.build" 2>&1 || echo "not built by nvcc" >"$at.failed"
}

row() { # name, sources, flags, arguments
    local at=$work/$1 run one=- converted=- times=- same=- account="- | - | - | -" inside=- rest=- reasons exe
    [ -s "$at.failed" ] && { echo "| $1 | $(cat "$at.failed") |"; return 1; }
    exe=$(find "$at.converted" -maxdepth 1 -type f -executable 2>/dev/null | head -1)
    : >"$at.runs"
    for ((run = 0; run < runs; run++)); do
        echo "one $(timed "$at.one_core $4" "$at.out")" >>"$at.runs"
        [ -z "$has_gpu" ] || echo "converted $(timed "$exe $4" "$at.gpu")" >>"$at.runs"
    done
    grep -q ' $' "$at.runs" && { echo "| $1 | takes more than $limit s |"; return 1; }
    one=$(mean one "$at.runs")
    if [ -n "$has_perf" ]; then
        (cd "$folder/$dir" && timeout "$limit" bash -c "perf record -q -F 499 -e cpu-clock --call-graph dwarf,8192 -o $at.perf $at.one_core $4") >/dev/null 2>&1
        # shellcheck disable=SC2086
        (cd "$folder/$dir" && "$rtcuda" explain $2 -- -w $3) 2>/dev/null |
            sed -nE 's#^[A-Za-z_0-9]+  (.*/)?([^/]+):([0-9]+)-([0-9]+), in .*#\2 \3 \4#p' >"$at.regions"
        inside=$(share "$1") rest=$(rest "$1")
    fi
    reasons=$(grep -o '^declined\[[a-z-]*' "$at.said" | sed 's/.*\[//' | sort | uniq -c | sort -rn | head -3 | awk '{ printf "%s%s %d", s, $2, $1; s = ", " }')
    if [ -n "$has_gpu" ]; then
        converted=$(mean converted "$at.runs")
        times=$(echo "$one $converted" | awk '{ printf "%.2f", $1 / $2 }')
        cmp -s "$at.out" "$at.gpu" && cmp -s "$at.out.status" "$at.gpu.status" && same=yes || same=no
        (cd "$folder/$dir" && RTCUDA_PROFILE=$at.json timeout "$limit" bash -c "$exe $4") >/dev/null 2>&1
        [ -s "$at.json" ] && account=$(account "$at.json")
    fi
    echo "| $1 | $inside | $rest | $one | $converted | $times | $same | $account | $reasons |"
    [ "$same" != no ]
}

trimmed() { sed -E 's/^ +| +$//g' <<<"$1"; }

# Calls a command with the fields of each program.
each() { # command
    while IFS='|' read -r name dir sources flags arguments filter; do
        name=$(trimmed "$name") dir=$(trimmed "$dir") filter=$(trimmed "${filter:-}")
        [ -z "$name" ] || [ "${name:0:1}" = "#" ] && continue
        [[ -z "$chosen" || " $chosen " == *" $name "* ]] || continue
        "$1" "$name" "$(trimmed "$sources")" "$(trimmed "$flags")" "$(trimmed "$arguments")" </dev/null || failed=1
    done <"$folder/programs"
}

building() {
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
    built "$@" &
}

chosen="$*"
each building
wait
echo "| program | inside regions, % | most outside, % | one core, s | converted, s | times | same output | calls that went, stayed | kernels, s | copies, s | else, s | why loops stay, how often |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
each row
exit $failed
