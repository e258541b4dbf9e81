"""What a tool call could try that the seal refuses: name -> function of a `Place`.

The modules are imported here, so that an attack is the act itself and not its import.
"""
# ruff: noqa: SIM115

import codecs
import ctypes
import dbm.dumb
import fileinput
import glob
import gzip
import http.client
import importlib.machinery
import importlib.util
import io
import linecache
import mmap
import multiprocessing
import multiprocessing.util
import os
import pathlib
import runpy
import shelve
import shutil
import signal
import socket
import sqlite3
import ssl
import stat
import subprocess
import sys
import tempfile
import threading
import tokenize
import urllib.request
import webbrowser
import zipfile
import zipimport

from adrkit_mcp.corpus.roots import READ_DIRECTORY, READ_FILE

try:
    import fcntl
    import pty
    import resource
    import syslog
except ImportError:  # Windows
    fcntl = pty = resource = syslog = None

ADDRESS = ("127.0.0.1", 9)


class Place:
    """Where an attack finds its victims: paths in a repository, in its corpus and outside."""

    def __init__(self, base):
        self.base = base
        self.root = os.path.join(base, "repo")
        self.corpus = os.path.join(self.root, "docs", "adr")
        self.record = os.path.join(self.corpus, "0001-record.md")
        self.link = os.path.join(self.corpus, "0009-link.md")  # leads to `secret`
        self.outside = os.path.join(base, "outside")
        self.secret = os.path.join(self.outside, "secret.txt")
        self.folder = os.path.join(self.outside, "folder")
        self.certificate = os.path.join(self.outside, "certificate.pem")
        self.new = os.path.join(self.outside, "new")
        self.module = os.path.join(self.root, "planted.py")
        self.archive = os.path.join(self.root, "planted.zip")
        self.extension = os.path.join(self.root, "planted.so")
        self.reading = None  # in an attack while the corpus is read, what the seal is told


class Changing:
    """A path that is another each time it is asked for."""

    def __init__(self, *paths):
        self._paths = list(paths)

    def __fspath__(self):
        return self._paths.pop(0) if len(self._paths) > 1 else self._paths[0]


class Lying(str):
    """A string that says it equals anything."""

    def __eq__(self, other):
        return True

    def __hash__(self):
        return hash("/dev/null")


def open_through(flags):
    return lambda at: os.open(at.new if flags & os.O_CREAT else at.secret, flags)


def import_from(at):
    sys.path.insert(0, at.root)
    sys.path_importer_cache.clear()
    try:
        __import__("planted")
    finally:
        sys.path.remove(at.root)


def load_from(at):
    spec = importlib.util.spec_from_file_location("planted", at.module)
    spec.loader.exec_module(importlib.util.module_from_spec(spec))


def load_extension(at):
    loader = importlib.machinery.ExtensionFileLoader("planted", at.extension)
    spec = importlib.util.spec_from_file_location("planted", at.extension, loader=loader)
    loader.create_module(spec)


