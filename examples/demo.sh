#!/bin/sh
# Works through the built-in corpus with every command there is, showing each before it runs.
set -eu
cd "$(dirname "$0")/.."
out="${TRUSTAG_DEMO_OUTPUT:-demo-output}"

step() {
    printf '\n\033[1m%s\033[0m\n' "$1"
    shift
    printf '$ %s\n\n' "$*"
    "$@" || [ $? -eq 1 ]
}

rm -rf "$out"
mkdir -p "$out"
step "1. What does the built-in corpus hold? Its training labels are damaged on purpose." \
    trustag doctor demo --top 3
step "2. How noisy are the training labels? The corpus carries the gold labels beside them." \
    trustag score demo:train
step "3. Write it down as CoNLL text with BIOES tags ..." \
    trustag convert demo "$out/corpus" --to conll --scheme BIOES
step "4. ... and for an annotation tool." \
    trustag convert demo:train "$out/label-studio.json" --to label-studio
step "5. Damage the clean development split in a controlled way ..." \
    trustag perturb demo:dev -o "$out/noisy-dev.conll" --recall 0.7 --precision 0.8 --seed 7
step "6. ... and score what is left of it." \
    trustag score demo:dev "$out/noisy-dev.conll"
step "7. Train a plain tagger on the noisy labels. (Random word vectors, so that nothing has to be fetched.)" \
    trustag train demo -o "$out/run" --set bilstm.random_vectors=true --set training.epochs=4
step "8. Find entities in a text; the score of each is its exact probability." \
    trustag predict "$out/run" examples/letter.txt

printf '\nThe files are in %s. Next, with your own labels: trustag doctor YOUR-FILE\n' "$out"
