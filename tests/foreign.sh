#!/usr/bin/env bash
# Programs of others, unmodified, as a table: how much of one core's time is spent inside regions, how many regions there are
# and why loops stay on the host; where there is a GPU, also how long the whole program takes converted, and whether it
# prints what it did.
#   RTCUDA=target/release/rtcuda tests/foreign.sh FOLDER [PROGRAM ...]
# FOLDER/programs says a program a line (# begins a comment); folders are below FOLDER, sources may be patterns:
#   name | folder | sources | flags of the compiler | arguments, < input too | sed expression that takes times out of the output
# Needs gcc, perf and addr2line. RUNS (3, of which the best counts) and LIMIT (60: seconds of a run) change what is measured.
# Exit status 1 if a program prints something else, or is not built.
set -u
rtcuda=$(realpath "${RTCUDA:-$(dirname "$0")/../target/release/rtcuda}")
folder=$(realpath "${1:?the folder of the programs}") || exit 2
shift
runs=${RUNS:-3} limit=${LIMIT:-60} failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvidia-smi -L >"$work/gpu" 2>/dev/null && command -v "${NVCC:-nvcc}" >/dev/null && has_gpu=1 || has_gpu=

# The least seconds that a command takes in the folder of the program; its output, without times, in a file.
timed() { # command, output
    local run start end
    for ((run = 0; run < runs; run++)); do
        start=$(date +%s.%N)
        (cd "$folder/$dir" && timeout "$limit" bash -c "$1") >"$2.all" 2>/dev/null || return 1
        end=$(date +%s.%N)
        echo "$end $start" | awk '{ print $1 - $2 }'
    done | sort -g | head -1
    sed -E "${filter:-}" "$2.all" >"$2"
}

# The per cent of the samples of one core whose line lies in a region.
share() { # name
    local at=$work/$1
    awk '{ all++ } /one_core/ { at[$1]++ } END { for (a in at) print a, at[a]; print "all", all > "/dev/stderr" }' \
        <(perf script -i "$at.perf" -F ip,dso 2>/dev/null) >"$at.ips" 2>"$at.n"
    cut -d' ' -f1 "$at.ips" | addr2line -e "$at.one_core" | sed -E 's/ .*//; s#.*/##' | paste -d' ' - "$at.ips" >"$at.places"
    awk -v all="$(cut -d' ' -f2 "$at.n")" '
        FNR == NR { file[++n] = $1; low[n] = $2; high[n] = $3; next }
        { split($1, place, ":"); for (k = 1; k <= n; k++) if (file[k] == place[1] && low[k] <= place[2] && place[2] <= high[k]) { inside += $3; break } }
        END { printf "%.0f", all ? 100 * inside / all : 0 }' "$at.regions" "$at.places"
}

row() { # name, sources, flags, arguments
    local at=$work/$1 one converted=- same=- reasons
    # shellcheck disable=SC2086
    (cd "$folder/$dir" && gcc -O3 -g -no-pie -w $3 $2 -lm -o "$at.one_core") >"$at.build" 2>&1 || { echo "| $1 | not built by gcc |"; return 1; }
    one=$(timed "$at.one_core $4" "$at.out")
    [ -n "$one" ] || { echo "| $1 | does not end well |"; return 1; }
    (cd "$folder/$dir" && timeout "$limit" bash -c "perf record -q -F 997 -e cpu-clock -o $at.perf $at.one_core $4") >/dev/null 2>&1
    # shellcheck disable=SC2086
    (cd "$folder/$dir" && "$rtcuda" convert -o "$at.converted" $2 -- -w $3) >"$at.said" 2>&1 || { echo "| $1 | not converted |"; return 1; }
    # shellcheck disable=SC2086
    (cd "$folder/$dir" && "$rtcuda" explain $2 -- -w $3) 2>/dev/null |
        sed -nE 's#^[A-Za-z_0-9]+  (.*/)?([^/]+):([0-9]+)-([0-9]+), in .*#\2 \3 \4#p' >"$at.regions"
    reasons=$(grep -o '^declined\[[a-z-]*' "$at.said" | sed 's/.*\[//' | sort | uniq -c | sort -rn | head -3 | awk '{ printf "%s%s %d", s, $2, $1; s = ", " }')
    if [ -n "$has_gpu" ]; then
        make -s -C "$at.converted" >"$at.build" 2>&1 || { echo "| $1 | not built by nvcc |"; return 1; }
        converted=$(timed "$(find "$at.converted" -maxdepth 1 -type f -executable | head -1) $4" "$at.gpu")
        cmp -s "$at.out" "$at.gpu" && same=yes || same=no
    fi
    echo "| $1 | $(share "$1") | $(wc -l <"$at.regions") | $one | ${converted:--} | $same | $reasons |"
    [ "$same" != no ]
}

echo "| program | inside regions, % | regions | one core, s | converted, s | same output | why loops stay, how often |"
echo "| --- | --- | --- | --- | --- | --- | --- |"
trimmed() { sed -E 's/^ +| +$//g' <<<"$1"; }
while IFS='|' read -r name dir sources flags arguments filter; do
    name=$(trimmed "$name") dir=$(trimmed "$dir") filter=$(trimmed "${filter:-}")
    [ -z "$name" ] || [ "${name:0:1}" = "#" ] && continue
    if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
    row "$name" "$(trimmed "$sources")" "$(trimmed "$flags")" "$(trimmed "$arguments")" </dev/null || failed=1
done <"$folder/programs"
exit $failed
