/**
 * Writes docs/host-api.md from the declarations in src/rpc/api. With `--check` it writes nothing and
 * fails when the file is not what it would write. It knows how a message is shown, and none of them.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'tsdown';
import { exampleSession } from './host-api/example.mjs';
import { intro } from './host-api/intro.mjs';
import { namedTypes, typesSection, typeWords } from './host-api/types.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'docs', 'host-api.md');

const parts = await loadApi();
const text = render(parts);
if (!process.argv.includes('--check')) {
  writeFileSync(target, text);
} else if (readFileSync(target, 'utf8') !== text) {
  process.stderr.write('docs/host-api.md is not what src/rpc/api says: run `npm run docs`.\n');
  process.exitCode = 1;
}

/** Every module of src/rpc/api by its name: Node 20 cannot read TypeScript, so a bundle is made and dropped. */
async function loadApi() {
  const folder = join(root, 'src', 'rpc', 'api');
  const names = readdirSync(folder).map((file) => basename(file, '.ts'));
  const outDir = join(root, 'node_modules', '.cache', `host-api-${process.pid}`);
  try {
    await build({
      config: false,
      cwd: root,
      entry: Object.fromEntries(names.map((name) => [name, join(folder, `${name}.ts`)])),
      outDir,
      platform: 'node',
      format: 'esm',
      dts: false,
      report: false,
      logLevel: 'error',
    });
    const load = async (name) => [name, await import(pathToFileURL(join(outDir, `${name}.mjs`)).href)];
    return Object.fromEntries(await Promise.all(names.map(load)));
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}

function render(modules) {
  const { agentApi, operatorApi, apiVersion } = modules.index;
  const types = namedTypes(modules);
  return `${[
    intro(apiVersion),
    errorsSection(modules.errors.rpcCodes),
    exampleSession(agentApi),
    socketSection('agent.sock', 'Whoever proposes calls.', agentApi, types),
    socketSection('operator.sock', 'A person: views, layout, decisions.', operatorApi, types),
    typesSection(types),
  ].join('\n\n')}\n`;
}

function errorsSection(codes) {
  const words = {
    parse: 'The line is not one JSON value in UTF-8 that could be encoded again.',
    invalidRequest: 'Not a request, a batch, a bad or repeated id, or something before `hello`.',
    unknownMethod: 'This socket has no such request.',
    invalidParams: 'The params do not fit; the message names the member.',
    internal: 'A bug of the host; its log has the details.',
    notFound: 'An id that names nothing.',
    refused: 'It makes no sense in the present state of the thing it names.',
    changed: 'The digest shown is not the digest held: look again.',
    decided: 'Somebody or something else settled the call first.',
    forbidden: 'This connection may not do that.',
    limit: 'A limit of the host: length of a line, unanswered requests, waiting calls, rate.',
  };
  const rows = Object.entries(codes).map(([name, code]) => {
    if (!words[name]) throw new Error(`scripts/host-api.mjs has no words for the error "${name}".`);
    return `| ${code} | ${name} | ${words[name]} |`;
  });
  return [
    '## Errors',
    'A refused request is answered with one of these. How a call ended is never an error but a ' +
      '[CallReport](#callreport): a denied call is a successful answer.',
    '',
    '| code | name | meaning |\n| --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function socketSection(name, about, api, types) {
  const messages = Object.values(api);
  const index = messages.map(({ method }) => `[${method}](#${anchor(name, method)})`).join(', ');
  return [`## ${name}\n${about}\n\n${index}`, ...messages.map((one) => message(name, one, types))].join(
    '\n\n',
  );
}

function message(socket, { type, method, from, doc, params, result }, types) {
  const direction = type === 'request' || from === 'client' ? 'client → host' : 'host → client';
  const lines = [
    `<a id="${anchor(socket, method)}"></a>`,
    `### ${method}`,
    `${type === 'request' ? 'Request' : 'Notification'}, ${direction}. ${doc}`,
    '',
    typeWords('Params', params, types),
  ];
  if (result) lines.push('', typeWords('Result', result, types));
  return lines.join('\n');
}

/** Both sockets have a hello, so a heading alone does not name a message. */
function anchor(socket, method) {
  return `${socket}-${method}`.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
