# trainvet: what one types. Every module below this folder is tested; the tools
# come from go.mod, so that Go (and Python 3 for tests that start a trainer) is
# all that a fresh machine needs.

GO       ?= go
FUZZTIME ?= 30s
SIZE     ?= 1GiB
ROUNDS   ?= 5
MODULES  := $(patsubst %/go.mod,%,$(shell find . -name go.mod -not -path '*/testdata/*' -not -path './.*/*' | sort))

.PHONY: test test-torch test-torch-next example lint race bench bench-logs bench-vet bench-python bench-smoke bench-compile fuzz fuzz-list golden generate build

test: ## every test of every module
	@set -e; for m in $(MODULES); do echo "== test $$m"; (cd $$m && $(GO) test ./...); done

test-torch: ## the Python runtime and the probe on a real PyTorch, which is installed below bin: 5.5 GB, 38 min
	TRAINVET_TORCH=$$(.ci/torch bin/torch) $(GO) test -p 1 -count=1 -timeout 60m -run 'Scenarios|Torch|MPI|Twins|Dtypes|ThisMachine|EveryCheckHas|LoaderThatSleeps' ./cmd/trainvet ./probe/...

test-torch-next: ## trainers, and a seed of each fault, on the next PyTorch, installed beside the first: 3 GB more, 8 min
	TRAINVET_SEEDS=1 TRAINVET_TORCH=$$(.ci/torch bin/torch >/dev/null && .ci/torch bin/torch-next next bin/torch) \
	  $(GO) test -p 1 -count=1 -timeout 20m -run 'TorchTrainers|Scenarios/^(O|G|[A-Z]+-)' ./cmd/trainvet

example: ## vet, build, run and audit of a GoMLX trainer, healthy and with each fault: about 2 min once GoMLX is built
	cd examples/chartext && TRAINVET_EXAMPLE=1 $(GO) test -count=1 -v -timeout 20m -run Chain .

# The pointer arithmetic of GoMLX's Go backend is none that checkptr lets pass.
race: ## the same with the race detector; needs a C compiler
	@set -e; for m in $(MODULES); do echo "== race $$m"; \
	  case $$m in ./guards/gomlx|./examples/chartext) flags=-gcflags=all=-d=checkptr=0;; *) flags=;; esac; \
	  (cd $$m && $(GO) test -race $$flags -timeout 30m ./...); done

lint: bin/staticcheck ## gofmt, go vet, staticcheck
	@out=$$(gofmt -l $$(find . -name '*.go' -not -path '*/testdata/*')); \
	  if [ -n "$$out" ]; then echo "not formatted:"; echo "$$out"; exit 1; fi
	@set -e; top=$$PWD; for m in $(MODULES); do echo "== lint $$m"; \
	  (cd $$m && $(GO) vet ./... && $$top/bin/staticcheck ./...); done

bin/staticcheck: go.mod go.sum
	@mkdir -p bin
	$(GO) build -o $@ honnef.co/go/tools/cmd/staticcheck

bench: bench-logs ## the bars, then each benchmark 5 times: about 40 min on two cores
	@set -e; for m in $(MODULES); do echo "== bench $$m"; \
	  (cd $$m && $(GO) test -run '^$$' -bench . -benchmem -count 5 -timeout 60m ./...); done

bench-logs: build ## the audit beside cat and ripgrep, medians of ROUNDS over SIZE of each log shape: about 15 min
	@mkdir -p bin
	$(GO) build -o bin/logbench ./internal/bench/logbench
	bin/logbench -size $(SIZE) -rounds $(ROUNDS) $(BENCHFLAGS)

bench-vet: build ## vet beside plain go vet on the Go modules in the folders REPOS: CPU cold and warm, largest process
	@mkdir -p bin
	$(GO) build -o bin/vetbench ./internal/bench/vetbench
	bin/vetbench -tool bin/trainvet $(BENCHFLAGS) $(REPOS)

bench-python: ## what the Python guards cost a step and at the beginning, in pairs with and without them: TRAINVET_TORCH names a Python with PyTorch (and transformers, for a shape of its own); about 20 min
	$${TRAINVET_TORCH:?names no Python with PyTorch} internal/bench/pythonbench/bench.py guards/python $(or $(PAIRS),10)

bench-smoke: ## the same on little, without bars: does it still run?
	@$(MAKE) --no-print-directory bench-logs SIZE=16MiB ROUNDS=1 BENCHFLAGS=-bars=false

bench-compile: ## build each benchmark and run none
	@set -e; for m in $(MODULES); do (cd $$m && $(GO) test -run '^$$' ./... >/dev/null); done

fuzz: ## each fuzz target for FUZZTIME; the targets are found, not listed
	@set -e; top=$$PWD; for m in $(MODULES); do (cd $$m && GO="$(GO)" $$top/.ci/fuzz $(FUZZTIME)); done

fuzz-list: ## the fuzz targets by package
	@set -e; for m in $(MODULES); do (cd $$m; for pkg in $$($(GO) list ./...); do \
	  $(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' | sed "s|^|$$pkg |" || true; done); done

golden: ## write the golden files anew; read the diff before you commit it
	@set -e; for m in $(MODULES); do (cd $$m; \
	  dirs=$$(grep -rl --include='*_test.go' 'flag.Bool("update"' . | xargs -r -n1 dirname | sort -u); \
	  for d in $$dirs; do \
	    if [ "$$(cd $$d && $(GO) list -m)" = "$$($(GO) list -m)" ]; then $(GO) test $$d -update; fi; done); done

generate: ## write the generated files anew
	@set -e; for m in $(MODULES); do (cd $$m && $(GO) generate ./...); done

build: ## bin/trainvet
	@mkdir -p bin
	CGO_ENABLED=0 $(GO) build -trimpath -o bin/trainvet ./cmd/trainvet
