"""Runs a Python program with probes at the entry to and return from each of its functions, as an interpreter that was built with
such probes has them: python:::function-entry and function-return, with file, function and line.

    PYTHONPATH=examples/python:crates/usdt/python dtrace -Zs examples/python/flow.d -c 'python3 -m flow --wait PROGRAM.py ARGUMENTS'

--wait: begin when somebody traces. The interpreter calls this module at every call of a Python function, which slows down a
program of many small ones several times, also when nobody traces.
"""

import runpy
import sys
import threading
import time

import usdt

_ARGUMENTS = "(char *file, char *function, int line)"
_probes = usdt.Provider("python", "function__entry" + _ARGUMENTS, "function__return" + _ARGUMENTS)


def _fire(frame, event, _):
    if event == "call":
        probe = _probes.function__entry
    elif event == "return":
        probe = _probes.function__return
    else:
        return
    if probe.enabled:
        code = frame.f_code
        probe(code.co_filename, code.co_name, frame.f_lineno)


def _main():
    arguments = sys.argv[1:]
    wait = arguments[:1] == ["--wait"]
    if wait:
        arguments = arguments[1:]
    if not arguments:
        sys.exit("usage: python3 -m flow [--wait] PROGRAM.py [ARGUMENT...]")
    while wait and not _probes.function__return.enabled:
        time.sleep(0.001)
    if wait:
        # The counters rise while the tracer still attaches others; it begins when all are.
        time.sleep(0.2)
    sys.argv = arguments
    threading.setprofile(_fire)
    sys.setprofile(_fire)
    try:
        runpy.run_path(arguments[0], run_name="__main__")
    finally:
        sys.setprofile(None)


if __name__ == "__main__":
    _main()
