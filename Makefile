# rtcuda: build, demonstrate, test. Every target may be run again; what is done is not done twice.
#   make         the release build, target/release/rtcuda
#   make demo    converts, verifies and runs solvers/jacobi.c
#   make quick   what one runs while working: the stages, a handful of programs, 40 drawn functions
#   make test    every test
#   make gpu     every shipped program on a GPU, and under compute-sanitizer
#   make lint    formatting, clippy, documentation
#   make dist    target/rtcuda-VERSION-MACHINE.tar.gz: the program with its man pages, completions and documents
#   make setup   installs what is missing (the other targets do it by themselves)

TARGET := $(or $(CARGO_TARGET_DIR),target)
RTCUDA := $(TARGET)/release/rtcuda
CUDA := $(TARGET)/cuda

# The CUDA 13.0 compiler, without a GPU, a driver or root: PyPI's wheels in an environment of their own.
WHEELS := nvidia-cuda-nvcc==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-nvvm==13.0.88 \
	nvidia-cuda-runtime==13.0.96 nvidia-cuda-cccl==13.0.85
CUDA_DONE := $(CUDA)/.installed-$(shell printf '%s' '$(WHEELS)' | cksum | cut -d' ' -f1)

# Programs that building isl needs, or that compile what is emitted, and the Debian packages that have them.
PROGRAMS := autoconf:autoconf automake:automake libtoolize:libtool cc:gcc c++:g++ python3:python3
MISSING := $(foreach p,$(PROGRAMS),$(if $(shell command -v $(firstword $(subst :, ,$p))),,$(lastword $(subst :, ,$p))))
MISSING += $(shell python3 -c 'import ensurepip, venv' 2>/dev/null || echo python3-venv)
AS_ROOT := $(shell [ "$$(id -u)" = 0 ] || command -v sudo)

.PHONY: all demo quick test gpu lint dist setup packages
all: packages
	@[ -x $(RTCUDA) ] || echo "building rtcuda: about 10 minutes on two cores"
	cargo build --release

setup: packages $(CUDA_DONE)

packages:
ifneq ($(strip $(MISSING)),)
	@if ! command -v apt-get >/dev/null || { [ "$$(id -u)" != 0 ] && [ -z "$(AS_ROOT)" ]; }; then \
		echo "rtcuda needs the packages: $(strip $(MISSING))"; \
		echo "They cannot be installed from here (that takes apt-get, and root or sudo): install them, then run make again."; \
		exit 1; \
	fi
	@echo "installing $(strip $(MISSING))"
	$(AS_ROOT) apt-get update -qq
	$(AS_ROOT) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(MISSING)
endif

$(CUDA_DONE): | packages
	@echo "installing the CUDA 13.0 compiler into $(CUDA) (about 300 MB)"
	@rm -rf $(CUDA)
	@mkdir -p $(TARGET)
	@python3 -m venv $(CUDA)
	@$(CUDA)/bin/pip install --quiet --disable-pip-version-check --no-deps $(WHEELS) || { \
		echo "The CUDA compiler cannot be installed: is PyPI within reach? Everything but nvcc works without it."; exit 1; }
	@touch $@

# Shows a command of rtcuda, then runs it.
define step
	@printf '\n$$ rtcuda %s\n' "$(1)"
	@$(RTCUDA) $(1)
endef

demo: setup all
	@echo
	@echo "A Jacobi solver in C: solvers/jacobi.c. What of it can run on a GPU, and why?"
	$(call step,explain solvers/jacobi.c)
	@echo
	@echo "Does the CUDA version compute the same? Both versions run at every call, and are compared:"
	$(call step,verify solvers/jacobi.c)
	@echo
	@echo "The CUDA program:"
	$(call step,convert solvers/jacobi.c -o out/jacobi)
	@echo
	@echo "It runs, on a GPU where there is one, else simulated on the CPU:"
	$(call step,run solvers/jacobi.c)
	@echo
	@echo "What to try next (add $(dir $(RTCUDA)) to the PATH):"
	@echo "  less out/jacobi/jacobi.cu                    the kernels, with the C line that each line comes from"
	@echo "  rtcuda verify tests/programs                 more programs, as a table"
	@echo "  rtcuda verify YOUR.c -- YOUR COMPILER FLAGS  your own"
	@echo "  rtcuda device                                what programs run on here"

# Memory that a program has just been given holds rubbish: what reads it before it writes is found.
RUBBISH := MALLOC_PERTURB_=165

# Programs whose kernels are of different sorts.
HANDFUL := mm,reductions,spmv,time_step,histogram,expansion,waves,library
STAGES := tidy config cli front golden emit hints programs

quick: setup
	$(RUBBISH) RTCUDA_PROGRAMS=$(HANDFUL) cargo test --workspace --no-fail-fast --lib --bins $(STAGES:%=--test %)
	$(RUBBISH) RTCUDA_NESTS=40 cargo test --test differential random_nests

test: setup
	$(RUBBISH) cargo test --workspace --no-fail-fast

gpu: all
	RTCUDA=$(RTCUDA) tests/gpu.sh

lint: packages
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --quiet --no-deps

# Of this machine's libraries it needs those of every Debian alone: the C library and libgcc_s.
VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
DIST := rtcuda-$(VERSION)-$(shell uname -m)-linux
dist: all
	@rm -rf $(TARGET)/$(DIST)
	@mkdir -p $(TARGET)/$(DIST)/bin $(TARGET)/$(DIST)/share/completions
	@cp $(RTCUDA) $(TARGET)/$(DIST)/bin/rtcuda
	@strip $(TARGET)/$(DIST)/bin/rtcuda
	@$(RTCUDA) man -o $(TARGET)/$(DIST)/share/man/man1 >/dev/null
	@for shell in bash zsh fish; do $(RTCUDA) completions $$shell >$(TARGET)/$(DIST)/share/completions/rtcuda.$$shell; done
	@cp -r README.md CHANGELOG.md RESULTS.md CITATION.cff LICENSE-MIT LICENSE-APACHE docs solvers configs $(TARGET)/$(DIST)
	@tar -C $(TARGET) -czf $(TARGET)/$(DIST).tar.gz --owner=0 --group=0 $(DIST)
	@rm -r $(TARGET)/$(DIST)
	@ls -l $(TARGET)/$(DIST).tar.gz
