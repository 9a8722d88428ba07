/**
 * A program on the stage, run in a real terminal by `terminal.test.ts`: shows what it is told and does
 * what one key asks for. `argv[2]` is a file it reports its state to.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { createStage, ttyTerminal } from '../../../src/tui/stage/index.ts';

const statusFile = process.argv[2] ?? '';
const stage = createStage({ terminal: ttyTerminal() });
const box = stage.styledBox({
  width: '100%',
  height: '100%',
  border: { title: [{ text: `pid ${process.pid}` }] },
});
const log: string[] = [];
let ticks = 0;
let ticksAtPaint = 0;
let flooding = false;

function show(line: string): void {
  log.push(line);
  box.setLines(log.map((text) => [{ text }]));
}

/** Changes every cell at every turn of the event loop, which goes on whether or not the terminal takes it. */
function flood(): void {
  if (!flooding) {
    show('flood done');
    return;
  }
  ticks++;
  const { cols, rows } = stage.size;
  const letter = String.fromCharCode(97 + (ticks % 26));
  box.setLines(
    Array.from({ length: rows }, (_, y) => [{ text: letter.repeat(cols), fg: (ticks + y) % 256 }]),
  );
  if (ticks % 20 === 0) report({ ticks, sincePaint: ticks - ticksAtPaint });
  setImmediate(flood);
}

function report(status: object): void {
  writeFileSync(`${statusFile}.new`, JSON.stringify(status));
  renameSync(`${statusFile}.new`, statusFile);
}

stage.onPainted(() => {
  ticksAtPaint = ticks;
});
stage.onResize(({ cols, rows }) => show(`size ${cols}x${rows}`));
stage.onToken((token) => {
  if (token.type === 'key' && token.ctrl && token.name === 'z') return stage.suspend();
  if (token.type !== 'text') return show(`${token.type} ${'name' in token ? token.name : ''}`);
  switch (token.text) {
    case 'x':
      process.exit(3);
      break;
    case 't':
      throw new Error('boom');
    case 'd':
      stage.dispose();
      console.log('disposed');
      break;
    case 'f':
      flooding = true;
      flood();
      break;
    case 's':
      flooding = false;
      break;
    default:
      show(`text ${token.text}`);
  }
});
show('ready');
