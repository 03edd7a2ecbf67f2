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

# A program of the package `workbench`; -B writes no bytecode, which would be root's in the e2e targets.
workbench = /usr/bin/python3 -B -m workbench
lint_venv = .build-lint/venv
web_sources = 'Sources/**/*.{js,css}' 'TrackMe/Sources/**/*.{js,css}'
swift_sources = Sources Tests Benchmarks Package.swift TrackMe/Package.swift TrackMe/Sources TrackMe/Tests

.DEFAULT_GOAL := help
.PHONY: help setup build browser demo demo-consent demo-race demo-trackme trackme test test-trackme e2e-trackme e2e-ble e2e-month e2e-sos e2e-web e2e-home-assistant e2e-desk e2e-desk-outside e2e-outage e2e-damage e2e-cluster e2e-cloud e2e-install try-guide explore fuzz fuzz-api bench-adverts \
    bench-bluetooth bench-outbox bench-history bench-memory bench-seal bench-race bench-trackme bench-trackme-chart bench-trackme-retention bench-trackme-run bench-trackme-sign-in bench-trackme-streams bench-web format lint clean release release-trackme manual runbook sbom deb test-deb test-fleet install uninstall

help:  ## say what there is
	@echo 'make TARGET'
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 18

setup:  ## install the Debian packages that are missing
	@scripts/setup

build: setup  ## build the gateway, for debugging
	@[ -d .build ] || echo 'First build: dependencies and all sources, takes about 3 minutes on two cores.'
	swift build
	@ln -sf homegateway .build/debug/homegateway-console

demo: build  ## see it work: make demo, or make demo SECONDS=60
	@$(workbench).demo --seconds $(SECONDS) --gateway .build/debug/homegateway

demo-consent: build  ## see a study ask for readings, get them from a person's yes to her no, and no byte more
	@$(workbench).demo.consent --gateway .build/debug/homegateway

demo-trackme: build trackme  ## see a person link her account by her yes at home: make demo-trackme, or with SECONDS=60
	@$(workbench).demo.trackme --seconds $(SECONDS)

# The guest first, as for e2e-ble.
demo-race: setup  ## see a race of 200 runners timed, live on the broker, and held against the truth; needs root, 4 minutes
	@Tests/BLERig/build-image
	@$(MAKE) --no-print-directory build
	@demo/race

test: setup  ## run all tests; with ONCE=1, one that passes only when it is run again fails
	@[ -d .build ] || echo 'First build: dependencies, all sources and tests, takes about 5 minutes on two cores.'
	@scripts/test $(if $(ONCE),--once)
# The documents against the programs that have just been built.
	@/usr/bin/python3 -B -m unittest --quiet workbench.tests.test_documented_commands

trackme:  ## build the cloud half, for debugging
	@scripts/setup --trackme
	@[ -d TrackMe/.build ] || echo 'First build of the cloud half: takes about 6 minutes on two cores.'
	swift build --package-path TrackMe --product trackme

# TRACKME_BUILD=.build takes over the targets that the gateway's build has compiled. Each change between the two packages
# then links the other one anew, which takes about a minute: good for one run of both, not for the work on one. A plan in
# the cache may be that of the other package.
TRACKME_BUILD = TrackMe/.build
test-trackme:  ## run all tests of the cloud half, those of the data on SQLite and on PostgreSQL
	@scripts/setup --trackme
	@[ -d '$(TRACKME_BUILD)' ] || echo 'First build: dependencies, all sources and tests, takes about 8 minutes on two cores.'
	@scripts/test --trackme --build '$(TRACKME_BUILD)' $(if $(ONCE),--once)
	@TRACKME_TEST_DATABASE=postgres scripts/test --trackme --build '$(TRACKME_BUILD)' --no-build $(if $(ONCE),--once) \
	    '^(Desk|Fleet|Groups|Intake|Parties|Runs|WebPages)Tests'

try-guide: setup  ## apply docs/developer/add-a-capability.md to a scratch copy, build it and run its tests
	@/usr/bin/python3 -B -m workbench.guide

bench-adverts: setup  ## measure parse and filter of adverts beside a C loop
	@swift build -c release --product AdvertBench >&2
	@.build/release/AdvertBench

bench-history: setup  ## write a year of readings, and time pages out of it
	@swift build -c release --product HistoryBench >&2
	@.build/release/HistoryBench

