"""What a person sees of the notepad, and what the keys do. Draws on the controlling terminal, never on descriptor 1."""

import codecs
import fcntl
import os
import select
import signal
import struct
import termios
import tty
import unicodedata

from note_host import HOSTED, NotExecuted

LONGEST_TEXT = 500


def cells(char):
    """How many cells of a terminal a character takes."""
    if unicodedata.combining(char) or char in "\u200d\ufe0e\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def width(text):
    return sum(cells(char) for char in text)


def fit(text, room):
    """`text` without anything that could steer a terminal, in exactly `room` cells."""
    shown = "".join("·" if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char != "\u200d" else char
                    for char in text)
    if width(shown) > room:
        while shown and width(shown) > room - 1:
            shown = shown[:-1]
        shown += "…" if room > 0 else ""
    return shown + " " * (room - width(shown))


KEYS = {"\x1b[A": "up", "\x1bOA": "up", "\x1b[B": "down", "\x1bOB": "down", "\x1b[3~": "d",
        "\r": "enter", "\n": "enter", "\x7f": "backspace", "\b": "backspace", "\x15": "clear", "\x03": "interrupt"}


def keys_in(text):
    """Names of keys, or characters as typed. An unknown sequence is one key that means nothing."""
    position = 0
    while position < len(text):
        end = position + 1
        if text[position] == "\x1b" and text[end:end + 1] in ("[", "O"):
            end += 1
            while end < len(text) and not "@" <= text[end] <= "~":
                end += 1
            end += 1
        token = text[position:end]
        position = end
        yield KEYS.get(token, "escape" if token == "\x1b" else token)


class Screen:
    """Draws on the controlling terminal and reads its keys, in the main thread."""

    def __init__(self, notes):
        self.notes = notes
        self.terminal = os.open("/dev/tty", os.O_RDWR)
        self.chosen = None
        self.line = None
        self.editing = None
        self.message = ""
        self.before = termios.tcgetattr(self.terminal)
        self.wake_read, self.wake_write = os.pipe()
        os.set_blocking(self.wake_write, False)
        signal.set_wakeup_fd(self.wake_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGWINCH, lambda *_: None)
        notes.listeners.append(self.wake)

    def wake(self):
        try:
            os.write(self.wake_write, b"\0")
        except BlockingIOError:
            pass  # Full of earlier wakes: the screen is about to be drawn anyway.

    def out(self, text):
        data = text.encode("utf-8", "replace")
        while data:
            data = data[os.write(self.terminal, data):]

    def run(self):
        tty.setraw(self.terminal)
        self.out(("" if HOSTED else "\x1b[?1049h") + "\x1b[?25l")
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        while True:
            self.draw()
            ready, _, _ = select.select([self.terminal, self.wake_read], [], [])
            if self.wake_read in ready:
                os.read(self.wake_read, 4096)
            if self.terminal in ready:
                data = os.read(self.terminal, 4096)
                if not data:
                    return
                for key in keys_in(decoder.decode(data)):
                    if not HOSTED and (key == "interrupt" or key == "q" and self.line is None):
                        return
                    self.press(key)

    def leave(self):
        termios.tcsetattr(self.terminal, termios.TCSANOW, self.before)
        self.out("\x1b[m\x1b[?25h" + ("\r" if HOSTED else "\x1b[?1049l"))

    def press(self, key):
        self.message = ""
        try:
            if self.line is not None:
                self.write_line(key)
            else:
                self.command(key)
        except (NotExecuted, OSError) as failure:
            self.message = str(failure)

    def command(self, key):
        items = self.notes.items
        at = self.position(items)
        if key == "a":
            self.line, self.editing = "", None
        elif key in ("e", "enter") and items:
            self.line, self.editing = items[at]["text"], items[at]["id"]
        elif key == "d" and items:
            self.chosen = items[min(at + 1, len(items) - 1)]["id"]
            self.notes.remove(items[at]["id"])
        elif key in ("up", "down") and items:
            self.chosen = items[max(0, min(len(items) - 1, at + (1 if key == "down" else -1)))]["id"]

    def write_line(self, key):
        if key == "enter":
            text, self.line = self.line.strip(), None
            if text and self.editing is None:
                self.chosen = self.notes.add(text, "person")["id"]
            elif text:
                self.notes.edit(self.editing, text, "person")
        elif key == "escape":
            self.line = None
        elif key == "backspace":
            self.line = self.line[:-1]
        elif key == "clear":
            self.line = ""
        elif len(key) == 1 and key >= " " and len(self.line) < LONGEST_TEXT:
            self.line += key

    def position(self, items):
        return next((index for index, item in enumerate(items) if item["id"] == self.chosen), 0)

    def draw(self):
        rows, cols = struct.unpack("HH", fcntl.ioctl(self.terminal, termios.TIOCGWINSZ, b"\0" * 4))
        rows, cols = rows or 24, cols or 80
        lines = self.layout(rows, cols)[:rows]
        self.out("\x1b[H" + "\r\n".join(line + "\x1b[m\x1b[K" for line in lines))

    def layout(self, rows, cols):
        items = self.notes.items
        count = "%d note%s" % (len(items), "" if len(items) == 1 else "s")
        title = "\x1b[1m" + fit("  Notes", cols - len(count) - 3) + "\x1b[;90m" + count
        height = max(0, rows - 4)
        at = self.position(items)
        first = max(0, at - height + 1)
        body = [self.row(item, index + first == at, cols) for index, item in enumerate(items[first:first + height])]
        if not items:
            body = ["\x1b[90m" + fit("    no notes yet: press a to add one", cols - 1)]
        return [title, ""] + body + [""] * (height - len(body)) + self.bottom(cols)

    def row(self, item, chosen, cols):
        by = item["by"] if cols >= 30 else ""
        colour = "36" if by == "agent" else "33"
        mark = "\x1b[36m  › \x1b[m" if chosen else "    "
        return mark + fit(item["text"], cols - 14) + "  \x1b[" + colour + "m" + by

    def bottom(self, cols):
        if self.line is not None:
            label = "  edit: " if self.editing is not None else "  new: "
            tail = self.line
            while width(tail) > cols - len(label) - 3:
                tail = tail[1:]
            return ["\x1b[36m" + label + "\x1b[m" + fit(tail, width(tail)) + "\x1b[7m \x1b[m",
                    hints([("enter", "keep"), ("esc", "leave"), ("ctrl-u", "clear")], cols)]
        keys = [("a", "add"), ("e", "edit"), ("d", "delete"), ("↑↓", "choose")] + ([] if HOSTED else [("q", "quit")])
        return ["\x1b[33m" + fit("  " + self.message, cols - 1) if self.message else "", hints(keys, cols)]


def hints(pairs, cols):
    line, room = "", cols
    for key, meaning in pairs:
        room -= len(key) + len(meaning) + 3
        if room < 0:
            break
        line += "  \x1b[36m%s\x1b[90m %s\x1b[m" % (key, meaning)
    return line
