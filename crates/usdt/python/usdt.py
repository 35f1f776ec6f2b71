"""Probes for Python programs, as dtrace, bpftrace and perf know them (SystemTap's notes). Pure Python; Linux on x86-64 and 64-bit Arm.

    import usdt
    shop = usdt.Provider("shop", "order__placed(int id, char *item)", "order__done(int id)")
    shop.order__placed(7, "tea")
    if shop.order__done.enabled:            # when the arguments are costly to find
        shop.order__done(look_up())

    dtrace -n 'shop$target:::order-placed { printf("%d %s", args[0], copyinstr(arg1)); }' -p PID

Arguments are integers and pointers; for `char *` a str or bytes. Without a tracer a call only looks at a counter. The probes
are functions in a small ELF file that is written and mapped when the provider is made; where that cannot be, `available` is
False and calls do nothing.
"""

import atexit
import ctypes
import mmap
import os
import re
import struct
import tempfile

_PAGE = 0x10000  # The largest page of the two architectures.
_ARGUMENTS = 6
# Machine number; code of a probe (what the tracers put a breakpoint on, a return); registers of arguments.
_MACHINES = {
    "x86_64": (62, bytes.fromhex("90 662e0f1f840000000000 c3 90909090"), ["%rdi", "%rsi", "%rdx", "%rcx", "%r8", "%r9"]),
    "aarch64": (183, bytes.fromhex("1f2003d5 c0035fd6 1f2003d5 1f2003d5"), ["x0", "x1", "x2", "x3", "x4", "x5"]),
}
_SIZE = 16  # Bytes of such a function.


def _align(data, size):
    return data + bytes(-len(data) % size)


def _note(owner, kind, desc):
    return struct.pack("<3I", len(owner), len(desc), kind) + _align(owner, 4) + _align(desc, 4)


class _Strings:
    def __init__(self):
        self.data = b"\0"

    def add(self, text):
        at = len(self.data)
        self.data += text.encode() + b"\0"
        return at


class Probe:
    """A probe. Call it with its arguments."""

    def __init__(self, declaration):
        match = re.fullmatch(r"\s*([A-Za-z_]\w*)\s*\(([^()]*)\)\s*;?\s*", declaration)
        if not match:
            raise ValueError(f"not a probe: {declaration!r}")
        self.name, args = match.group(1), match.group(2).strip()
        self.args = [] if args in ("", "void") else [a.strip() for a in args.split(",")]
        if len(self.args) > _ARGUMENTS:
            raise ValueError(f"{self.name}: more than {_ARGUMENTS} arguments")
        if any(re.search(r"\b(float|double)\b", a) and "*" not in a for a in self.args):
            raise ValueError(f"{self.name}: only integers and pointers can be passed")
        self._count = self._fire = None

    def _bind(self, function, semaphore):
        # The lock of the interpreter stays taken: nothing is waited for.
        kinds = [ctypes.c_char_p if "*" in a and "char" in a else ctypes.c_uint64 for a in self.args]
        self._fire = ctypes.PYFUNCTYPE(None, *kinds)(function)
        self._text = [kind is ctypes.c_char_p for kind in kinds]
        self._count = ctypes.c_ushort.from_address(semaphore)

    @property
    def enabled(self):
        """Whether somebody traces it."""
        return self._count is not None and self._count.value != 0

    def __call__(self, *args):
        if len(args) != len(self.args):
            raise TypeError(f"{self.name} takes {len(self.args)} arguments, not {len(args)}")
        if self._count is None or not self._count.value:
            return
        self._fire(*[_word(a) if not text else _bytes(a) for text, a in zip(self._text, args)])


def _word(value):
    return int(value) & 0xFFFFFFFFFFFFFFFF


def _bytes(value):
    return value.encode("utf-8", "replace") if isinstance(value, str) else value


