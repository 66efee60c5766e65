# The front door. `make help` lists the targets; the build itself is CMake's (CMakePresets.json).
.DEFAULT_GOAL := all
PACKAGES := sh scripts/packages.sh
# A build folder that was copied or moved with its clone is configured anew. Ninja's record of headers goes too: it has
# the paths of the first clone, which the user of the copy may not be allowed to look at.
CONFIGURE = here=CMAKE_HOME_DIRECTORY:INTERNAL=; \
  if grep -qsxF -e "$$here$(CURDIR)" -e "$$here$$(pwd -P)" build/CMakeCache.txt; then fresh=; \
  else fresh=--fresh; rm -f build/.ninja_deps build/.ninja_log; fi; cmake $$fresh --preset release

.PHONY: all demo dev demo-only test slow-test bench sanitize asan tsan tsan-all neon-test fuzz format format-check tidy analyze clang install help clean shared-data-test peers-test python-test pins web web-test wheel fair-table truth-table losses-table fairlearn-table advice-table fair-routes-table results docs

all: build/build.ninja                       ## Build all but the benchmarks into build/
	cmake --build build

# What `make demo` configured knows neither the tests nor the Python module.
build/build.ninja: $(shell grep -qs NOISEPLUS_TESTS:BOOL=OFF build/CMakeCache.txt && echo demo-only)
	@$(PACKAGES) build test
	$(CONFIGURE)

demo:                                        ## Audit, balance and train on data with known noise
	@$(PACKAGES) program demo
	@parts=; grep -qs NOISEPLUS_TESTS:BOOL=ON build/CMakeCache.txt || parts='-DNOISEPLUS_TESTS=OFF -DNOISEPLUS_PYTHON=OFF'; \
	  $(CONFIGURE) $$parts >/dev/null
	@cmake --build build --target noiseplus-cli
	@build/noiseplus demo

test:                                        ## Build and pass every test that needs nothing but Debian
	@$(PACKAGES) build test
	$(CONFIGURE)
	cmake --build build
	ctest --preset release

SINCE ?=
dev:                                         ## Build what you touched and pass its fast tests; SINCE=COMMIT to look further back
	@$(PACKAGES) build test
	@[ -f build-dev/build.ninja ] || cmake --preset dev
	@/usr/bin/python3 -B scripts/dev.py build-dev $(SINCE)

shared-data-test: build/build.ninja           ## Checks on the real data in ../shared/data
	@$(PACKAGES) data
	cmake --build build --target shared-data-tests noiseplus-cli noiseplus-python
	build/shared-data-tests
	/usr/bin/python3 -m pytest -q -s -p no:cacheprovider tests/shared_data

fair-table: build/build.ninja                ## The tables of docs/fairness-results.md, from the real data
	@$(PACKAGES) data
	cmake --build build --target shared-data-tests
	build/shared-data-tests --gtest_also_run_disabled_tests --gtest_filter='FairTable.*'

truth-table: build/build.ninja               ## docs/truth-table.txt: what audits say against the truth, on all real data; an hour or so
	@$(PACKAGES) data
	cmake --build build --target shared-data-tests
	bash -o pipefail -c "{ echo code: $$(git describe --always --dirty); build/shared-data-tests --gtest_also_run_disabled_tests \
	  --gtest_brief=1 --gtest_print_time=0 --gtest_filter='Truth.DISABLED_*'; } | tee docs/truth-table.txt"

losses-table: all                            ## The table of docs/learning.md, from the real data
	@$(PACKAGES) data
	WHOLE_TABLE=1 /usr/bin/python3 -m pytest -q -s -p no:cacheprovider tests/shared_data/losses_test.py

RESULTS ?= build/results
results: build/build.ninja                   ## docs/results.md and its pictures, from the real data; some 15 minutes
	@$(PACKAGES) data
	cmake --build build --target noiseplus-cli
	/usr/bin/python3 docs/results.py build/noiseplus ../shared/data $(RESULTS)

docs: build/build.ninja                      ## The documentation site, into build/site; no network is needed to read it
	@$(PACKAGES) docs
	cmake --build build --target noiseplus-cli noiseplus-python
	@mkdir -p build/doxygen
	doxygen docs/site/Doxyfile
	/usr/bin/python3 -B -m sphinx -q -W --keep-going -j auto -c docs -d build/doctrees . build/site
	@echo "the first page is build/site/index.html"

