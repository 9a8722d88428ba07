/**
 * How a program wants mouse events written (modes 1005, 1006, 1015, 1016), of which the emulator knows two.
 * As in xterm there is one setting: the last one set counts, until it is reset. Never sees an event.
 */
import type { ScreenModes } from '../cells/frame.ts';
import type { EmulatorCore } from './core.ts';

const encodings: Record<number, ScreenModes['mouseEncoding'] | undefined> = {
  1005: 'utf8',
  1006: 'sgr',
  1015: 'urxvt',
  1016: 'sgr-pixels',
};

export class MouseEncoding {
  current: ScreenModes['mouseEncoding'] = 'default';

  constructor(core: EmulatorCore, reply: (text: string) => void) {
    for (const final of ['h', 'l']) {
      core.registerCsiHandler({ prefix: '?', final }, ({ params, length }) => {
        for (const mode of params.subarray(0, length)) {
          const encoding = encodings[mode];
          if (!encoding) continue;
          if (final === 'h') this.current = encoding;
          else if (this.current === encoding) this.current = 'default';
        }
        return false;
      });
    }
    core.registerCsiHandler({ prefix: '?', intermediates: '$', final: 'p' }, ({ params }) => {
      const mode = params[0] as number;
      const encoding = encodings[mode];
      if (!encoding) return false;
      // How large a cell is only the operators' terminals know: who asks first is told to do without pixels.
      const state = encoding === 'sgr-pixels' ? 0 : encoding === this.current ? 1 : 2;
      reply(`\x1b[?${mode};${state}$y`);
      return true;
    });
  }

  reset(): void {
    this.current = 'default';
  }
}