class Provider:
    """A provider of probes, one attribute each; declarations are those of D: `name(type name, ...)`."""

    def __init__(self, name, *declarations):
        if not re.fullmatch(r"[A-Za-z_]\w*[A-Za-z_]|[A-Za-z_]", name):
            raise ValueError(f"no name of a provider: {name!r}")
        self.name = name
        self.probes = [Probe(d) for d in declarations]
        if len({p.name for p in self.probes}) != len(self.probes):
            raise ValueError("a probe is declared twice")
        for probe in self.probes:
            setattr(self, probe.name, probe)
        self.available = False
        machine = _MACHINES.get(os.uname().machine)
        if machine and self.probes and struct.calcsize("P") == 8:
            self._load(machine)

    def _load(self, machine):
        image, length = self._image(machine)
        for place in (self._in_file, self._in_memory):
            try:
                descriptor = place(image)
            except OSError:
                continue
            try:
                code = _map(descriptor, length, mmap.PROT_READ | mmap.PROT_EXEC, _PAGE)
                data = code and _map(descriptor, 2 * len(self.probes), mmap.PROT_READ | mmap.PROT_WRITE, _PAGE + self._data)
            finally:
                os.close(descriptor)
            if code and data:
                for n, probe in enumerate(self.probes):
                    probe._bind(code + n * _SIZE, data + 2 * n)
                self.available = True
                return

    def _in_file(self, image):
        descriptor, path = tempfile.mkstemp(prefix=f"usdt-{self.name}-", suffix=".so")
        atexit.register(_remove, path, os.getpid())
        os.write(descriptor, image)
        return descriptor

    def _in_memory(self, image):
        descriptor = os.memfd_create(f"usdt-{self.name}")
        os.write(descriptor, image)
        return descriptor

    def _image(self, machine):
        """An ELF shared object: functions, semaphores, notes. Its bytes, and how many of them are code."""
        number, function, registers = machine
        code = function * len(self.probes)
        self._data = len(_align(code, _PAGE))
        semaphores = bytes(2 * len(self.probes))
        notes, symbols, names = b"", bytes(24), _Strings()
        for n, probe in enumerate(self.probes):
            at = _PAGE + n * _SIZE
            args = " ".join(f"{_bytes_of(a)}@{r}" for a, r in zip(probe.args, registers))
            texts = b"".join(t.encode() + b"\0" for t in (self.name, probe.name, args))
            notes += _note(b"stapsdt\0", 3, struct.pack("<3Q", at, 0, _PAGE + self._data + 2 * n) + texts)
            symbols += struct.pack("<IBBHQQ", names.add(probe.name), 0x12, 0, 1, at, _SIZE)
        body = "".join(f"\tprobe {p.name}({', '.join(p.args)});\n" for p in self.probes)
        definition = _note(b"dtrace\0", 1, f"provider {self.name} {{\n{body}}};\n".encode() + b"\0")

        # Name, type, flags, address, bytes, link, alignment, size of an entry.
        sections = [
            (".text", 1, 6, _PAGE, code, 0, 16, 0),
            (".probes", 1, 3, _PAGE + self._data, semaphores, 0, 2, 0),
            (".note.stapsdt", 7, 0, 0, notes, 0, 4, 0),
            (".note.dtrace", 7, 0, 0, definition, 0, 4, 0),
            (".symtab", 2, 0, 0, symbols, 6, 8, 24),
            (".strtab", 3, 0, 0, names.data, 0, 1, 0),
        ]
        shown = _Strings()
        entries = [shown.add(s[0]) for s in sections] + [shown.add(".shstrtab")]
        sections.append((".shstrtab", 3, 0, 0, shown.data, 0, 1, 0))
        out = bytearray(_PAGE)
        table = bytes(64)
        for name, (_, kind, flags, address, data, link, align, entry) in zip(entries, sections):
            out += bytes((address or (len(out) + -len(out) % align)) - len(out))
            table += struct.pack("<IIQQQQIIQQ", name, kind, flags, address, len(out), len(data), link, 1 if link else 0, align, entry)
            out += data
        out += bytes(-len(out) % 8)
        loads = [(5, _PAGE, len(code)), (6, _PAGE + self._data, len(semaphores))]
        heads = b"".join(struct.pack("<IIQQQQQQ", 1, flags, at, at, at, size, size, _PAGE) for flags, at, size in loads)
        ident = b"\x7fELF\x02\x01\x01" + bytes(9)
        out[:64] = ident + struct.pack(
            "<HHIQQQIHHHHHH", 3, number, 1, 0, 64, len(out), 0, 64, 56, len(loads), 64, len(sections) + 1, len(sections)
        )
        out[64 : 64 + len(heads)] = heads
        return bytes(out + table), len(code)


_SIZES = {"char": 1, "int8_t": 1, "uint8_t": 1, "bool": 1, "short": 2, "int16_t": 2, "uint16_t": 2}
_SIZES.update({"int": 4, "unsigned": 4, "int32_t": 4, "uint32_t": 4, "pid_t": 4, "uid_t": 4})


def _bytes_of(declared):
    """Bytes of an argument, negative if it has a sign; 8 for what is not known by name."""
    words = re.findall(r"\w+", declared)
    if "*" in declared or "[" in declared:
        return 8
    if "long" in words:
        return 8 if "unsigned" in words else -8
    size = next((_SIZES[w] for w in words if w in _SIZES and w != "unsigned"), 4 if "unsigned" in words else 8)
    unsigned = any(w.startswith("u") and w != "uid_t" or w in ("uid_t", "bool", "size_t") for w in words[:-1] or words)
    return size if unsigned or size == 8 and "int64_t" not in words else -size


def _map(descriptor, length, protection, offset):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
    address = libc.mmap(None, length, protection, mmap.MAP_PRIVATE, descriptor, offset)
    return None if address == ctypes.c_void_p(-1).value else address


def _remove(path, owner):
    # Forked children leave the file to who made it.
    if os.getpid() == owner:
        try:
            os.unlink(path)
        except OSError:
            pass
