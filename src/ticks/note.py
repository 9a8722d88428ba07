#!/usr/bin/env python3
"""The notepad: a list of notes that a person's keys and an agent's calls share.

Python's standard library only (3.8 or later): what a Tick needs in a language without a library for it.
With a file as its argument, notes are kept there; without one they last as long as the program.
"""

import sys

sys.dont_write_bytecode = True

# Before all other imports: it guards standard output.
from note_host import HOSTED, Host, NotExecuted

import datetime
import json
import os
import signal
import threading

from note_screen import LONGEST_TEXT, Screen

MOST_NOTES = 500
STATE_BYTES = 3500


class Notes:
    """The list, newest first, under one lock. Tells its listeners of each change while it holds the lock."""

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
        about = {
            "kind": "example.note", "title": "Notes",
            "description": "A list of short notes, newest first. A person and an agent edit the same list.",
            "state": {"series": [{"path": "/notes", "newest": "first"}]},
        }
        host = Host(notes.lock, about, catalogue(notes), lambda: (notes.seq, notes.state()))
        notes.listeners.append(host.update)
        host.start()
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
