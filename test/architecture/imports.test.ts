/** Holds the layers of ARCHITECTURE.md: who may import whom, one door per outside library, small files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const src = join(root, 'src');

const layer1 = ['protocol', 'cells', 'schema', 'platform'];
const layer2 = ['session', 'launch', 'screen', 'sdk'];

/** What each folder may import of ours besides itself. An entry stands for everything below it. */
const table: Record<string, readonly string[]> = {
  protocol: [],
  cells: [],
  schema: [],
  platform: [],
  session: ['protocol', 'schema'],
  sdk: ['protocol', 'schema'],
  launch: ['platform'],
  screen: ['cells'],
  rpc: ['protocol', 'cells', 'schema'],
  host: [...layer1, ...layer2, 'rpc/api'],
  tui: [...layer1, 'rpc'],
  plain: [...layer1, 'rpc'],
  agents: [...layer1, 'rpc'],
  ticks: ['sdk'],
  conformance: ['protocol', 'schema', 'session', 'launch', 'screen'],
  cli: ['.'],
};

/** Data outside of src that becomes part of the program. */
const data: Record<string, string> = { cli: '../package.json', tui: '../themes/' };

/** The one folder through which an outside library comes in. */
const doors: Record<string, string> = {
  'node-pty': 'launch',
  '@xterm/headless': 'screen',
  // The table of widths alone, without the emulator.
  '@xterm/addon-unicode-graphemes': 'cells',
  blessed: 'tui',
  ajv: 'schema',
  'ajv-formats': 'schema',
  pino: 'platform',
  conf: 'platform',
  commander: 'cli',
  chalk: 'cli',
};

/** The number of lines beyond which a file wants to be two. */
const maxLines = 400;

interface Import {
  /** Path below src, with `/`. */
  from: string;
  /** Path below src, or the specifier of what is not ours. */
  to: string;
  ours: boolean;
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.[cm]?tsx?$/.test(file))
  .map((file) => file.split(sep).join('/'));

const imports = files.flatMap((from): Import[] => {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(src, from), 'utf8'), true, true);
  return importedFiles.map(({ fileName }) => {
    const ours = fileName.startsWith('.');
    const to = ours
      ? relative(src, resolve(src, dirname(from), fileName))
          .split(sep)
          .join('/')
      : fileName;
    return { from, to, ours };
  });
});

/** The part of `src` a file belongs to: its folder, and within `agents` each agent is a part of its own. */
function part(file: string): string {
  const [folder = '', agent] = file.split('/');
  return folder === 'agents' && agent !== undefined && file.split('/').length > 2
    ? `agents/${agent}`
    : folder;
}

function isAllowed({ from, to }: Import): boolean {
  const own = part(from);
  if (to.startsWith('../')) return to.startsWith(data[own] ?? 'nothing');
  if (part(to) === own) return true;
  const allowed = table[own.split('/')[0] as string] ?? [];
  return allowed.some((entry) => entry === '.' || to.startsWith(`${entry}/`));
}

const packageName = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
const outside = imports.filter(({ to, ours }) => !ours && !isBuiltin(to));
const tell = ({ from, to }: Import) => `src/${from} imports ${to}`;

describe('the folders of src', () => {
  it('are all in the table', () => {
    const folders = readdirSync(src, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).filter((name) => !(name in table))).toEqual([]);
    expect(files.filter((file) => !file.includes('/'))).toEqual([]);
  });

  it('import only what the table allows', () => {
    expect(imports.filter((one) => one.ours && !isAllowed(one)).map(tell)).toEqual([]);
  });

  it('import their own files by the name they have', () => {
    const isThere = (to: string) => existsSync(join(src, to)) && /\.\w+$/.test(to);
    expect(imports.filter(({ to, ours }) => ours && !isThere(to)).map(tell)).toEqual([]);
  });

  it('hold only files of a size one can read', () => {
    const sizes = files.map((file) => ({
      file,
      lines: readFileSync(join(src, file), 'utf8').split('\n').length - 1,
    }));
    const large = sizes.filter(({ lines }) => lines > maxLines);
    expect(large.map(({ file, lines }) => `src/${file} has ${lines} lines`)).toEqual([]);
  });
});

describe('outside libraries', () => {
  it('come in by one door each', () => {
    const wrong = outside.filter(({ from, to }) => {
      const door = doors[packageName(to)];
      return door !== undefined && part(from) !== door;
    });
    expect(wrong.map(tell)).toEqual([]);
  });

  it('are dependencies of the package', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(outside.filter(({ to }) => !(packageName(to) in dependencies)).map(tell)).toEqual([]);
  });
});

describe('the table', () => {
  const allowed = (from: string, to: string) => isAllowed({ from, to, ours: true });

  it('lets nothing reach upward or sideways', () => {
    expect(allowed('session/session.ts', 'host/index.ts')).toBe(false);
    expect(allowed('screen/screen.ts', 'launch/index.ts')).toBe(false);
    expect(allowed('host/index.ts', 'rpc/server.ts')).toBe(false);
    expect(allowed('host/index.ts', 'rpc/api/index.ts')).toBe(true);
    expect(allowed('agents/mcp/index.ts', 'agents/embedded/index.ts')).toBe(false);
    expect(allowed('agents/mcp/index.ts', 'rpc/client.ts')).toBe(true);
    expect(allowed('cli/host.ts', 'tui/index.ts')).toBe(true);
  });
});