bench-seal: setup  ## measure what sealing a reading for a third party costs beside a Python program
	@[ -x .build-bench/venv/bin/python ] || python3 -m venv .build-bench/venv
	@.build-bench/venv/bin/python -c 'from cryptography.hazmat.primitives.hpke import KEM' 2>/dev/null \
	    || .build-bench/venv/bin/pip install --quiet 'cryptography>=48'
	@swift build -c release --product SealBench >&2
	@.build-bench/venv/bin/python -B -m workbench.bench.seal --bench .build/release/SealBench

bench-race: setup  ## simulate a checkpoint: errors of the times of passing beside simpler ways, and hits a second
	@swift build -c release --product RaceBench >&2
	@.build/release/RaceBench
	@swift build -c release --product PassingBench >&2
	@folder=$$(mktemp -d) && trap 'rm -r "$$folder"' EXIT && .build/release/PassingBench write "$$folder" \
	    && .build/release/PassingBench read "$$folder"

bench-web:  ## measure the pages' server beside nginx with nchan: 1,000 streams, and pages meanwhile
	@scripts/setup --nginx
	@swift build -c release --product WebBench >&2
	@$(workbench).bench.web --bench .build/release/WebBench

bench-trackme: setup  ## measure a sample in the cloud half: samples at a rate, calls between them, a backlog; POSTGRES=1
	@scripts/setup --cloud
	@[ -x .build-bench/venv/bin/python ] || python3 -m venv .build-bench/venv
	@.build-bench/venv/bin/python -c 'import paho.mqtt, psycopg2' 2>/dev/null \
	    || .build-bench/venv/bin/pip install --quiet 'paho-mqtt>=2' psycopg2-binary
	@$(MAKE) --no-print-directory release-trackme >&2
	@.build-bench/venv/bin/python -B -m workbench.bench.trackme --trackme .build-release-trackme/release/trackme \
	    $(if $(POSTGRES),--postgres)

bench-trackme-run: setup  ## measure open pages of a run in the cloud half: 5,000 viewers of 200 runners, a frame a second
	@scripts/setup --trackme
	@$(MAKE) --no-print-directory release-trackme >&2
	@$(workbench).bench.trackme_run --trackme .build-release-trackme/release/trackme

bench-trackme-chart: setup  ## time the pages of a person's data in the cloud half, out of 90 days of readings
	@scripts/setup --trackme
	@$(MAKE) --no-print-directory release-trackme >&2
	@$(workbench).bench.trackme_chart --trackme .build-release-trackme/release/trackme

# DAYS: of the house, 100 if left out; RAW_DAYS: for which readings are kept, 7 if left out. RANDOM_IDS=1: IDs of houses of an earlier version.
bench-trackme-retention: setup  ## measure the room of 100 days of readings, and their packing; POSTGRES=1, DAYS=10
	@scripts/setup --cloud
	@swift build -c release --package-path TrackMe --scratch-path .build-release-trackme --product RetentionBench >&2
	@$(workbench).bench.trackme_retention --bench .build-release-trackme/release/RetentionBench \
	    $(if $(DAYS),--days $(DAYS)) $(if $(RAW_DAYS),--raw-days $(RAW_DAYS)) $(if $(POSTGRES),--postgres) $(if $(RANDOM_IDS),--random-ids)

bench-trackme-sign-in: setup  ## time sign-ins of dispatchers under a flood of wrong sign-ins
	@scripts/setup --trackme
	@$(MAKE) --no-print-directory release-trackme >&2
	@$(workbench).bench.trackme_sign_in --trackme .build-release-trackme/release/trackme

bench-trackme-streams: setup  ## measure open live pages of the cloud half, and the last copy after the end of a grant
	@scripts/setup --trackme
	@[ -x .build-bench/venv/bin/python ] || python3 -m venv .build-bench/venv
	@.build-bench/venv/bin/python -c 'import cryptography, jwt' 2>/dev/null \
	    || .build-bench/venv/bin/pip install --quiet cryptography pyjwt
	@swift build >&2
	@$(MAKE) --no-print-directory release-trackme >&2
	@.build-bench/venv/bin/python -B -m workbench.bench.trackme_streams --trackme .build-release-trackme/release/trackme

bench-memory: setup  ## measure the memory of gateway and console, as they are installed, with straps and pages
	@$(MAKE) --no-print-directory release
	@$(workbench).bench.memory --gateway .build-release/release/homegateway

