#!/usr/bin/env python3
"""The notepad: a list of notes that a person's keys and an agent's calls share.

Python's standard library only (3.8 or later): what a Tick needs in a language without a library for it.
With a file as its argument, notes are kept there; without one they last as long as the program.

This part owns the notes and the tools. The class Host speaks the protocol, the class Screen draws.
"""

import os
import sys

# First of all, before anything can print: keep the host's channel, and turn descriptor 1 away from it.
HOSTED = bool(os.environ.get("TICKLOOP_INSTANCE_ID"))
HOST_OUTPUT = os.dup(1) if HOSTED else None
if HOSTED:
    os.dup2(os.open(os.environ.get("TICK_LOG") or os.devnull, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), 1)

import codecs
import collections
import datetime
import fcntl
import hashlib
import json
import select
import signal
import struct
import termios
import threading
import tty
import unicodedata

MOST_NOTES = 500
LONGEST_TEXT = 500
STATE_BYTES = 3500


class NotExecuted(Exception):
    """The call had no effect at all: answered with -32602."""


class Notes:
    """The list, newest first, under one lock. Tells its listeners after each change, outside the lock."""

    def __init__(self, path):
        self.lock = threading.RLock()
        self.path = path
        self.items = []
        self.next_id = 1
        self.seq = 0
        self.listeners = []
        if path and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                self.items = json.load(file)["notes"]
            self.next_id = 1 + max((item["id"] for item in self.items), default=0)

    def change(self, edit):
        """Runs `edit` on a copy of the list; nothing counts until the copy is saved."""
        with self.lock:
            items = [dict(item) for item in self.items]
            result = edit(items)
            self.save(items)
            self.items = items
            self.seq += 1
        for listener in self.listeners:
            listener()
        return result

    def save(self, items):
        """At each change and never at the end, which may not come (tick T-4.5-1)."""
        if not self.path:
            return
        temporary = self.path + ".new"
        with open(temporary, "w", encoding="utf-8") as file:
            json.dump({"notes": items}, file, ensure_ascii=False, indent=1)
        os.replace(temporary, self.path)

    def add(self, text, by):
        def edit(items):
            if len(items) >= MOST_NOTES:
                raise NotExecuted("There are %d notes, which is the limit. Remove one first." % MOST_NOTES)
            item = {"id": self.next_id, "text": text, "by": by, "at": now()}
            items.insert(0, item)
            self.next_id += 1
            return item
        return self.change(edit)

    def edit(self, number, text, by):
        def edit(items):
            item = find(items, number)
            item.update(text=text, by=by, at=now())
            return item
        return self.change(edit)

    def remove(self, number):
        def edit(items):
            item = find(items, number)
            items.remove(item)
            return item
        return self.change(edit)

    def listed(self, search="", offset=0, limit=50):
        wanted = search.casefold()
        found = [item for item in self.items if wanted in item["text"].casefold()]
        return {"count": len(found), "notes": found[offset:offset + limit]}

    def state(self):
        """The newest notes that fit, so that the whole stays under 4 KiB (tick T-6.4-1)."""
        items, size = self.items, 0
        shown = []
        for item in items:
            text = item["text"]
            brief = {"id": item["id"], "text": text if len(text) <= 80 else text[:79] + "…", "by": item["by"]}
            size += len(json.dumps(brief, ensure_ascii=False).encode("utf-8", "replace"))
            if size > STATE_BYTES:
                break
            shown.append(brief)
        return {"count": len(items), "notes": shown,
                "queries": {"list_notes": "all notes in full, or those that hold a text"}}


def now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds").replace("+00:00", "Z")


def find(items, number):
    for item in items:
        if item["id"] == number:
            return item
    raise NotExecuted("There is no note %d." % number)


def schema(properties, required=()):
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


TEXT = {"type": "string", "minLength": 1, "maxLength": LONGEST_TEXT}
NUMBER = {"type": "integer", "minimum": 1}


def catalogue(notes):
    """name: (description, input schema, mutates, what to run)"""
    return {
        "add_note": ("Add a note at the top of the list. Returns it with its id.",
                     schema({"text": TEXT}, ["text"]), True,
                     lambda args: notes.add(args["text"], "agent")),
        "edit_note": ("Replace the text of a note.",
                      schema({"id": NUMBER, "text": TEXT}, ["id", "text"]), True,
                      lambda args: notes.edit(args["id"], args["text"], "agent")),
        "remove_note": ("Remove a note. Returns what was removed.",
                        schema({"id": NUMBER}, ["id"]), True,
                        lambda args: notes.remove(args["id"])),
        "list_notes": ("List notes in full, newest first: all, or those whose text holds `search`, in any case.",
                       schema({"search": {"type": "string", "maxLength": 100},
                               "offset": {"type": "integer", "minimum": 0},
                               "limit": {"type": "integer", "minimum": 1, "maximum": MOST_NOTES}}), False,
                       lambda args: notes.listed(**args)),
    }


def complaint(value, rule):
    """What is wrong with `value`, for the few words of JSON Schema used above; None when nothing is."""
    if rule["type"] == "integer":
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            return "must be a whole number"
        if value < rule["minimum"] or value > rule.get("maximum", value):
            return "is out of range"
    elif not isinstance(value, str):
        return "must be a string"
    elif not rule.get("minLength", 0) <= len(value) <= rule["maxLength"]:
        return "must have %d to %d characters" % (rule.get("minLength", 0), rule["maxLength"])
    return None


