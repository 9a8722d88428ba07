"""A Tick's side of the protocol in Python's standard library, small enough to copy: what goes over the pipes.

Import it first: it keeps the host's channel and turns descriptor 1 away from it, before anything can print.
It knows nothing of what the Tick is about.
"""

import os

HOSTED = bool(os.environ.get("TICKLOOP_INSTANCE_ID"))
HOST_OUTPUT = os.dup(1) if HOSTED else None
if HOSTED:
    os.dup2(os.open(os.environ.get("TICK_LOG") or os.devnull, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), 1)

import collections
import hashlib
import json
import select
import threading


class NotExecuted(Exception):
    """The call had no effect at all: answered with -32602."""


def complaint(value, rule):
    """What is wrong with `value`, for the few words of JSON Schema known here; None when nothing is."""
    if rule["type"] == "integer":
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
        if isinstance(value, float) and value.is_integer():
            value = args[name] = int(value)  # 1.0 is an integer to JSON Schema, but no index to Python.
        wrong = complaint(value, rules["properties"][name])
        if wrong:
            raise NotExecuted("%s %s." % (name, wrong))


class Host:
    """One thread reads requests, one writes lines. Answers never wait for the screen, nor the screen for them.

    `lock` guards the business state, and the queue too: numbers of states leave in the order they arose in.
    """

    UPDATE = object()

    def __init__(self, lock, about, tools, state):
        """`tools`: name to (description, input schema, mutates, function). `state`: returns (seq, data)."""
        self.tools = tools
        self.state = state
        declared = [{"name": name, "description": tool[0], "input_schema": tool[1], "mutates": tool[2]}
                    for name, tool in tools.items()]
        self.revision = hashlib.sha256(json.dumps(declared).encode()).hexdigest()[:12]
        self.descriptor = {"protocol": 3, **about, "revision": self.revision, "tools": declared}
        self.queue = collections.deque()
        self.wake = threading.Condition(lock)

    def start(self):
        threading.Thread(target=self.write, daemon=True).start()
        threading.Thread(target=self.read, daemon=True).start()

    def send(self, message):
        with self.wake:
            self.queue.append(message)
            self.wake.notify()

    def update(self):
        """Call it with each change, under the lock. Updates not yet written become one (tick T-8.3-3)."""
        with self.wake:
            if self.UPDATE in self.queue:
                self.queue.remove(self.UPDATE)
            self.queue.append(self.UPDATE)
            self.wake.notify()

    def current(self):
        seq, data = self.state()
        return {"seq": seq, "data": data}

    def write(self):
        while True:
            with self.wake:
                while not self.queue:
                    self.wake.wait()
                message = self.queue.popleft()
                if message is self.UPDATE:
                    message = {"method": "tick/update", "params": self.current()}
            if message is None:
                os._exit(0)
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
                    with self.wake:
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
