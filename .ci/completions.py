#!/usr/bin/env python3
"""Types lines in an interactive bash, zsh and fish with the scripts of a release: completions.py DIRECTORY, that of an
unpacked archive.

TAB completes each line to a name that a shell would run or expand, and ENTER runs the line. In place of kep-lint is a
program that keeps its arguments: the last one is the name itself. What a name would run makes a file.
"""

import os
import pathlib
import pty
import re
import select
import signal
import sys
import tempfile
import time

FIRST = "9-x$(touch${IFS}PWNED)"
SIGNS = "$\\;&|<>(){}'\"` \t\n-~*?[]!#=%^"
NAMES = [FIRST, *(name for sign in SIGNS for name in (sign, f"{sign}touch PWNED{sign}", f"x$(touch PWNED){sign}y"))]
NAMES += ["$(touch PWNED)", "`touch${IFS}PWNED`", "x;touch${IFS}PWNED;", "x\ntouch PWNED\n", "x|touch PWNED"]
NAMES += ["'$(touch PWNED)'", '"$(touch PWNED)"', "\\$(touch PWNED)", "$'\\x24(touch PWNED)'", "a=b$(touch PWNED)"]
NAMES += ["<(touch PWNED)", "=(touch PWNED)", "(touch PWNED)", "{touch,PWNED}", "x(e:touch PWNED:)"]
NAMES += ["*(e'{touch PWNED}')", "-$(touch PWNED)", "--config=$(touch PWNED)", "~root$(touch PWNED)"]
NAMES += ["$HOME", "!!", "~+", "~root"]

# What is typed before each name. Behind a space, the name's first character begins the word.
LINES = ["kep-lint --template ", "kep-lint --since=", "kep-lint man --to ./", "kep-lint check ./"]

# How each shell is started, and what makes it read its script and number its prompts.
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], r"source $SCRIPTS/kep-lint.bash; PS1='<\#>'"),
    "zsh": (["zsh", "-f", "-i"], "fpath=($SCRIPTS $fpath); autoload -Uz compinit; compinit -u -D; PS1='<%!>'"),
    "fish": (
        ["fish", "--no-config"],
        "source $SCRIPTS/kep-lint.fish; set -g ran 0; function ran --on-event fish_postexec; "
        'set ran (math $ran + 1); end; function fish_prompt; echo -n "<$ran>"; end',
    ),
}


class Shell:
    """A shell at a terminal of its own."""

    def __init__(self, name, environment):
        command, start = SHELLS[name]
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execvpe(command[0], command, environment)
        self.name, self.prompt = name, 0
        self.run(start)

    def run(self, line):
        """Types a line, and waits until the shell asks for the next one."""
        os.write(self.terminal, line.encode() + b"\r")
        shown, before, end = b"", self.prompt, time.monotonic() + 60
        while self.prompt == before:
            if not select.select([self.terminal], [], [], max(0, end - time.monotonic()))[0]:
                sys.exit(f"{self.name} does not run {line!r}: {shown.decode(errors='replace')!r}")
            shown += os.read(self.terminal, 65536)
            self.prompt = max([before, *map(int, re.findall(rb"<(\d+)>", shown))])

    def close(self):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)


def options(script):
    """A line for each option that takes a value, as the script for bash has them: `kep-lint facts --output ./`."""
    commands = {"kep__lint": "kep-lint"}
    for outer, word, inner in re.findall(r'\n {12}(kep__lint\w*),([a-z-]+)\)\n +cmd="(\w+)"', script):
        commands[inner] = f"{commands[outer]} {word}"
    command = None
    for section, option in re.findall(r"\n {8}(kep__lint\w*)\)|\n {16}(--[a-z-]+)\)", script):
        command = commands[section] if section else command
        if option:
            yield f"{command} {option} ./"


def passed(line, name):
    """What reaches the program if a line ends in this name."""
    *words, last = line.split(" ")[1:]
    return "".join(f"{word}\0" for word in [*words, last + name] if word)


def type_all(shell, scratch, every):
    """Each name is alone in its directory. The options are tried with the first one."""
    arguments = scratch / "arguments"
    shell.run("kep-lint check --select stale-t\t")
    if arguments.read_text() != passed("kep-lint check --select ", "stale-toc"):
        sys.exit(f"{shell.name} does not use its script: {arguments.read_text()!r}")
    for number, name in enumerate(NAMES):
        shell.run(f"cd {scratch}/keps/{number}")
        # For fish, a name ends at a tab, whatever the command.
        if shell.name == "fish":
            name = name.split("\t")[0]
        for line in LINES + every if name == FIRST else LINES:
            wanted = [passed(line, name), passed(line, f"{name}/")]
            if line in every:
                # The values of an option may be known, so that it is not completed to a file.
                wanted.append(passed(line, ""))
            arguments.write_text("")
            shell.run(line + "\t")
            if arguments.read_text() not in wanted:
                sys.exit(f"{shell.name} completes {line!r} to {arguments.read_text()!r}, and the name is {name!r}")


def main():
    scripts = pathlib.Path(sys.argv[1]).resolve() / "completions"
    every = list(options((scripts / "kep-lint.bash").read_text()))
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch).resolve()
        program = scratch / "bin/kep-lint"
        program.parent.mkdir()
        program.write_text("#!/bin/sh\nprintf '%s\\0' \"$@\" >\"$HOME/arguments\"\n")
        program.chmod(0o755)
        for number, name in enumerate(NAMES):
            path = scratch / "keps" / str(number) / name
            path.parent.mkdir(parents=True)
            # A shell ends the word after a file, and not after a directory.
            if number % 2:
                path.mkdir()
            else:
                path.touch()
        environment = {"PATH": f"{program.parent}:{os.environ['PATH']}", "HOME": str(scratch), "SCRIPTS": str(scripts)}
        environment |= {"TERM": "xterm", "LC_ALL": "C.UTF-8", "INPUTRC": "/dev/null"}
        planted = set(scratch.glob("keps/*/*"))
        for name in SHELLS:
            shell = Shell(name, environment)
            type_all(shell, scratch, every)
            shell.close()
            made = set(scratch.glob("keps/**/*")) - planted - set(scratch.glob("keps/*"))
            if made or list(scratch.rglob("PWNED")):
                sys.exit(f"{name} runs a name, which makes {made}")
    print(f"{', '.join(SHELLS)}: {len(NAMES)} names on {len(LINES)} lines, and {len(every)} options, run nothing")


main()
