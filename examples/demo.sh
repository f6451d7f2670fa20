#!/bin/sh
# The main job on the built-in corpus, whose training labels are damaged on purpose; shows each command before it runs.
set -eu
cd "$(dirname "$0")/.."
out="${TRUSTAG_DEMO_OUTPUT:-demo-output}"

step() {
    printf '\n\033[1m%s\033[0m\n' "$1"
    shift
    printf '$ %s\n\n' "$*"
    "$@"
}

rm -rf "$out"
mkdir -p "$out"
step "1. What do the training labels look like?" \
    trustag doctor demo:train --top 1
step "2. Labels can also come from lists and rules. Which would a raw text get, and why?" \
    trustag label examples/letter.txt --gazetteer builtin:nationalities --rules en --sentences lines --tokenizer regex \
    --explain
step "3. Train on them: once trusting every label, once finding out which ones not to trust.
   (Random word vectors, so that nothing has to be fetched; real ones do better.)" \
    trustag train demo -o "$out/run" --set bilstm.random_vectors=true --set training.batch_size=16

printf '\nTry the model:              trustag predict %s/run examples/letter.txt\n' "$out"
printf 'Next, with your own labels: trustag train YOUR-FILE -o my-run --vectors english-glove\n'