def check(args, rules):
    """Raises NotExecuted unless `args` fit."""
    if not isinstance(args, dict):
        raise NotExecuted("args must be an object.")
    for name in rules["required"]:
        if name not in args:
            raise NotExecuted("%s is missing." % name)
    for name, value in args.items():
        if name not in rules["properties"]:
            raise NotExecuted("There is no argument %s." % name)
        wrong = complaint(value, rules["properties"][name])
        if wrong:
            raise NotExecuted("%s %s." % (name, wrong))


class Host:
    """One thread reads requests, one writes lines. Answers never wait for the screen, nor the screen for them."""

    UPDATE = object()

    def __init__(self, notes):
        self.notes = notes
        self.tools = catalogue(notes)
        declared = [{"name": name, "description": tool[0], "input_schema": tool[1], "mutates": tool[2]}
                    for name, tool in self.tools.items()]
        self.revision = hashlib.sha256(json.dumps(declared).encode()).hexdigest()[:12]
        self.descriptor = {
            "protocol": 3, "kind": "example.note", "title": "Notes",
            "description": "A list of short notes, newest first. A person and an agent edit the same list.",
            "revision": self.revision, "tools": declared, "state": {"series": [{"path": "/notes", "newest": "first"}]},
        }
        self.queue = collections.deque()
        self.wake = threading.Condition()
        notes.listeners.append(self.update)

    def start(self):
        threading.Thread(target=self.write, daemon=True).start()
        threading.Thread(target=self.read, daemon=True).start()

    def send(self, message):
        with self.wake:
            self.queue.append(message)
            self.wake.notify()

    def update(self):
        """Updates not yet written become one, made of the state at the moment of writing (tick T-8.3-3)."""
        with self.wake:
            if self.UPDATE not in self.queue:
                self.queue.append(self.UPDATE)
                self.wake.notify()

    def current(self):
        with self.notes.lock:
            return {"seq": self.notes.seq, "data": self.notes.state()}

    def write(self):
        while True:
            with self.wake:
                while not self.queue:
                    self.wake.wait()
                message = self.queue.popleft()
            if message is None:
                os._exit(0)
            if message is self.UPDATE:
                message = {"method": "tick/update", "params": self.current()}
            line = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False, separators=(",", ":"))
            # Half a surrogate pair cannot be encoded; a question mark stands for it.
            self.write_all(line.encode("utf-8", "replace") + b"\n")

    def write_all(self, data):
        while data:
            try:
                data = data[os.write(HOST_OUTPUT, data):]
            except BlockingIOError:
                select.select([], [HOST_OUTPUT], [])
            except OSError:
                os._exit(0)

    def read(self):
        """Until the host closes its end; then everything answered is written, and the program ends."""
        with os.fdopen(0, "rb", closefd=False) as lines:
            for line in lines:
                try:
                    request = json.loads(line.decode("utf-8"))
                    number, method = request["id"], request["method"]
                except (ValueError, KeyError, TypeError, RecursionError):
                    continue
                if type(number) is not int or number < 0 or not isinstance(method, str):
                    continue
                if request.get("jsonrpc") == "2.0":
                    params = request.get("params")
                    self.send({"id": number, **self.answer(method, params if isinstance(params, dict) else {})})
        self.send(None)

    def answer(self, method, params):
        if method == "tick/describe":
            return {"result": self.descriptor}
        if method == "tick/read":
            return {"result": self.current()}
        if method == "tick/call":
            return self.call(params.get("tool"), params.get("args"), params.get("revision"))
        return error(-32601, "There is no method %s." % method)

    def call(self, name, args, revision):
        """The order of the checks is the protocol's: revision, tool, arguments (tick T-7.2-1, T-7.2-2)."""
        if revision != self.revision:
            return error(-32004, "The catalogue changed since this call was prepared. Describe again.")
        tool = self.tools.get(name) if isinstance(name, str) else None
        if tool is None:
            return error(-32602, "There is no tool %s." % json.dumps(name))
        try:
            check(args, tool[1])
            return {"result": tool[3](args)}
        except NotExecuted as refusal:
            return error(-32602, str(refusal))
        except Exception as failure:
            return error(-32000, "%s failed: %s" % (name, failure))


def error(code, message):
    return {"error": {"code": code, "message": message}}


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
        self.out("\x1b[m\x1b[?25h" + ("\r\n" if HOSTED else "\x1b[?1049l"))

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


def main():
    notes = Notes(sys.argv[1] if len(sys.argv) > 1 else None)
    try:
        screen = Screen(notes)
    except OSError:
        screen = None
        if not HOSTED:
            sys.exit("note draws on a terminal and found none. Run it in one, or open it in tickmux.")

    def terminated(*_):
        if screen:
            screen.leave()
        os._exit(143)

    signal.signal(signal.SIGTERM, terminated)
    if HOSTED:
        Host(notes).start()
    if screen is None:
        while True:
            signal.pause()
    try:
        screen.run()
    except OSError:
        pass  # The terminal is gone, and with it whoever was looking.
    finally:
        try:
            screen.leave()
        except OSError:
            pass
    os._exit(0)


if __name__ == "__main__":
    main()
