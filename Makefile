# HomeGateway: build, try, check, install.

PREFIX ?= /usr/local
DESTDIR ?=

# `SECONDS` is how long the demo runs; 0 is until Ctrl-C. A value from the environment counts only when
# make was asked for it by name: bash keeps a variable of that name for itself, and may export it.
ifneq ($(origin SECONDS),command line)
SECONDS := 0
endif
# Not handed down: in a shell below it would begin to count.
unexport SECONDS
MAKEOVERRIDES := $(filter-out SECONDS=%,$(MAKEOVERRIDES))

python_files = $(shell find Tests demo -name '*.py')
swift_sources = Sources Tests Package.swift

.DEFAULT_GOAL := help
.PHONY: help setup build demo test fuzz format lint clean release install

help:  ## say what there is
	@echo 'make TARGET'
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 12

setup:  ## install the Debian packages that are missing
	@scripts/setup

build: setup  ## build the gateway, for debugging
	@[ -d .build ] || echo 'First build: dependencies and all sources, takes about 3 minutes on two cores.'
	swift build

demo: build  ## see it work: make demo, or make demo SECONDS=60
	@demo/demo.py --seconds $(SECONDS) --gateway .build/debug/homegateway

test: setup  ## run all tests
	@[ -d .build ] || echo 'First build: dependencies, all sources and tests, takes about 5 minutes on two cores.'
	swift test

fuzz:  ## feed the decoders of received bytes what nobody would send: make fuzz, or FUZZ_SECONDS=600 make fuzz
	@Tests/Fuzz/run

format:  ## bring the Swift sources into their form
	swift format --in-place --recursive $(swift_sources)

lint:  ## check the form of the Swift sources, and that the Python compiles
	swift format lint --strict --recursive $(swift_sources)
	@echo 'python3 -m py_compile: $(words $(python_files)) files'
	@cache=$$(mktemp -d) && trap 'rm -rf "$$cache"' EXIT && \
	    PYTHONPYCACHEPREFIX="$$cache" /usr/bin/python3 -m py_compile $(python_files)

clean:  ## remove what was built
	rm -rf .build
	find Tests demo -name __pycache__ -type d -prune -exec rm -rf {} +

release: setup  ## build the gateway as it is installed
	@[ -d .build/release ] || echo 'First release build: takes about 5 minutes on two cores.'
	swift build -c release --product homegateway

# It builds nothing: whoever installs is often root, and root has no business in the build directory.
install:  ## install what `make release` built; PREFIX and DESTDIR count
	@[ -x .build/release/homegateway ] || { echo 'Nothing to install yet. First: make release' >&2; exit 1; }
	install -D -m 755 .build/release/homegateway '$(DESTDIR)$(PREFIX)/bin/homegateway'
	install -d '$(DESTDIR)$(PREFIX)/lib/systemd/system'
	sed -E 's#/usr(/local)?/bin/homegateway#$(PREFIX)/bin/homegateway#g' systemd/homegateway.service \
	    > '$(DESTDIR)$(PREFIX)/lib/systemd/system/homegateway.service'
	@if [ -e '$(DESTDIR)/etc/homegateway/gateway.toml' ]; then \
	    echo 'keeping the settings at $(DESTDIR)/etc/homegateway/gateway.toml'; \
	else \
	    echo 'example settings go to $(DESTDIR)/etc/homegateway/gateway.toml'; \
	    install -D -m 640 systemd/gateway.example.toml '$(DESTDIR)/etc/homegateway/gateway.toml'; \
	fi