bench-outbox: setup  ## measure the drain of a backlog beside a C loop, live latency meanwhile, bytes to the disk; needs root
	@$(MAKE) --no-print-directory release
	@mkdir -p .build-bench
	@cc -O2 -Wall -Wextra -Werror -o .build-bench/drain Benchmarks/OutboxBench/drain.c -lmosquitto
	@$(workbench).bench.outbox --gateway .build-release/release/homegateway --floor .build-bench/drain

bench-bluetooth: setup  ## measure what a notification costs beside Python programs with bleak and paho
	@$(MAKE) --no-print-directory release
	@[ -x .build-bench/venv/bin/python ] || python3 -m venv .build-bench/venv
	@.build-bench/venv/bin/python -c 'import bleak, paho.mqtt' 2>/dev/null \
	    || .build-bench/venv/bin/pip install --quiet bleak paho-mqtt
	@swift build -c release --scratch-path .build-release --static-swift-stdlib --product BluetoothBench >&2
	@cc -O2 -Wall -Werror -o .build-bench/floor Benchmarks/BluetoothBench/floor.c -lmosquitto
	@$(workbench).bench.bluetooth --floor .build-bench/floor --reader .build-release/release/BluetoothBench \
	    --gateway .build-release/release/homegateway --python .build-bench/venv/bin/python

# The guest first: where it cannot be had, that is said before minutes of building.
e2e-ble: setup  ## run the gateway on a real BlueZ with virtual wearables; needs root
	@Tests/BLERig/build-image
	@$(MAKE) --no-print-directory build
	@Tests/BLERig/run

# QUIET_S: seconds of each quiet time that are lived through before the clock is set forward; 0 is all of it.
e2e-month: build  ## a month of a person's life on a real BlueZ, every alarm accounted for; needs root, 25 minutes
	@QUIET_S=$(QUIET_S) Tests/BLERig/run month_of_life

e2e-sos: build  ## the 5-second promise under every fault: make e2e-sos, or QUICK=1 make e2e-sos; needs root
	@$(workbench).sos $(if $(QUICK),--quick)

# Debian's Chromium, and Playwright with axe in a folder of their own.
browser:
	@scripts/setup --browser
	@[ -x .build-web/venv/bin/python ] || /usr/bin/python3 -m venv .build-web/venv
	@.build-web/venv/bin/python -c 'import axe_playwright_python, playwright' 2>/dev/null \
	    || .build-web/venv/bin/pip install --quiet --disable-pip-version-check playwright==1.65.2 axe-playwright-python==0.1.8

e2e-web: browser  ## each page and each act in a real browser: make e2e-web, or QUICK=1 make e2e-web
	@swift build
	@.build-web/venv/bin/python -B -m workbench.web $(if $(QUICK),--quick) $(if $(PICTURES),--pictures '$(PICTURES)')

# Home Assistant in the versions that scripts/home-assistant-requirements.txt names. The file is copied last.
ha_venv = .build-ha/venv
$(ha_venv)/made-from.txt: scripts/home-assistant-requirements.txt
	@echo 'First run: the packages of Home Assistant, takes about 5 minutes.'
	@rm -rf $(ha_venv) && /usr/bin/python3 -m venv $(ha_venv)
	@$(ha_venv)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@cp $< $@

e2e-home-assistant: build $(ha_venv)/made-from.txt  ## the dashboard in a real Home Assistant: first states, expiry, restarts, withdrawal
	@$(workbench).home_assistant --gateway .build/debug/homegateway --hass $(ha_venv)/bin/hass

e2e-desk: browser  ## two dispatchers, a real gateway and a real browser at the emergency desk of TrackMe: make e2e-desk
	@$(MAKE) --no-print-directory build trackme
	@.build-web/venv/bin/python -B -m workbench.desk $(if $(PICTURES),--pictures '$(PICTURES)')

e2e-desk-outside:  ## a real gateway calls the desk over HTTPS, and the desk an emergency centre, over a kill of the server
	@$(MAKE) --no-print-directory build trackme
	@$(workbench).desk.outside

e2e-trackme: browser  ## the cloud half in a real browser: register, link, live value, chart, delete
	@$(MAKE) --no-print-directory build trackme
	@.build-web/venv/bin/python -B -m workbench.trackme $(if $(PICTURES),--pictures '$(PICTURES)')

