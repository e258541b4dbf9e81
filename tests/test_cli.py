import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
from unittest import mock

from adrkit_mcp import __version__, cli
from tests.support import (
    COMMAND,
    HAS_PERMISSIONS,
    PROJECT,
    Client,
    Repository,
    accepted,
    environment,
    governing,
    own_repository,
    record,
    run,
)

HELLO = json.dumps({
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "0"},
    },
})  # fmt: skip


class CommandLineTest(unittest.TestCase):
    def setUp(self):
        self.repository = Repository(self)

    def assertUnusable(self, done, *told):
        """Exit 1, one line on stderr, and nothing on stdout."""
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
        (line,) = done.stderr.splitlines()
        self.assertTrue(line.startswith("adrkit-mcp: "), line)
        for words in told:
            self.assertIn(words, line)


class HelpTest(CommandLineTest):
    def test_is_printed_and_needs_no_repository(self):
        for words in (["--help"], ["-h"], ["call", "--help"], ["--cwd", "/nowhere", "--help"]):
            with self.subTest(words):
                done = run(*words)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                for word in ("--cwd", "--dir", "ADRKIT_MCP_CWD", "ADRKIT_MCP_DIR", "call", "lint"):
                    self.assertIn(word, done.stdout)

    def test_fits_a_terminal(self):
        self.assertLessEqual(max(map(len, run("--help").stdout.splitlines())), 120)

    def test_version_is_the_package_s(self):
        done = run("--version")
        self.assertEqual(
            (done.returncode, done.stdout, done.stderr), (0, "adrkit-mcp %s\n" % __version__, "")
        )


class UsageTest(CommandLineTest):
    def test_errors_are_exit_2(self):
        for words, told in [
            (["--nope"], "unknown option '--nope'"),
            (["-x"], "unknown option '-x'"),
            (["--cwd"], "--cwd needs a value"),
            (["--cwd="], "--cwd needs a value"),
            (["--dir", ""], "--dir needs a value"),
            (["--cwd", "--dir", "x"], "--cwd needs a value, got '--dir'"),
            (["--help=yes"], "--help takes no value"),
            (["nonsense"], "unknown command 'nonsense'"),
            (["serve", "x"], "unknown command"),
            (["--text"], "--text does not go with serve"),
            (["--format", "json"], "--format does not go with serve"),
            (["lint", "--text"], "--text does not go with lint"),
            (["lint", "--format", "xml"], "--format: expected one of text, json, github"),
            (["lint", "docs/adr"], "lint takes no 'docs/adr': the directory is --dir"),
            (["call"], "call takes a tool"),
            (["call", "nope"], "get_decision, get_decision_context, list_superseded"),
            (["call", "list_superseded", "{", "x"], "call takes a tool"),
            (["call", "list_superseded", "{"], "not JSON"),
            (["call", "list_superseded", "[]"], "not a JSON object"),
            (["call", "list_superseded", "null"], "not a JSON object"),
            (["call", "list_superseded", '{"limit": 0}'], "limit: expected a whole number"),
            (["call", "search_decisions"], "query: is missing"),
            (["\udcff\n\x1b[31m" + "x" * 200], "unknown command"),
        ]:
            with self.subTest(words):
                code, message = self.complaint(words)
                self.assertEqual(code, 2)
                message, usage = message.splitlines()
                self.assertIn(told, message)
                self.assertTrue(usage.startswith("usage: adrkit-mcp "), usage)

    def complaint(self, words):
        """(exit code, what is written to stderr) of a run in this process, which is not sealed then."""
        said = []
        with (
            mock.patch.object(cli, "complain", said.append),
            mock.patch("adrkit_mcp.commands.seal"),
            mock.patch.object(os, "write", self.fail),
        ):
            code = cli.main(["--cwd", self.repository.root, *words])
        return code, "\n".join(said)

    def test_errors_go_to_stderr(self):
        for words in (["--nope"], ["call", "list_superseded", '{"limit": 0}']):
            with self.subTest(words):
                done = self.repository.command(*words)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertEqual(done.stderr.count("\n"), 2)
                self.assertTrue(done.stderr.startswith("adrkit-mcp: "))

    def test_errors_are_told_before_an_unusable_root(self):
        done = run("--cwd", "/nowhere", "--nope")
        self.assertEqual(done.returncode, 2)

    def test_a_value_may_be_joined_and_then_look_like_a_flag(self):
        os.mkdir(os.path.join(self.repository.root, "--adr"))
        self.assertEqual(self.repository.command("--dir=--adr", "lint").returncode, 0)
        self.assertEqual(self.repository.command("lint", "--format=json").returncode, 0)

    def test_the_last_of_a_repeated_flag_counts(self):
        done = self.repository.command("--dir", "nowhere", "--dir", "docs/adr", "lint")
        self.assertEqual(done.returncode, 0)


class SettingsTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        for directory in ("one", "two", "three"):
            os.mkdir(os.path.join(self.repository.root, directory))
            source = record("000%d" % len(directory), "Use " + directory)
            self.repository.write("../../%s/0001-x.md" % directory, source)

    def path(self, *words, **options):
        """The source path of the first record that is found."""
        done = run(*words, "call", "search_decisions", '{"query": "use"}', **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["result"]["items"][0]["sourcePath"]

    def test_flags_win_over_variables_and_these_over_defaults(self):
        root = self.repository.root
        self.repository.add(record("0001", "Use default"))
        default = "docs/adr/0001-record.md"
        self.assertEqual(self.path(cwd=root), default)
        self.assertEqual(self.path("--cwd", root), default)
        self.assertEqual(self.path(ADRKIT_MCP_CWD=root), default)
        self.assertEqual(self.path(ADRKIT_MCP_CWD=root, ADRKIT_MCP_DIR="one"), "one/0001-x.md")
        self.assertEqual(self.path("--dir", "two", cwd=root, ADRKIT_MCP_DIR="one"), "two/0001-x.md")
        self.assertEqual(
            self.path("--cwd", root, "--dir=three", ADRKIT_MCP_CWD="/nowhere", ADRKIT_MCP_DIR="/"),
            "three/0001-x.md",
        )

    def test_an_empty_variable_counts_as_not_set(self):
        self.repository.add(record("0001", "Use default"))
        root = self.repository.root
        self.assertEqual(
            self.path(cwd=root, ADRKIT_MCP_CWD="", ADRKIT_MCP_DIR=""), "docs/adr/0001-record.md"
        )

    def test_no_other_variable_is_needed(self):
        self.repository.add(record("0001", "Use default"))
        done = subprocess.run(
            [sys.executable, "-I", "-c", "import sys; sys.path.insert(0, %r); import runpy; "
             "sys.argv = ['x', '--cwd', %r, 'lint']; runpy.run_module('adrkit_mcp', run_name='__main__')"
             % (PROJECT, self.repository.root)],
            env={},
            capture_output=True,
        )  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (0, b""))


