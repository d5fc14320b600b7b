#!/usr/bin/env bash
# Two programs that others wrote, unmodified: training of GPT-2 by `train_gpt2.c` of llm.c, and inference of Llama 2 by `run.c` of
# llama2.c, with weights that tests/showpieces/inputs.c draws. Each on one core, on the other cores by its own OpenMP, and converted;
# then what is converted once more with a profile (KEEP/gpt2.json, KEEP/llama.json).
#   RTCUDA=target/release/rtcuda tests/showpieces.sh FOLDER_OF_LLM.C FOLDER_OF_LLAMA2.C
# LIMIT (240): the seconds that a run has at most; a core needs 60 of them for the first loss of the training, and 25 for a step. KEEP names a folder where
# what was printed stays. Exit status 1 if a program is not built, or what is converted prints other losses or another text.
set -u
rtcuda=$(realpath "${RTCUDA:-$(dirname "$0")/../target/release/rtcuda}")
inputs=$(realpath "$(dirname "$0")/showpieces/inputs.c")
gpt2=$(realpath "${1:?the folder of llm.c}") && llama=$(realpath "${2:?the folder of llama2.c}") || exit 2
limit=${LIMIT:-240} failed=0
keep=$(realpath -m "${KEEP:-$(mktemp -d)}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$keep" "$work/gpt2/dev/data/tinyshakespeare" "$work/llama"
flags="-O3 -march=native -Wno-unused-result"

# Runs a command, and notes for each line that it prints after how many seconds it came.
timed() { # where to, command
    local log=$1 start line
    start=$(date +%s.%N)
    timeout "$limit" stdbuf -oL "${@:2}" 2>"$log.errors" | while IFS= read -r line; do
        printf '%s %s\n' "$(echo "$(date +%s.%N) $start" | awk '{ printf "%.2f", $1 - $2 }')" "$line"
    done >"$log"
}

built() { # command
    "$@" >>"$keep/built.txt" 2>&1 || { failed=1; tail -5 "$keep/built.txt"; }
}

# Seconds until the first loss (five passes forward), milliseconds of the last step that was made, how many were, and seconds in all.
training() { # name
    awk -v name="$1" '
        /val loss/ && !first { first = $1 }
        /took/ { n++; last = $0; sub(/.*took /, "", last); sub(/ ms.*/, "", last) }
        { all = $1 }
        END { printf "%-16s first loss after %8.2f s   a step %10.1f ms   %d steps in %.1f s\n", name, first, last, n, all }' "$keep/gpt2.$1"
}

losses() { grep -o 'loss [0-9.]*' "$keep/gpt2.$1" | awk '{ printf "%.3f\n", $2 }' | head -"$2"; }

cc -O2 "$inputs" -o "$work/inputs" || exit 1
echo "== training of GPT-2, 124 million parameters, 4 rows of 64 tokens"
cp -r "$gpt2/train_gpt2.c" "$gpt2/llmc" "$work/gpt2"
cd "$work/gpt2" && "$work/inputs" gpt2 . || exit 1
# shellcheck disable=SC2086
{
    built cc $flags train_gpt2.c -o one -lm
    built cc $flags -fopenmp train_gpt2.c -o openmp -lm
    built "$rtcuda" convert train_gpt2.c -o converted -- $flags
    built make -s -C converted
}
timed "$keep/gpt2.converted" converted/train_gpt2
RTCUDA_PROFILE=$keep/gpt2.json timeout "$limit" converted/train_gpt2 >/dev/null 2>&1
timed "$keep/gpt2.one_core" taskset -c 0 ./one &
timed "$keep/gpt2.openmp" taskset -c "1-$(($(nproc) - 1))" ./openmp
wait
for name in one_core openmp converted; do training "$name"; done
n=$(grep -c 'loss' "$keep/gpt2.openmp")
[ "$(losses openmp "$n")" = "$(losses converted "$n")" ] || { failed=1; echo "the losses are not the same"; }

echo "== inference of Llama 2, 110 million parameters, 256 tokens"
cp "$llama/run.c" "$work/llama"
cd "$work/llama" && "$work/inputs" llama . || exit 1
# shellcheck disable=SC2086
{
    built cc $flags run.c -o one -lm
    built cc $flags -fopenmp run.c -o openmp -lm
    built "$rtcuda" convert run.c -o converted -- $flags
    built make -s -C converted
}
words=(model.bin -z tokenizer.bin -n 256 -t 0)
timed "$keep/llama.one_core" taskset -c 0 ./one "${words[@]}"
timed "$keep/llama.openmp" ./openmp "${words[@]}"
timed "$keep/llama.converted" converted/run "${words[@]}"
RTCUDA_PROFILE=$keep/llama.json timeout "$limit" converted/run "${words[@]}" >/dev/null 2>&1
for name in one_core openmp converted; do
    printf '%-16s %s tokens a second, %s s in all\n' "$name" "$(grep -o '[0-9.]*$' "$keep/llama.$name.errors" | tail -1)" "$(tail -1 "$keep/llama.$name" | cut -d' ' -f1)"
done
[ "$(cut -d' ' -f2- "$keep/llama.one_core")" = "$(cut -d' ' -f2- "$keep/llama.converted")" ] || { failed=1; echo "the text is not the same"; }
exit $failed