e2e-outage: build  ## nothing lost, nothing doubled: make e2e-outage, or QUICK=1 make e2e-outage; needs root
	@$(workbench).outage $(if $(QUICK),--quick)

e2e-damage: build  ## damage each state file in every way, and see help called and the loss told; needs root, 25 minutes
	@$(workbench).damaged_state $(if $(QUICK),--quick)

e2e-cluster: build  ## the same while nodes of three RabbitMQ are killed
	@scripts/setup --cluster
	@$(workbench).cluster

e2e-cloud: build  ## two servers of the cloud half, brokers and databases: each killed under load; needs root, 6 minutes
	@scripts/setup --cloud
	@$(MAKE) --no-print-directory trackme
	@$(workbench).cloud

explore: setup  ## every history of an alarm up to a bound: make explore, or EXPLORE='8 2' make explore
	@swift build -c release --product Explore >&2
	@.build/release/Explore $(EXPLORE)

fuzz: setup  ## hostile inputs for decoders, readers, the daemon and both web servers: make fuzz, FUZZ_SECONDS=600
	@Tests/Fuzz/run

fuzz-api: build trackme  ## requests that schemathesis makes out of docs/api/openapi.yaml: make fuzz-api, or FUZZ_SECONDS=600
	@[ -x .build-api/venv/bin/python ] || python3 -m venv .build-api/venv
	@.build-api/venv/bin/python -c 'import schemathesis' 2>/dev/null \
	    || .build-api/venv/bin/pip install --quiet --disable-pip-version-check schemathesis==4.32.5
	@$(workbench).trackme.api_fuzz --schemathesis .build-api/venv/bin/schemathesis --seconds $(or $(FUZZ_SECONDS),60)

format: $(lint_venv)/made-from.txt  ## bring the Swift, JavaScript and CSS sources and the Python imports into their form
	swift format --in-place --recursive $(swift_sources)
	$(lint_venv)/bin/oxfmt $(web_sources)
	$(lint_venv)/bin/ruff check --quiet --fix --select I

lint: $(lint_venv)/made-from.txt  ## check the form of the sources, the JavaScript, the Python, and the wording of comments and documents
	swift format lint --strict --recursive $(swift_sources)
	$(lint_venv)/bin/oxfmt --list-different $(web_sources)
	$(lint_venv)/bin/oxlint --format unix Sources TrackMe/Sources
	$(lint_venv)/bin/ruff check --quiet
	$(lint_venv)/bin/mypy --no-error-summary
	$(workbench).wording
	/usr/bin/python3 -B -m unittest discover --quiet --start-directory workbench/tests --top-level-directory .

# The tools in the versions that scripts/lint-requirements.txt names. The file is copied last: the venv is complete.
$(lint_venv)/made-from.txt: scripts/lint-requirements.txt
	@scripts/setup
	@rm -rf $(lint_venv) && /usr/bin/python3 -m venv $(lint_venv)
	@$(lint_venv)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@cp $< $@

clean:  ## remove what was built
	rm -rf .build .build-api .build-ha .build-lint .build-deb .build-fleet .build-manual .build-sbom TrackMe/.build
	find workbench scripts -name __pycache__ -type d -prune -exec rm -rf {} +

# No names for other programs to link to, and relocations in their short form (DT_RELR; glibc 2.36, which Debian 12 has):
# 8 MB less of the file, most of which every process would read as it starts.
compact = -Xswiftc -use-ld=lld -Xlinker '--version-script=$(CURDIR)/scripts/exports.map' \
    -Xlinker -z -Xlinker pack-relative-relocs -Xlinker '$(CURDIR)/scripts/no-hashes.ld'

# The date that sources with __DATE__ get, and so the same file from two builds: that of the version, as for a Debian package.
dated = SOURCE_DATE_EPOCH=$$(date -d "$$(sed -n 's/^ -- .*>  //p' debian/changelog | head -n 1)" +%s)

# SETUP=true where a package's build has seen to the Debian packages itself.
SETUP = scripts/setup

# Where it is built is often where it will run: no broker, modem or SIP server of the tests comes there.
release:  ## build the gateway as it is installed
	@$(SETUP) --build
	@[ -d .build-release ] || echo 'First release build: takes about 5 minutes on two cores.'
	$(dated) swift build -c release --scratch-path .build-release --static-swift-stdlib --product homegateway $(compact)
	objcopy --only-keep-debug '$(linked)' '$(symbols)'
	objcopy --strip-all --add-gnu-debuglink='$(symbols)' '$(linked)' '$(built)'