NETWORK = {
    "TCP socket": lambda at: socket.socket(),
    "UDP socket": lambda at: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
    "IPv6 socket": lambda at: socket.socket(socket.AF_INET6),
    "socket of a descriptor": lambda at: socket.socket(fileno=0),
    "socket.socketpair": lambda at: socket.socketpair(),
    "socket.create_connection": lambda at: socket.create_connection(ADDRESS),
    "socket.create_server": lambda at: socket.create_server(("127.0.0.1", 0)),
    "socket.getaddrinfo": lambda at: socket.getaddrinfo("localhost", 80),
    "socket.gethostbyname": lambda at: socket.gethostbyname("localhost"),
    "socket.gethostbyname_ex": lambda at: socket.gethostbyname_ex("localhost"),
    "socket.gethostbyaddr": lambda at: socket.gethostbyaddr("127.0.0.1"),
    "socket.getnameinfo": lambda at: socket.getnameinfo(ADDRESS, 0),
    "socket.getservbyname": lambda at: socket.getservbyname("http"),
    "socket.gethostname": lambda at: socket.gethostname(),
    "http.client": lambda at: http.client.HTTPConnection(*ADDRESS).request("GET", "/"),
    "urllib": lambda at: urllib.request.build_opener().open("http://127.0.0.1:9/"),
    "ssl": lambda at: ssl.create_default_context().wrap_socket(socket.socket()),
}
PROCESSES = {
    "subprocess.run": lambda at: subprocess.run([sys.executable, "-c", ""]),
    "subprocess with a shell": lambda at: subprocess.run("true", shell=True),
    "subprocess.check_output": lambda at: subprocess.check_output([sys.executable, "--version"]),
    "os.system": lambda at: os.system("true"),
    "os.popen": lambda at: os.popen("true"),
    "os.execv": lambda at: os.execv(sys.executable, [sys.executable, "-c", ""]),
    "os.execve": lambda at: os.execve(sys.executable, [sys.executable, "-c", ""], {}),
    "os.execvp": lambda at: os.execvp("true", ["true"]),
    "os.spawnv": lambda at: os.spawnv(os.P_WAIT, sys.executable, [sys.executable, "-c", ""]),
    "os.kill": lambda at: os.kill(os.getpid(), 0),
    "webbrowser": lambda at: webbrowser.get(sys.executable + " %s").open("x"),
}
FOREIGN_CODE = {
    "ctypes.CDLL": lambda at: ctypes.CDLL(None),
    "ctypes.pythonapi": lambda at: ctypes.pythonapi.Py_GetVersion,
    "ctypes.string_at": lambda at: ctypes.string_at(id(at), 1),
    "ctypes.memory": lambda at: ctypes.c_char.from_address(id(at)).value,
    "extension module": load_extension,
}
WRITES = {
    **{
        "open with " + mode: lambda at, mode=mode: open(
            at.new if mode[0] in "wx" else at.secret, mode
        )
        for mode in ("w", "wb", "a", "ab", "x", "xb", "r+", "rb+", "w+", "a+", "x+")
    },
    "open beside a record": lambda at: open(os.path.join(at.corpus, "0002-new.md"), "x"),
    "open a record for writing": lambda at: open(at.record, "r+"),
    "open a descriptor for writing": lambda at: open(1, "w", closefd=False),
    "open in the library": lambda at: open(os.path.join(os.path.dirname(os.__file__), "x.py"), "x"),
    "open with O_WRONLY": open_through(os.O_WRONLY),
    "open with O_RDWR": open_through(os.O_RDWR),
    "open with O_CREAT": open_through(os.O_RDONLY | os.O_CREAT),
    "open with O_EXCL": open_through(os.O_WRONLY | os.O_CREAT | os.O_EXCL),
    "open with O_TRUNC": open_through(os.O_RDONLY | os.O_TRUNC),
    "open with O_APPEND": open_through(os.O_RDONLY | os.O_APPEND),
    "io.FileIO": lambda at: io.FileIO(at.new, "w"),
    "io.FileIO r+": lambda at: io.FileIO(at.secret, "r+"),
    "codecs.open": lambda at: codecs.open(at.new, "w"),
    "an opener": lambda at: open(at.new, "w", opener=lambda path, flags: os.open(path, flags)),
    "pathlib write_text": lambda at: pathlib.Path(at.new).write_text("x"),
    "pathlib touch": lambda at: pathlib.Path(at.new).touch(),
    "pathlib touch of what is there": lambda at: pathlib.Path(at.secret).touch(),
    "pathlib mkdir": lambda at: pathlib.Path(at.new).mkdir(),
    "pathlib unlink": lambda at: pathlib.Path(at.secret).unlink(),
    "pathlib rename": lambda at: pathlib.Path(at.secret).rename(at.new),
    "pathlib chmod": lambda at: pathlib.Path(at.secret).chmod(0o777),
    "os.remove": lambda at: os.remove(at.secret),
    "os.remove of a record": lambda at: os.remove(at.record),
    "os.unlink": lambda at: os.unlink(at.secret),
    "os.rename": lambda at: os.rename(at.secret, at.new),
    "os.renames": lambda at: os.renames(at.secret, at.new),
    "os.replace": lambda at: os.replace(at.secret, at.new),
    "os.rmdir": lambda at: os.rmdir(at.folder),
    "os.removedirs": lambda at: os.removedirs(at.folder),
    "os.mkdir": lambda at: os.mkdir(at.new),
    "os.makedirs": lambda at: os.makedirs(os.path.join(at.new, "new")),
    "os.chmod": lambda at: os.chmod(at.secret, 0o777),
    "os.link": lambda at: os.link(at.secret, at.new),
    "os.symlink": lambda at: os.symlink(at.secret, at.new),
    "os.truncate": lambda at: os.truncate(at.secret, 0),
    "os.ftruncate": lambda at: os.ftruncate(2, 0),
    "os.utime": lambda at: os.utime(at.secret, (0, 0)),
    "os.chdir": lambda at: os.chdir(at.outside),
    "shutil.copy": lambda at: shutil.copy(at.record, at.new),
    "shutil.move": lambda at: shutil.move(at.secret, at.new),
    "shutil.rmtree": lambda at: shutil.rmtree(at.folder),
    "shutil.copystat": lambda at: shutil.copystat(at.record, at.secret),
    "tempfile.TemporaryFile": lambda at: tempfile.TemporaryFile(),
    "tempfile.NamedTemporaryFile": lambda at: tempfile.NamedTemporaryFile(dir=at.outside),
    "tempfile.SpooledTemporaryFile": lambda at: tempfile.SpooledTemporaryFile().rollover(),
    "tempfile.mkstemp": lambda at: tempfile.mkstemp(dir=at.outside),
    "tempfile.mkdtemp": lambda at: tempfile.mkdtemp(dir=at.outside),
    "gzip": lambda at: gzip.open(at.new, "w"),
    "zipfile": lambda at: zipfile.ZipFile(at.new, "w"),
    "dbm.dumb": lambda at: dbm.dumb.open(at.new, "n"),
    "shelve": lambda at: shelve.DbfilenameShelf(at.new, "n"),
    "sqlite3": lambda at: sqlite3.connect(at.new),
    "sqlite3 in memory": lambda at: sqlite3.connect(":memory:"),
    "mmap": lambda at: mmap.mmap(-1, 4096),
}
READS = {
    "open": lambda at: open(at.secret),
    "open for bytes": lambda at: open(at.secret, "rb"),
    "os.open": lambda at: os.open(at.secret, os.O_RDONLY),
    "io.open_code": lambda at: io.open_code(at.secret),
    "io.FileIO for reading": lambda at: io.FileIO(at.secret),
    "pathlib read_text": lambda at: pathlib.Path(at.secret).read_text(),
    "tokenize": lambda at: tokenize.open(at.secret),
    "fileinput": lambda at: next(iter(fileinput.FileInput(at.secret))),
    "linecache": lambda at: linecache.getline(at.secret, 1),
    "bytes path": lambda at: open(os.fsencode(at.secret)),
    "bytes path of a record": lambda at: open(os.fsencode(at.record)),
    "path object": lambda at: os.open(pathlib.Path(at.secret), os.O_RDONLY),
    "changing path object": lambda at: os.open(Changing(at.secret, os.__file__), os.O_RDONLY),
    "lying string": lambda at: os.open(Lying(at.secret), os.O_RDONLY),
    "lying string for writing": lambda at: os.open(Lying(at.secret), os.O_RDWR),
    "file of the repository": lambda at: open(os.path.join(at.root, "planted.py")),
    "file in .git": lambda at: open(os.path.join(at.root, ".git", "config")),
    "file beside the corpus": lambda at: open(os.path.join(at.root, "docs", "plan.md")),
    "a name that the corpus's starts": lambda at: open(at.corpus + "-private/0001-record.md"),
    "dots": lambda at: open(os.path.join(at.corpus, "..", "plan.md")),
    "dots behind the library": lambda at: open(
        os.path.join(os.path.dirname(os.__file__), *[os.pardir] * 20, at.secret.lstrip(os.sep))
    ),
    "bare name": lambda at: open("planted.py"),
    "bare name with the flags of a record": lambda at: os.open("planted.py", READ_FILE),
    "relative path": lambda at: open(os.path.join("docs", "plan.md")),
    "empty path": lambda at: os.open("", os.O_RDONLY),
    "current folder": lambda at: os.open(os.curdir, os.O_RDONLY),
    "descriptor": lambda at: open(0, closefd=False),
    "site-packages": lambda at: open(
        os.path.join(os.path.dirname(os.__file__), "site-packages", "README.txt")
    ),
    "os.listdir": lambda at: os.listdir(at.outside),
    "os.listdir of the current folder": lambda at: os.listdir(),
    "os.listdir of bytes": lambda at: os.listdir(os.fsencode(at.outside)),
    "os.scandir": lambda at: os.scandir(at.outside),
    "os.walk": lambda at: list(os.walk(at.outside)),
    "glob": lambda at: glob.glob(os.path.join(glob.escape(at.outside), "*")),
    "pathlib iterdir": lambda at: list(pathlib.Path(at.outside).iterdir()),
    "runpy": lambda at: runpy.run_path(at.module),
    "import from the repository": import_from,
    "module of a path": load_from,
    "zipimport": lambda at: zipimport.zipimporter(at.archive),
}
if os.name == "posix":
    NETWORK["Unix socket"] = lambda at: socket.socket(socket.AF_UNIX)
    PROCESSES.update({
        "os.fork": lambda at: os.fork() or os._exit(0),
        "os.forkpty": lambda at: os.forkpty()[0] or os._exit(0),
        "os.posix_spawn": lambda at: os.posix_spawn("/bin/true", ["true"], {}),
        "os.posix_spawnp": lambda at: os.posix_spawnp("true", ["true"], {}),
        "os.spawnvp": lambda at: os.spawnvp(os.P_NOWAIT, "true", ["true"]),
        "os.killpg": lambda at: os.killpg(os.getpgrp(), 0),
        "pty.spawn": lambda at: pty.spawn(["true"]),
        "pty.fork": lambda at: pty.fork()[0] or os._exit(0),
        "multiprocessing": lambda at: (
            multiprocessing.get_context("fork").Process(target=int).start()
        ),
        "signal.pthread_kill": lambda at: signal.pthread_kill(1, 0),
    })  # fmt: skip
    WRITES.update({
        "os.chown": lambda at: os.chown(at.secret, -1, -1),
        "os.lchown": lambda at: os.lchown(at.secret, -1, -1),
        "os.fchown": lambda at: os.fchown(0, -1, -1),
        "os.fchmod": lambda at: os.fchmod(0, 0o777),
        "os.fchdir": lambda at: os.fchdir(at.held),
        "os.lockf": lambda at: os.lockf(2, os.F_TEST, 0),
        "fcntl": lambda at: fcntl.fcntl(0, fcntl.F_GETFL),
        "fcntl.flock": lambda at: fcntl.flock(0, fcntl.LOCK_SH),
        "os.mkdir by descriptor": lambda at: os.mkdir("new", dir_fd=at.held),
        "os.open to write by descriptor": lambda at: os.open("new", os.O_CREAT, dir_fd=at.held),
        "os.unlink by descriptor": lambda at: os.unlink("secret.txt", dir_fd=at.held),
        "resource": lambda at: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)),
        "syslog": lambda at: syslog.syslog("x"),
    })  # fmt: skip
    READS.update({
        "/etc/passwd": lambda at: open("/etc/passwd"),
        "link in the corpus": lambda at: open(at.link),
        "file by descriptor": lambda at: os.open("secret.txt", os.O_RDONLY, dir_fd=at.held),
        "list by descriptor": lambda at: os.listdir(at.held),
        "scan by descriptor": lambda at: os.scandir(at.held),
    })  # fmt: skip