class DiagnosisTest(CommandLineTest):
    def test_is_one_line_whatever_the_placeholder(self):
        done = run("--cwd", "/x/${a\nb\x1b[31mX}")
        self.assertUnusable(done, "--cwd is the literal text")
        self.assertTrue(done.stderr[:-1].isprintable())

    """Each failure of start-up is one line that says what was tried, who set it, and what to do."""

    def serve(self, *words, **options):
        return run(*words, input=HELLO, **options)

    def test_a_root_that_is_not_there(self):
        self.assertUnusable(
            self.serve("--cwd", "/nowhere/repo"),
            "root-not-found",
            "tried /nowhere/repo (from --cwd)",
            "ADRKIT_MCP_CWD",
        )
        self.assertUnusable(self.serve(ADRKIT_MCP_CWD="/nowhere"), "(from ADRKIT_MCP_CWD)")

    def test_a_root_that_is_a_file(self):
        path = self.repository.write("file")
        self.assertUnusable(self.serve("--cwd", path), "root-not-directory")

    def test_a_root_without_git(self):
        self.assertUnusable(
            self.serve(cwd="/"), "root-not-git", "tried / (by default)", "--cwd", "ADRKIT_MCP_CWD"
        )

    def test_a_subfolder_of_a_repository(self):
        root = self.repository.root
        self.assertUnusable(
            self.serve(cwd=self.repository.path()),
            "root-not-git",
            "%s holds a .git" % root,
            "--cwd %s" % root,
            "ADRKIT_MCP_CWD",
        )

    def test_a_placeholder_that_the_client_did_not_expand(self):
        for literal in ("${workspaceFolder}", "$PWD", "%CD%", "~", "${workspaceFolder}/app"):
            name = literal.partition("/")[0]
            with self.subTest(literal):
                self.assertUnusable(
                    self.serve("--cwd", literal),
                    "--cwd is the literal text %s" % name,
                    "absolute path",
                )
                self.assertUnusable(
                    self.serve(ADRKIT_MCP_CWD=literal), "ADRKIT_MCP_CWD is the literal text " + name
                )
        self.assertUnusable(
            self.serve("--cwd", self.repository.root, "--dir", "${adr}"),
            "--dir is the literal text ${adr}",
        )

    def test_no_placeholder_where_a_name_only_looks_like_one(self):
        for name in ("/nowhere/backup~", "/nowhere/JOHN~1/x", "/nowhere/100%/x", "/nowhere/a$/b"):
            with self.subTest(name):
                self.assertNotIn("literal", self.serve("--cwd", name).stderr)

    def test_a_current_directory_that_is_gone(self):
        gone = self.repository.path("gone")
        os.mkdir(gone)
        program = "import os, sys; os.rmdir(%r); os.execv(sys.executable, %r)" % (gone, COMMAND)
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=gone,
            env=environment(),
            capture_output=True,
            encoding="utf-8",
        )
        self.assertUnusable(done, "root-not-found", "--cwd")

    def test_a_directory_that_is_elsewhere(self):
        os.rename(self.repository.path(), os.path.join(self.repository.root, "doc-adr"))
        self.assertUnusable(
            self.serve("--cwd", self.repository.root),
            "dir-not-found",
            "tried docs/adr (by default) in " + self.repository.root,
            "--dir",
            "ADRKIT_MCP_DIR",
        )
        for directory in ("adr", "docs/decisions", "doc/adr"):
            os.makedirs(os.path.join(self.repository.root, directory))
            with self.subTest(directory):
                self.assertUnusable(
                    self.serve("--cwd", self.repository.root),
                    "%s exists: pass --dir %s" % (directory, directory),
                )

    def test_a_directory_that_is_none_or_leads_out(self):
        self.repository.write("0001-x.md")
        os.symlink("/", os.path.join(self.repository.root, "out"))
        os.symlink("loop", os.path.join(self.repository.root, "loop"))
        for directory, reason in [
            ("docs/adr/0001-x.md", "dir-not-directory"),
            ("..", "dir-outside-root"),
            ("/etc", "dir-outside-root"),
            ("out", "dir-outside-root"),
            ("loop", "dir-not-readable"),
        ]:
            with self.subTest(directory):
                done = self.repository.command("--dir", directory, input=HELLO)
                self.assertUnusable(done, reason, "tried %s (from --dir)" % directory)

    @unittest.skipUnless(HAS_PERMISSIONS, "permissions do not bind this user")
    def test_what_may_not_be_read(self):
        root, directory = self.repository.root, self.repository.path()
        for path, mode, reason in [
            (directory, 0, "dir-not-readable"),
            (os.path.dirname(directory), 0, "dir-not-readable"),
            (root, 0, "root-not-readable"),
            (root, 0o300, "root-not-readable"),
        ]:
            with self.subTest(path=path, mode=mode):
                os.chmod(path, mode)
                done = self.repository.command()
                os.chmod(path, 0o700)
                self.assertUnusable(
                    done,
                    reason,
                    "this process is uid %d" % os.getuid(),
                    "%s belongs to" % path,
                    "mode %04o" % mode,
                    "--user",
                )

    def test_a_hostile_path_stays_on_its_line(self):
        self.assertUnusable(self.serve("--cwd", "/nowhere\n\x1b[31m\udcff" + "x" * 3000))

    def test_call_and_lint_say_the_same(self):
        for words in (["call", "list_superseded"], ["lint"]):
            with self.subTest(words):
                self.assertUnusable(run("--cwd", "/nowhere", *words), "root-not-found")