# Versions and hashes of what is taken from PyPI are in scripts/pins.
PEERS := scripts/pins/peers.txt
PEERS_TESTS := tests/peers
peers-test: build/build.ninja                ## Our numbers against cleanlab's, fairlearn's and scikit-learn's, from PyPI
	@$(PACKAGES) peers
	cmake --build build --target peers-program noiseplus-cli
	@sh scripts/peers.sh build/peers-venv $(PEERS); case $$? in \
	  0) build/peers-venv/bin/python -m pytest -q -p no:cacheprovider $(PEERS_TESTS) ;; \
	  3) echo "peers-test: SKIPPED, nothing was compared: the package index cannot be reached" ;; \
	  *) exit 1 ;; esac

wheel:                                       ## A wheel, all of it compiled, into build/wheel
	@$(PACKAGES) build peers
	@mkdir -p build
	sh scripts/peers.sh build/peers-venv $(PEERS)
	sh scripts/wheel.sh build/peers-venv build/wheel

# The library was compiled by `make test`, with the same options but for warnings; here the module is.
python-test: build/build.ninja               ## The package as a wheel: with numpy alone, with pinned versions of PyPI, with PyTorch
	@$(PACKAGES) peers torch
	cmake --build build --target noiseplus-cli noiseplus-python
	@sh scripts/peers.sh build/peers-venv $(PEERS); case $$? in \
	  0) cmake --install build --prefix build/installed >/dev/null && \
	     sh scripts/wheel.sh build/peers-venv build/dist "$(CURDIR)/build/installed" && sh tests/python/wheel.sh build ;; \
	  3) echo "python-test: SKIPPED, no wheel was made: the package index cannot be reached" ;; \
	  *) exit 1 ;; esac
	NOISEPLUS=build/noiseplus PYTHONPATH=build/python PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -m pytest -q \
	  -p no:cacheprovider tests/python/torch_test.py tests/python/doctest_test.py

web:                                         ## The report page, web/dist/page.html, from its sources
	@$(PACKAGES) web
	sh scripts/web.sh
	cd web && npm run --silent build

# The program writes pages too, where `make` has made one.
web-test:                                    ## The report page: types, the same bytes again, tests in a browser
	@$(PACKAGES) web
	@sh scripts/web.sh; case $$? in \
	  0) cd web && npm run --silent format-check && npm run --silent types && mkdir -p ../build/web && node build.mjs ../build/web/page.html && \
	     { cmp ../build/web/page.html dist/page.html || { echo "web-test: web/dist/page.html is not what its sources make; run make web" >&2; exit 1; }; } && \
	     NOISEPLUS="$$(ls "$(CURDIR)/build/noiseplus" 2>/dev/null)" npm run --silent test ;; \
	  3) echo "web-test: SKIPPED, nothing was tested: the package registry cannot be reached" ;; \
	  *) exit 1 ;; esac

PIP_COMPILE := --quiet --upgrade --generate-hashes --allow-unsafe --strip-extras --no-header --no-annotate --no-emit-index-url \
               --no-emit-find-links --no-emit-trusted-host --no-emit-options