if sys.platform == "linux":
    WRITES.update({
        "open with O_TMPFILE": lambda at: os.open(at.outside, os.O_TMPFILE | os.O_RDWR),
        "os.setxattr": lambda at: os.setxattr(at.secret, "user.x", b"x"),
        "os.removexattr": lambda at: os.removexattr(at.secret, "user.x"),
    })  # fmt: skip
    READS.update({
        "/proc/self/environ": lambda at: open("/proc/self/environ"),
        "/proc/self/mem": lambda at: open("/proc/self/mem", "rb"),
        "/proc/self/fd": lambda at: os.listdir("/proc/self/fd"),
        "/dev/stdin": lambda at: open("/dev/stdin"),
        "open with O_PATH": lambda at: os.open(at.outside, os.O_PATH),
        "os.getxattr": lambda at: os.getxattr(at.secret, "user.x"),
        "os.listxattr": lambda at: os.listxattr(at.secret),
    })  # fmt: skip
if hasattr(sys, "remote_exec"):
    FOREIGN_CODE["sys.remote_exec"] = lambda at: sys.remote_exec(os.getpid(), at.module)

#: Tried while the corpus is being read, when some of it may be opened.
READS_WHILE_LOADING = {
    "bare name while loading": lambda at: os.open("planted.py", os.O_RDONLY),
    "bare name, no link followed": lambda at: os.open("planted.py", READ_FILE),
    "bare name of a record": lambda at: open("0001-record.md"),
    "bare name of a record with its flags": lambda at: os.open("0001-record.md", READ_FILE),
    "the opened record for writing": lambda at: os.open(at.reading.file, READ_FILE | os.O_CREAT),
    "parent by descriptor": lambda at: os.open(os.pardir, READ_DIRECTORY),
    "relative path while loading": lambda at: open("docs/plan.md"),
    "link in the corpus while loading": lambda at: open(at.link),
    "link in the corpus by name": lambda at: os.open("0009-link.md", READ_FILE),
    "dots while loading": lambda at: open(os.path.join(at.corpus, "..", "plan.md")),
    "record for writing while loading": lambda at: open(at.record, "r+"),
    "record created while loading": lambda at: os.open("0002-new.md", os.O_CREAT),
    "/etc/passwd while loading": lambda at: open("/etc/passwd"),
    "listing while loading": lambda at: os.listdir(at.root),
}
if os.name == "posix":  # elsewhere it is a whole path, which may be opened in any case
    READS_WHILE_LOADING["the opened record with other flags"] = lambda at: os.open(
        at.reading.file, os.O_RDONLY
    )


