"""Changes a corpus in step until its input ends: rewriter.py DIRECTORY.

The titles tell generations. A new one begins with a file of id 0006 beside the one that is there; then the
records 0001 to 0004 come to it one after the other, two rewritten in place and two replaced; then the older
file of id 0006 is removed. One file, of id 0005, is renamed at times. All lines of a body tell the title.
"""

import itertools
import os
import random
import select
import sys
import time

LINES = (
    200  # within a page of memory: a longer write that is stopped in its midst no reader can tell
)
STILL = 50  # records that never change, so that reading takes its time


def text(id, generation):
    """Always of the same size."""
    title = "Generation %06d" % generation
    head = '---\nid: "%s"\ntitle: %s\nstatus: draft\ndate: 2026-01-02\n---\n' % (id, title)
    return (head + (title + "\n") * LINES).encode("ascii")


class Rewriter:
    def __init__(self, directory):
        self.directory = directory
        self.aside = os.path.join(os.path.dirname(directory), "aside")
        self.chance = random.Random(7)

    def path(self, name):
        return os.path.join(self.directory, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content)

    def start(self):
        for id in ("0001", "0002", "0003", "0004"):
            self.write(id + "-record.md", text(id, 0))
        self.write("0005-a.md", text("0005", 0))
        self.write("0006-000000.md", text("0006", 0))
        for number in range(STILL):
            id = "1%03d" % number
            self.write(id + "-record.md", text(id, 0).replace(b"Generation", b"Standstill"))

    def in_place(self, id, generation):
        """Same size, same inode, and the time of its last change put back."""
        path = self.path(id + "-record.md")
        status = os.stat(path)
        with open(path, "r+b", buffering=0) as file:
            file.write(text(id, generation))
        if self.chance.random() < 0.5:
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    def replace(self, id, generation):
        with open(self.aside, "wb") as file:
            file.write(text(id, generation))
        os.replace(self.aside, self.path(id + "-record.md"))

    def steps(self):
        """Changes one thing each time it is asked for the next, without end."""
        for generation in itertools.count(1):
            with open(self.aside, "wb") as file:
                file.write(text("0006", generation))
            yield os.rename(self.aside, self.path("0006-%06d.md" % generation))
            yield self.in_place("0001", generation)
            yield self.in_place("0002", generation)
            yield self.replace("0003", generation)
            yield self.replace("0004", generation)
            yield os.remove(self.path("0006-%06d.md" % (generation - 1)))
            if generation % 4 == 0:
                names = ("0005-a.md", "0005-b.md")
                yield os.rename(*map(self.path, names if generation % 8 else names[::-1]))

    def run(self):
        for _ in self.steps():
            time.sleep(self.chance.choice((0, 0, 0, 0.001, 0.02)))
            if select.select([0], [], [], 0)[0]:
                break


if __name__ == "__main__":
    rewriter = Rewriter(sys.argv[1])
    rewriter.start()
    print("started", flush=True)
    rewriter.run()
