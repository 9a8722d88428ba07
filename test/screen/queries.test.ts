import { describe, expect, it } from 'vitest';
import { Screen } from '../../src/screen/index.ts';

const queries: Array<[name: string, query: string, answer: string]> = [
  ['DA1', '\x1b[c', '\x1b[?1;2c'],
  ['DA2', '\x1b[>c', '\x1b[>0;276;0c'],
  ['DA3', '\x1b[=c', '\x1bP!|00000000\x1b\\'],
  ['DA3 with a parameter of its own', '\x1b[=1c', ''],
  ['XTVERSION', '\x1b[>q', '\x1bP>|tickmux\x1b\\'],
  ['XTVERSION with 0', '\x1b[>0q', '\x1bP>|tickmux\x1b\\'],
  ['XTVERSION with a parameter of its own', '\x1b[>1q', ''],
  ['status', '\x1b[5n', '\x1b[0n'],
  ['cursor position', '\x1b[3;4H\x1b[6n', '\x1b[3;4R'],
  ['cursor position, DEC', '\x1b[3;4H\x1b[?6n', '\x1b[?3;4R'],
  ['ANSI mode', '\x1b[4h\x1b[4$p', '\x1b[4;1$y'],
  ['DEC mode', '\x1b[?25$p', '\x1b[?25;1$y'],
  ['DECRQSS, margins', '\x1bP$qr\x1b\\', '\x1bP1$r1;24r\x1b\\'],
  ['DECRQSS, unknown', '\x1bP$qzz\x1b\\', '\x1bP0$r\x1b\\'],
  ['size in cells', '\x1b[18t', '\x1b[8;24;80t'],
  // A title that comes back as input would be words put into a program's mouth.
  ['title', '\x1b]2;rm\x07\x1b[21t', ''],
];

describe('a question to the terminal', () => {
  it.each(queries)('%s is answered once, whole or byte by byte', (_name, query, answer) => {
    const bytes = Buffer.from(query);
    for (const chunks of [[bytes], [...bytes].map((byte) => Buffer.of(byte))]) {
      const screen = new Screen({ cols: 80, rows: 24 });
      let replies = '';
      screen.onReply((reply) => {
        replies += reply;
      });
      for (const chunk of chunks) {
        screen.write(chunk);
        while (screen.parse(1_000));
      }
      expect(replies).toBe(answer);
      expect(screen.text().join('')).toBe('');
      screen.dispose();
    }
  });
});