pins:                                        ## Take the newest of PyPI from now on: writes scripts/pins/*.txt again
	@$(PACKAGES) peers
	/usr/bin/python3 -m venv build/pins-venv && build/pins-venv/bin/python -m pip -q install pip-tools
	for list in scripts/pins/*.in; do \
	  build/pins-venv/bin/pip-compile $(PIP_COMPILE) --output-file "$${list%.in}.txt" "$$list" || exit 1; done

fairlearn-table: PEERS_TESTS := -s tests/peers/fair_test.py
fairlearn-table: peers-test                       ## The table of docs/fairness.md, ours against fairlearn

ADVICE_CELLS ?= build/advice/cells.jsonl
# For a part of them, ADVICE_FLAGS="--models trees --seeds 0-1"; bench/advice/run.py says what there is.
ADVICE_FLAGS ?=
advice-table: build/build.ninja                   ## The tables of docs/advice.md, from the real data; some two hours
	@$(PACKAGES) peers
	sh scripts/peers.sh build/peers-venv $(PEERS)
	cmake --build build --target noiseplus-cli
	cmake --install build --prefix build/installed >/dev/null
	sh scripts/wheel.sh build/peers-venv build/dist "$(CURDIR)/build/installed"
	build/peers-venv/bin/python -m pip -q install --force-reinstall --no-deps build/dist/*.whl
	build/peers-venv/bin/python bench/advice/run.py ../shared/data $(ADVICE_CELLS) --document docs/advice.md $(ADVICE_FLAGS)

FAIR_ROUTES_CELLS ?= build/fair_routes/cells.jsonl
fair-routes-table: build/build.ninja              ## The tables of docs/fairness.md on routes, from the real data; an hour or so
	@$(PACKAGES) data
	cmake --build build --target noiseplus-python
	PYTHONPATH=build/python /usr/bin/python3 bench/fair_routes/run.py ../shared/data $(FAIR_ROUTES_CELLS) --document docs/fairness.md
	PYTHONPATH=build/python /usr/bin/python3 bench/fair_routes/run.py ../shared/data $(FAIR_ROUTES_CELLS) --seeds 100-103 --sets Adult,FairFace \
	  --constraint equal-opportunity --document docs/fairness.md

neon-test: build/build.ninja                 ## The program for aarch64 under qemu: the same bytes as on this machine
	@$(PACKAGES) neon
	cmake --build build --target noiseplus-cli
	sh scripts/neon_sysroot.sh build-neon/packages
	cmake -S . -B build-neon -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake \
	  -DNEON_SYSROOT="$(CURDIR)/build-neon/packages" -DNOISEPLUS_DEVELOPER=OFF -DNOISEPLUS_PYTHON=OFF -DNOISEPLUS_TEXTS=ON
	cmake --build build-neon --target noiseplus-cli
	NOISEPLUS=build/noiseplus NOISEPLUS_NEON=build-neon /usr/bin/python3 -m pytest -q -p no:cacheprovider tests/neon

QUICK ?=
bench:                                       ## Benchmarks, with rivals in the same run; QUICK=1 for a trial
	@$(PACKAGES) build test bench
	$(CONFIGURE)
	cmake --build build --target all bench/all
	sh bench/run.sh build $(if $(QUICK),quick)

sanitize: asan tsan                          ## Fast tests under ASan+UBSan, then those that run threads under TSan

asan: clang                                  ## Fast tests under ASan+UBSan
	ctest --preset asan

tsan:                                        ## Fast tests that run threads under TSan
	@$(PACKAGES) build test
	cmake --preset tsan && cmake --build --preset tsan && ctest --preset tsan

tsan-all:                                    ## All fast tests under TSan, in a build of their own
	@$(PACKAGES) build test
	cmake --preset tsan -B build-tsan-all -DNOISEPLUS_THREADS_ONLY=OFF
	cmake --build build-tsan-all --target unit-tests noiseplus-cli
	ctest --test-dir build-tsan-all -L fast -j 2 --output-on-failure

# One build serves for clang's warnings, ASan+UBSan and libFuzzer: compiling is what takes long.
clang:                                       ## Build everything with clang, under ASan+UBSan
	@$(PACKAGES) build test ci
	cmake --preset asan && cmake --build --preset asan --target all bench/all

FUZZ_SECONDS ?= 20
fuzz: clang                                  ## Each reader under libFuzzer for FUZZ_SECONDS
	sh fuzz/run.sh $(FUZZ_SECONDS) build-asan

SOURCES = $(shell git ls-files '*.h' '*.cpp')

format:                                      ## Format every C++ file in place
	@$(PACKAGES) ci
	clang-format -i $(SOURCES)

format-check:
	@$(PACKAGES) ci
	clang-format --dry-run --Werror $(SOURCES)
	shellcheck scripts/*.sh bench/*.sh fuzz/*.sh tests/python/*.sh .ci/run

tidy:                                        ## clang-tidy on the library and the program
	@$(PACKAGES) build test ci
	cmake --preset asan -B build-tidy -DNOISEPLUS_TEXTS=OFF
	/usr/bin/python3 scripts/tidy.py build-tidy

analyze:                                     ## The static analyzer, which takes longer than all else of clang-tidy
	@$(PACKAGES) build test ci
	cmake --preset asan -B build-tidy -DNOISEPLUS_TEXTS=OFF
	git ls-files 'src/*.cpp' 'cli/*.cpp' 'experiments/*.cpp' 'python/binding/*.cpp' | xargs -P 2 -n 4 clang-tidy --quiet -p build-tidy --checks='-*,clang-analyzer-*'

install: all                                 ## Install under PREFIX (default /usr/local)
	cmake --install build --prefix $(or $(PREFIX),/usr/local)

clean:                                       ## Remove what was built
	rm -rf build build-*

help:                                        ## This list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1 \2/p' $(MAKEFILE_LIST) | \
	  while read -r name text; do printf '  make %-18s %s\n' "$$name" "$$text"; done