class ServeTest(CommandLineTest):
    def test_ends_with_the_input_in_silence(self):
        done = self.repository.command()
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertEqual(self.repository.command("serve").returncode, 0)

    def test_answers_what_was_piped_into_it(self):
        done = self.repository.command(input=HELLO + "\n")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        (line,) = done.stdout.splitlines()
        self.assertEqual(
            json.loads(line)["result"]["serverInfo"],
            {"name": "adrkit-mcp", "version": __version__},
        )

    def test_takes_worktrees_and_submodules(self):
        git = os.path.join(self.repository.root, ".git")
        os.rmdir(git)
        with open(git, "w", encoding="utf-8") as file:
            file.write("gitdir: /nowhere/.git/worktrees/w\n")
        self.assertEqual(self.repository.command().returncode, 0)

    def test_runs_no_code_of_the_repository(self):
        for name in ("json.py", "unicodedata.py", "hashlib.py", "select.py"):
            with open(os.path.join(self.repository.root, name), "w", encoding="utf-8") as file:
                file.write("raise SystemExit('pwned')\n")
        self.repository.add(record("0001", "Caf\u00e9"))
        query = '{"query": "CAF\u00c9"}'
        done = run("call", "search_decisions", query, cwd=self.repository.root)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class CallTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.repository.add(
            accepted("0001", "Messger\u00e4t w\u00e4hlen", affects=governing("src/**"))
        )

    def test_prints_the_structured_content_as_one_line_of_json(self):
        done = self.repository.command("call", "get_decision", '{"ref": "0001"}')
        self.assertEqual((done.returncode, done.stderr, done.stdout.count("\n")), (0, "", 1))
        self.assertEqual(json.loads(done.stdout), self.repository.call("get_decision", ref="0001"))

    def test_prints_the_summary_on_request(self):
        done = self.repository.command("call", "--text", "list_superseded")
        self.assertEqual(done.stdout, "Superseded: 0 of 1 decision.\n")

    @unittest.skipUnless(hasattr(os, "openpty"), "this system has no terminals")
    def test_prints_indented_json_on_a_terminal_and_nothing_that_it_would_obey(self):
        self.repository.add(record("0002", "Caf\u00e9", "\x1b[31m\x9b31m\u202e\u2028\U000e0001\n"))
        terminal, end = os.openpty()
        with open(terminal, "rb", buffering=0) as screen, open(end, "wb", buffering=0) as out:
            subprocess.run(
                [
                    *COMMAND,
                    "--cwd",
                    self.repository.root,
                    "call",
                    "get_decision",
                    '{"ref": "0002"}',
                ],
                stdout=out,
                cwd=PROJECT,
                env=environment(),
                check=True,
            )
            shown = screen.read(65536).decode("utf-8").replace("\r\n", "\n")
        self.assertIn('\n  "result": {\n', shown)
        self.assertTrue(shown.replace("\n", "").isprintable())
        self.assertEqual(json.loads(shown), self.repository.call("get_decision", ref="0002"))

    def test_reads_arguments_from_stdin(self):
        done = self.repository.command("call", "get_decision", "-", input='{"ref": "0001"}')
        self.assertEqual(json.loads(done.stdout)["result"]["outcome"], "found")

    def test_an_outcome_that_is_no_answer_is_exit_0(self):
        for arguments in ('{"ref": "0009"}', '{"ref": "0001", "cursor": "x"}', '{"ref": "a:0001"}'):
            with self.subTest(arguments):
                self.assertEqual(
                    self.repository.command("call", "get_decision", arguments).returncode, 0
                )

    def test_does_not_depend_on_the_locale(self):
        for variables in (
            {"PYTHONIOENCODING": "cp1252"},
            {"PYTHONIOENCODING": "ascii"},
            {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
            {"TZ": "Pacific/Kiritimati"},
        ):
            with self.subTest(variables):
                done = self.repository.command(
                    "call", "search_decisions", "-", input='{"query":"MESSGER\u00c4T"}', **variables
                )
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                (item,) = json.loads(done.stdout)["result"]["items"]
                self.assertEqual(item["title"], "Messger\u00e4t w\u00e4hlen")

    def test_takes_no_other_encoding_than_utf8_on_stdin(self):
        done = subprocess.run(
            [*COMMAND, "--cwd", self.repository.root, "call", "get_decision", "-"],
            input=b'{"ref": "\xff"}',
            capture_output=True,
            cwd=PROJECT,
            env=environment(),
        )
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"not UTF-8", done.stderr)

    def test_takes_a_closed_stdin_for_an_empty_one(self):
        done = self.piped("call get_decision - <&-")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"not JSON", done.stderr)

    def test_ends_quietly_when_its_reader_went_away(self):
        done = self.piped('call get_decision \'{"ref": "0001"}\' | true')
        self.assertEqual(done.stderr, b"")

    def test_tells_a_stdout_that_cannot_be_written(self):
        for redirection in (">&-", ">/dev/full"):
            if redirection == ">/dev/full" and not os.path.exists("/dev/full"):
                continue
            for words in ("call list_superseded", "lint", "--help", "--version"):
                with self.subTest(words=words, redirection=redirection):
                    done = self.piped(words + " " + redirection)
                    self.assertEqual(done.returncode, 1)
                    self.assertEqual(done.stderr.count(b"\n"), 1)
                    self.assertIn(b"stdout cannot be written", done.stderr)

    def piped(self, rest):
        """A run by a shell, with redirections."""
        command = '"$0" -m adrkit_mcp --cwd "$1" ' + rest
        return subprocess.run(
            ["sh", "-c", command, sys.executable, self.repository.root],
            capture_output=True,
            cwd=PROJECT,
            env=environment(),
        )


