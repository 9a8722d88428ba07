/** What holds for every message, in prose. */
export function intro(apiVersion) {
  return `# Host API, version ${apiVersion}

<!-- Written by \`npm run docs\` from src/rpc/api. Edit the declarations there, not this file. -->

A session's host listens on two unix sockets in \`$XDG_STATE_HOME/tickmux/run/SESSION/\`
(\`~/.local/state\` if that is not set), one for each authority. \`agent.sock\` is for whoever proposes
calls: it has no message that decides one. \`operator.sock\` is a person's: views, layout, approvals.

## How messages travel
JSON-RPC 2.0, one message a line, in UTF-8, ended by a newline. No batches. An \`id\` is a whole number or
a string of at most 128 characters, and is free again once it was answered. Answers come in any order.

- \`hello\` is the first message; what is sent right behind it need not wait for its answer.
- A line may have 16 MiB. A longer one is dropped up to its newline and refused; the connection goes on.
- At most 2,000 requests of one connection may be unanswered.
- Members that are not described here are ignored. Notifications that do not fit are dropped.
- Closing the connection, even its writing half alone, gives up what is unanswered: calls proposed with
  \`wait: true\` that were not yet sent are withdrawn.
- A client that leaves much unread misses pictures, never the newest one; one that leaves 64 MiB unread is
  cut off.
- Text from Ticks, agents and people is data. Make control characters visible before showing it.`;
}
