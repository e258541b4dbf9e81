"""Whose code runs: starting in a repository runs no file of it, as far as a program can see to that."""

import os
import shutil
import subprocess
import sys
import unittest
import venv

from tests.security.test_sealed_starts import requests
from tests.support import PROJECT, Repository, environment, record

#: Runs nothing that the program could do without: what was run leaves its name, and the start fails.
PLANTED = "open(%r, 'w').close()\nraise SystemExit('planted')\n"
SCRIPT = "import sys\nfrom adrkit_mcp.__main__ import main\nsys.exit(main())\n"


def library_names():
    """The names of all modules of the standard library, on any Python."""
    names = set(getattr(sys, "stdlib_module_names", sys.builtin_module_names))
    library = os.path.dirname(os.__file__)
    for entry in os.scandir(library):
        if entry.name.endswith(".py") or os.path.isfile(os.path.join(entry.path, "__init__.py")):
            names.add(entry.name.partition(".")[0])
    extensions = os.path.join(library, "lib-dynload")
    if os.path.isdir(extensions):
        names.update(name.partition(".")[0] for name in os.listdir(extensions))
    return names


class CodeOriginTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.repository = Repository(cls).add(record())
        base = cls.repository.base
        cls.marks = os.path.join(base, "marks")
        os.mkdir(cls.marks)
        cls.clone = os.path.join(base, "clone")
        shutil.copytree(os.path.join(PROJECT, "adrkit_mcp"), os.path.join(cls.clone, "adrkit_mcp"))
        subprocess.run(
            [sys.executable, "-m", "adrkit_mcp.pack", base],
            cwd=PROJECT,
            env=environment(),
            check=True,
        )
        cls.archive = os.path.join(base, "adrkit-mcp.pyz")
        home = os.path.join(base, "venv")
        venv.create(home, symlinks=os.name == "posix")
        folder = os.path.join(home, "Scripts" if os.name == "nt" else "bin")
        cls.python = os.path.join(folder, os.path.basename(sys.executable))
        packages = next(path for path, _, _ in os.walk(home) if path.endswith("site-packages"))
        with open(os.path.join(packages, "adrkit_mcp.pth"), "w") as file:
            file.write(cls.clone + "\n")
        cls.script = os.path.join(folder, "adrkit-mcp")
        with open(cls.script, "w") as file:
            file.write(SCRIPT)

    @classmethod
    def addCleanup(cls, function, *arguments, **options):
        cls.addClassCleanup(function, *arguments, **options)

    def setUp(self):
        self.planted = []

    def plant(self, names, folder=""):
        """Python files of these names in a folder of the repository, until the test ends."""
        folder = os.path.join(self.repository.root, folder)
        os.makedirs(folder, exist_ok=True)
        for name in names:
            with open(os.path.join(folder, name + ".py"), "w") as file:
                file.write(PLANTED % os.path.join(self.marks, name))
            self.planted.append(file.name)

    def tearDown(self):
        while self.planted:
            os.remove(self.planted.pop())

    def marked(self):
        """What planted files have run since this was asked last."""
        names = os.listdir(self.marks)
        for name in names:
            os.remove(os.path.join(self.marks, name))
        return names

    def starts(self, *options):
        """The ways to start the program with options of the interpreter: title -> command."""
        return {
            "single file": [self.python, *options, self.archive],
            "console script": [self.python, *options, self.script],
            "module": [self.python, *options, "-m", "adrkit_mcp"],
        }

    def run_in_repository(self, command, variables):
        clean = {key: value for key, value in environment().items() if key[:6] != "PYTHON"}
        return subprocess.run(
            command,
            input=requests(),
            capture_output=True,
            cwd=self.repository.root,
            env=dict(clean, **variables),
            timeout=60,
        )

    def assertRunsNothing(self, command, **variables):
        with self.subTest(command=command, **variables):
            ended = self.run_in_repository(command, variables)
            self.assertEqual(self.marked(), [])
            self.assertEqual((ended.returncode, ended.stderr), (0, b""))
            self.assertIn(b'"recordCount":1', ended.stdout)

    def loaded_before(self):
        """Names of modules that Python, and what this machine's site adds, load before a module of `-m`."""
        folder = os.path.join(self.repository.base, "probe")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "probe.py"), "w") as file:
            file.write("import sys\nprint(*sys.modules)\n")
        ended = subprocess.run(
            [self.python, "-m", "probe"],
            cwd=folder,
            capture_output=True,
            check=True,
            encoding="utf-8",
        )
        return {name.partition(".")[0] for name in ended.stdout.split()}

    def test_isolated(self):
        """With `-I` nothing planted runs, whatever it is called and wherever PYTHONPATH leads."""
        self.plant({*library_names(), "sitecustomize", "usercustomize", "adrkit_mcp"})
        for command in self.starts("-I").values():
            self.assertRunsNothing(command)
            self.assertRunsNothing(command, PYTHONPATH=os.curdir)

    def test_single_file_and_console_script(self):
        """They put their own folder in front of the path, not the current one."""
        self.plant({*library_names(), "sitecustomize", "usercustomize", "adrkit_mcp"})
        starts = self.starts()
        self.assertRunsNothing(starts["single file"])
        self.assertRunsNothing(starts["console script"])

    @unittest.skipIf(sys.version_info < (3, 11), "-P came with 3.11")
    def test_module_without_the_current_directory(self):
        self.plant({*library_names(), "sitecustomize", "usercustomize", "adrkit_mcp"})
        self.assertRunsNothing(self.starts("-P")["module"])
        self.assertRunsNothing(self.starts()["module"], PYTHONSAFEPATH="1")

    def test_module(self):
        """`-m` alone looks into the current directory first: safe is what is imported from `main` on."""
        self.plant(library_names() - self.loaded_before())
        self.assertRunsNothing(self.starts()["module"])

    def test_python_path(self):
        """The same holds for each start when PYTHONPATH leads into the repository."""
        self.plant(library_names() - self.loaded_before())
        for command in self.starts().values():
            self.assertRunsNothing(command, PYTHONPATH=os.curdir)
            self.assertRunsNothing(command, PYTHONPATH=os.pathsep)

    def test_python_path_of_a_subfolder(self):
        self.plant(library_names() - self.loaded_before(), "src")
        for command in self.starts().values():
            self.assertRunsNothing(command, PYTHONPATH="src")

    def assertRuns(self, name, command, **variables):
        with self.subTest(name, command=command):
            self.plant([name])
            self.run_in_repository(command, variables)
            self.tearDown()
            self.assertEqual(self.marked(), [name])

    def test_what_no_program_can_prevent(self):
        """Why the README recommends `-I`: these run before the first line of any program."""
        for command in self.starts().values():
            self.assertRuns("sitecustomize", command, PYTHONPATH=os.curdir)
        module = self.starts()["module"]
        self.assertRuns("adrkit_mcp", module)
        if sys.version_info < (3, 11):
            self.assertRuns("runpy", module)


if __name__ == "__main__":
    unittest.main()