def swallow(at):
    try:
        open(at.secret)
    except Exception:
        pass


def add_hook(at):
    events = []
    sys.addaudithook(lambda event, arguments: events.append(event))
    open(os.__file__).close()
    assert not events


#: Refused and told, although no error comes out of them.
SWALLOWED = {"swallowed": swallow, "another hook": add_hook}


def change_the_seal(at):
    """Code in the process can take apart what guards it: here, how real paths are found."""
    realpath, os.path.realpath = os.path.realpath, lambda path: os.__file__
    try:
        open(at.secret).close()
    finally:
        os.path.realpath = realpath


#: What the interpreter raises no event for, or what code gets round that means to.
UNSEEN = {
    "os.stat": lambda at: os.stat(at.secret),
    "os.access": lambda at: os.access(at.secret, os.R_OK),
    "os.environ": lambda at: os.environ.update(ADRKIT_MCP_TEST="x"),
    "write to an inherited descriptor": lambda at: os.write(2, b""),
    "thread": lambda at: threading.Thread(target=int).start(),
    "certificates": lambda at: ssl.create_default_context(cafile=at.certificate),
    "change the seal": change_the_seal,
}
if os.name == "posix":
    UNSEEN.update({
        "os.readlink": lambda at: os.readlink(at.link),
        "os.mkfifo": lambda at: os.mkfifo(at.new + "-fifo"),
        "what subprocess starts with": lambda at: os.waitpid(
            multiprocessing.util.spawnv_passfds(b"/bin/true", ["true"], ()), 0
        ),
    })  # fmt: skip
if sys.platform == "linux":
    UNSEEN["os.mknod"] = lambda at: os.mknod(at.new + "-node", 0o600 | stat.S_IFREG)

IN_A_CALL = {**NETWORK, **PROCESSES, **FOREIGN_CODE, **WRITES, **READS, **SWALLOWED, **UNSEEN}
#: Modules that a sealed process that has not loaded them yet cannot import.
MODULES = (
    "socket ssl asyncio http.client urllib.request ctypes subprocess multiprocessing.shared_memory"
    " multiprocessing.popen_spawn_posix multiprocessing.synchronize sqlite3 dbm.ndbm dbm.gnu tkinter curses"
    " readline pip setuptools planted"
).split()
