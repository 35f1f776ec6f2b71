# Everything a fresh Debian or Ubuntu machine needs: `make demo` and `make test` install what is missing and say so.

PREFIX ?= /usr/local
CARGO = ./tools/cargo
HOST := $(shell uname -m)-unknown-linux-gnu
TARGET_DIR := $(if $(CARGO_TARGET_DIR),$(CARGO_TARGET_DIR),target)
BIN = $(TARGET_DIR)/$(HOST)/release/dtrace
# Commands of the second program, by the names of links to it.
COMMANDS = calibrate cpustat cputrack dmpstat hwstat intrstat lockstat plockstat prstat

.PHONY: all setup demo test check test-vm bench install clean

all: setup
	$(CARGO) build --release -p dtrace -p tools
	@echo "built $(BIN) and $(BIN)-tools"

setup:
	@./tools/setup build

demo: all
	@DTRACE=$(BIN) ./tools/demo

# Set-up, formatting, lints (for arm64 too), house rules, unit tests, then the D tests on the running kernel.
test: check
	DTRACE= $(CARGO) test -q -p dtests

check:
	@./tools/setup test
	$(CARGO) fmt --all --check
	$(CARGO) clippy -q --workspace --all-targets -- -D warnings
	./tools/check-arm64
	$(CARGO) test -q -p xtask
	$(CARGO) test -q --workspace --exclude xtask --exclude dtests

# The D tests on other kernels, in QEMU guests: minutes a kernel, so not part of `make test`.
test-vm: setup
	./tools/test-vm

bench: all
	@sh bench/setup.sh
	$(CARGO) run -q --release -p bench -- --dtrace $(BIN)

install: all
	install -D -m 755 $(BIN) $(DESTDIR)$(PREFIX)/sbin/dtrace
	install -D -m 644 man/dtrace.1 $(DESTDIR)$(PREFIX)/share/man/man1/dtrace.1
	install -D -m 644 crates/usdt/python/usdt.py $(DESTDIR)$(PREFIX)/share/dtrace/python/usdt.py
	install -m 755 $(BIN)-tools $(DESTDIR)$(PREFIX)/sbin/dtrace-tools
	for name in $(COMMANDS); do \
		ln -sf dtrace-tools $(DESTDIR)$(PREFIX)/sbin/$$name && \
		install -m 644 man/$$name.1 $(DESTDIR)$(PREFIX)/share/man/man1/ || exit 1; \
	done
	for name in dtrace $(COMMANDS); do \
		install -D -m 644 completions/$$name.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/$$name && \
		install -D -m 644 completions/_$$name $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_$$name || exit 1; \
	done
	@./tools/install-toolkit "$(DESTDIR)" "$(PREFIX)"

clean:
	$(CARGO) clean