class RobustCallTest(CommandLineTest):
    def test_reads_its_argument_as_utf8_whatever_the_locale(self):
        self.repository.add(record(title="Messgerät wählen"))
        done = run(
            "call",
            "search_decisions",
            '{"query": "messgerät"}',
            "--text",
            *("--cwd", self.repository.root),
            PYTHONUTF8="0",
            LC_ALL="C",
        )
        self.assertTrue(done.stdout.startswith("Matching: 1 of 1"), done)

    def test_skips_a_byte_order_mark_on_stdin(self):
        done = run("call", "list_superseded", "-", "--cwd", self.repository.root, input="\ufeff{}")
        self.assertEqual(done.returncode, 0, done.stderr)

    @unittest.skipUnless(os.name == "posix", "sends SIGINT")
    def test_an_interrupt_is_no_answer(self):
        process = subprocess.Popen(
            [*COMMAND, "call", "search_decisions", "-", "--cwd", self.repository.root],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=PROJECT,
            env=environment(),
        )
        time.sleep(0.7)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
        self.assertEqual((process.returncode, out), (130, b""))


class MovedRootTest(CommandLineTest):
    @unittest.skipUnless(os.name == "posix", "a current directory cannot be moved elsewhere")
    def test_a_root_that_was_moved_is_not_followed(self):
        self.repository.add(record())
        moved = self.repository.root + "-moved"
        with Client(None, self.repository.dir, cwd=self.repository.root) as client:
            self.assertEqual(client.structured("list_superseded")["corpusHealth"]["recordCount"], 1)
            os.rename(self.repository.root, moved)
            self.addCleanup(shutil.rmtree, moved)
            result = client.structured("list_superseded")["result"]
            self.assertEqual(result["reason"], "root-not-found")


class LintTest(CommandLineTest):
    def test_of_a_healthy_corpus_is_exit_0(self):
        self.repository.add(record("0001"))
        done = self.repository.command("lint")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("1 records, 0 excluded", done.stdout)

    def test_of_warnings_is_exit_0_and_of_errors_exit_1(self):
        self.repository.write("notes.md", "x")
        self.assertEqual(self.repository.command("lint").returncode, 0)
        self.repository.write("0001-x.md", "x")
        done = self.repository.command("lint")
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertIn("docs/adr/0001-x.md: error frontmatter-fence", done.stdout)

    def test_reports_matchers_that_can_never_fire(self):
        self.repository.add(accepted("0001", affects=governing("/src/**")))
        done = self.repository.command("lint")
        self.assertEqual(done.returncode, 0)
        self.assertIn("0001-record.md:7: warn affects-bad-pattern [affects.path]: ", done.stdout)
        self.assertIn("0 error, 1 warn", done.stdout)

    def test_writes_for_programs_and_for_github(self):
        self.repository.write("0001-x.md", "x")
        done = self.repository.command("lint", "--format", "json")
        self.assertEqual(json.loads(done.stdout)["corpusHealth"]["excludedCount"], 1)
        done = self.repository.command("lint", "--format=github")
        self.assertTrue(done.stdout.startswith("::error file=docs/adr/0001-x.md,"))

    def test_of_github_is_silent_when_there_is_nothing(self):
        done = self.repository.command("lint", "--format", "github")
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_finds_nothing_wrong_with_the_project_s_own_corpus(self):
        done = own_repository(self).command("lint")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("findings: 0 error, 0 warn, 0 info", done.stdout)


if __name__ == "__main__":
    unittest.main()