release-trackme:  ## build the cloud half as it is installed
	@$(SETUP) --trackme
	@[ -d .build-release-trackme ] || echo 'First release build of the cloud half: takes about 8 minutes on two cores.'
	$(dated) swift build -c release --package-path TrackMe --scratch-path .build-release-trackme --static-swift-stdlib \
	    --product trackme $(compact)

runbook: build  ## write docs/installer/runbook.md anew, out of the pages that `homegateway explain` prints
	.build/debug/homegateway explain --markdown > docs/installer/runbook.md

# Pages of man(7) and completions, out of what the programs say themselves.
man = .build-manual
version = $(shell sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)
manual: $(linked) .build-release-trackme/release/trackme
	@mkdir -p '$(man)/homegateway' '$(man)/homegateway-console' '$(man)/trackme'
	@ln -sf homegateway '$(linked)-console'
	scripts/manual command '$(linked)' '$(version)' > '$(man)/homegateway/homegateway.1'
	scripts/manual command '$(linked)-console' '$(version)' > '$(man)/homegateway-console/homegateway-console.1'
	scripts/manual settings docs/installer/settings.md '$(version)' > '$(man)/homegateway/gateway.toml.5'
	scripts/manual command .build-release-trackme/release/trackme '$(version)' > '$(man)/trackme/trackme.1'
	for shell in bash zsh fish; do \
	    '$(linked)' --generate-completion-script $$shell | sed '1{/^#!/d}' > '$(man)/homegateway.'$$shell && \
	    .build-release-trackme/release/trackme --generate-completion-script $$shell | sed '1{/^#!/d}' \
	        > '$(man)/trackme.'$$shell || exit 1; \
	done

# The release builds, once. A document has a time only where SOURCE_DATE_EPOCH is set.
sbom = .build-sbom
sbom:  ## list the parts of both programs, their licences and the licences' texts: .build-sbom/*.cdx.json
	@[ -x '$(linked)' ] || $(MAKE) --no-print-directory release
	@[ -x .build-release-trackme/release/trackme ] || $(MAKE) --no-print-directory release-trackme
	$(workbench).sbom '$(linked)' --build .build-release --into '$(sbom)'
	$(workbench).sbom .build-release-trackme/release/trackme --build .build-release-trackme --into '$(sbom)'

deb:  ## build the Debian packages of this machine's architecture, and check them with lintian: .build-deb/*.deb
	@scripts/setup --package
	dpkg-checkbuilddeps
	mkdir -p .build-deb
	rm -f .build-deb/*.deb
	debian/rules clean
	debian/rules binary
	lintian --fail-on error,warning .build-deb/*.deb

# A folder of a system as Debian makes it; packages come from the machine's own mirror. Needs root, about 4 minutes.
test-deb:  ## install, upgrade, remove and purge the packages in a clean Debian: make deb test-deb
	@scripts/setup --package
	@ls .build-deb/*.deb >/dev/null 2>&1 || { echo 'No packages yet. First: make deb' >&2; exit 1; }
	$(workbench).package .build-deb

# The guest of the BLE rig with systemd: a kernel and a disk of its own, made once.
e2e-install:  ## the packages on a box with systemd: install, use, power cut, upgrade, remove, cloud-init; needs root, 7 minutes
	@ls .build-deb/homegateway_*.deb >/dev/null 2>&1 || { echo 'No packages yet. First: make deb' >&2; exit 1; }
	@scripts/setup --fleet
	@Tests/BLERig/build-image installed
	@$(workbench).install .build-deb

test-fleet:  ## run the recipes of docs/fleet in a clean Debian: repository, upgrades, Ansible, Avahi; needs root, 4 minutes
	@scripts/setup --fleet
	@[ -x .build-fleet/venv/bin/python ] || /usr/bin/python3 -m venv .build-fleet/venv
	@.build-fleet/venv/bin/python -c 'import ansiblelint' 2>/dev/null \
	    || .build-fleet/venv/bin/pip install --quiet --disable-pip-version-check ansible-core==2.19.14 ansible-lint==26.10.1
	$(workbench).fleet --ansible .build-fleet/venv

# What is installed, and where; `uninstall` removes just that. udev and systemd read these folders below /usr/local too.
linked = .build-release/release/homegateway
built = .build-release/homegateway
symbols = .build-release/homegateway.debug
program = $(DESTDIR)$(PREFIX)/bin/homegateway
# The same file by another name: the pages in a process of their own.
console = $(DESTDIR)$(PREFIX)/bin/homegateway-console
# gdb looks for the symbols of /usr/bin/NAME here.
debug = $(DESTDIR)/usr/lib/debug$(PREFIX)/bin/homegateway.debug
unit = $(DESTDIR)$(PREFIX)/lib/systemd/system/homegateway.service
console_unit = $(DESTDIR)$(PREFIX)/lib/systemd/system/homegateway-console.service
account = $(DESTDIR)$(PREFIX)/lib/sysusers.d/homegateway.conf
folder = $(DESTDIR)$(PREFIX)/lib/tmpfiles.d/homegateway.conf
devices = $(DESTDIR)$(PREFIX)/lib/udev/rules.d/60-homegateway.rules
rights = $(DESTDIR)/etc/polkit-1/rules.d/50-homegateway.rules
settings = $(DESTDIR)/etc/homegateway/gateway.toml
console_settings = $(DESTDIR)/etc/homegateway/console.toml

# It builds nothing: whoever installs is often root, and root has no business in the build directory.
install:  ## install what `make release` built; PREFIX and DESTDIR count
	@[ -x '$(built)' ] || { echo 'Nothing to install yet. First: make release' >&2; exit 1; }
	install -D -m 755 '$(built)' '$(program)'
	ln -sf homegateway '$(console)'
	install -D -m 644 '$(symbols)' '$(debug)'
	install -D -m 644 systemd/homegateway.sysusers '$(account)'
	install -D -m 644 systemd/homegateway.tmpfiles '$(folder)'
	install -D -m 644 systemd/homegateway.udev '$(devices)'
	install -D -m 644 systemd/homegateway.rules '$(rights)'
	install -D -m 644 systemd/homegateway.service '$(unit)'
	install -D -m 644 systemd/homegateway-console.service '$(console_unit)'
	sed -i -E 's#/usr(/local)?/bin/homegateway#$(PREFIX)/bin/homegateway#g' '$(unit)' '$(console_unit)'
	@[ -e '$(console_settings)' ] || install -D -m 644 systemd/console.example.toml '$(console_settings)'
	@if [ -e '$(settings)' ]; then \
	    echo 'keeping the settings at $(settings)'; \
	else \
	    echo 'example settings go to $(settings)'; \
	    install -D -m 640 systemd/gateway.example.toml '$(settings)'; \
	fi
# The account, its right to read the settings, its folder, and GPIO chips for its group; a package's own scripts do this
# where DESTDIR is set.
ifeq ($(DESTDIR),)
	systemd-sysusers '$(account)'
	chgrp homegateway '$(settings)'
	systemd-tmpfiles --create '$(folder)'
	@[ ! -S /run/udev/control ] || { udevadm control --reload && udevadm trigger --subsystem-match=gpio; }
	@[ ! -d /run/systemd/system ] || systemctl daemon-reload
	@if [ -d /run/systemd/system ] && systemctl is-active --quiet homegateway; then \
	    echo 'The gateway that runs is the old one until it is restarted. Not during an alarm (homegateway status):'; \
	    echo '    systemctl restart homegateway'; \
	fi
endif

uninstall:  ## remove what `make install` put there; settings, account and what was kept stay; PREFIX and DESTDIR count
ifeq ($(DESTDIR),)
	@[ ! -d /run/systemd/system ] || [ ! -e '$(console_unit)' ] || systemctl disable --now homegateway-console
	@[ ! -d /run/systemd/system ] || [ ! -e '$(unit)' ] || systemctl disable --now homegateway
endif
	rm -f '$(program)' '$(console)' '$(debug)' '$(unit)' '$(console_unit)' '$(account)' '$(folder)' '$(devices)' '$(rights)'
ifeq ($(DESTDIR),)
	@[ ! -S /run/udev/control ] || udevadm control --reload
	@[ ! -d /run/systemd/system ] || systemctl daemon-reload
endif
	@echo 'Kept: settings in $(DESTDIR)/etc/homegateway, what is known of people in $(DESTDIR)/var/lib/homegateway, the account.'
