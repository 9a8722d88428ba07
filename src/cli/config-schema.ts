/** The settings of `config.jsonc`, as data: `tickmux schema config` prints it, the reader checks by it. */
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { prefixKeys } from '../tui/keymap.ts';
import type { LayoutTree } from '../tui/settings.ts';
import { themes } from '../tui/theme.ts';

const namedKeys =
  'Up|Down|Left|Right|Home|End|PageUp|PageDown|Insert|Delete|Enter|Tab|Backspace|Esc|Space|F[1-9]|F1[0-2]';
/** As terminals can send it: a sign, a sign with Ctrl (lower case, and none that is a key of its own) or Alt, a named key. */
const keyPattern = `^(?:[^\\s\\x00-\\x1f]|C-(?:[a-gj-ln-z]|[\\]\\\\^_h])|M-[^\\s]|(?:C-)?(?:M-)?(?:S-)?(?:${namedKeys}))$`;

/** One byte to every terminal, and none that is Tab, Enter, Backspace or Esc. */
const Prefix = Type.String({
  pattern: '^C-(?:[a-gk-ln-z]|[\\]\\\\^_]|Space)$',
  default: 'C-b',
  description: 'The key before every other key of tickmux: Ctrl with a letter, Space or one of ] \\ ^ _.',
  $comment: 'Ctrl with a key, such as "C-a" or "C-Space" (not C-h, C-i, C-j, C-m, C-[)',
});

const oneKey = {
  pattern: keyPattern,
  $comment: 'a key, such as "x", "C-x", "M-x", "PageUp" or "F5", or a list of keys',
};

function keysOf(description: string, keys: readonly string[] = []): TSchema {
  return Type.Unsafe<string | string[]>({
    type: ['string', 'array'],
    ...oneKey,
    items: { type: 'string', ...oneKey },
    ...(keys.length > 0 && { default: keys }),
    description,
  });
}

const Keys = Type.Unsafe<Record<string, string | string[]>>({
  type: 'object',
  description: 'Keys after the prefix: action to key, or to a list of keys ([] for none).',
  properties: Object.fromEntries(prefixKeys.map(({ action, keys, help }) => [action, keysOf(help, keys)])),
  patternProperties: {
    '^(?:theme|layout|move-pane|resize) .+$': keysOf('The command of the palette with that name.'),
  },
  additionalProperties: false,
});

/** Places for panes, nested as deep as one likes. */
const Layout = Type.Object(
  {
    weight: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1_000,
        default: 1,
        description: 'Size beside its siblings.',
      }),
    ),
    columns: Type.Optional(
      Type.Array(Type.Unsafe<LayoutTree>({ $ref: '#/definitions/layout' }), {
        minItems: 1,
        description: 'Places beside each other.',
      }),
    ),
    rows: Type.Optional(
      Type.Array(Type.Unsafe<LayoutTree>({ $ref: '#/definitions/layout' }), {
        minItems: 1,
        description: 'Places one above the other.',
      }),
    ),
  },
  { additionalProperties: false, description: 'A place for a pane, or a split into places.' },
);

export const Config = Type.Object(
  {
    $schema: Type.Optional(Type.String({ description: 'For editors: where this schema is.' })),
    prefix: Type.Optional(Prefix),
    keys: Type.Optional(Keys),
    theme: Type.Optional(
      Type.String({
        pattern: '^[a-z][a-z0-9-]*$',
        description:
          `A bundled theme (${themes.map(({ name }) => name).join(', ')}), or NAME of themes/NAME.json beside ` +
          'this file. By default the one chosen last in the palette, else terminal.',
        $comment: 'the name of a theme: small letters, digits and -',
      }),
    ),
    inspector: Type.Optional(
      Type.Unsafe<'auto' | 'on' | 'off'>({
        enum: ['auto', 'on', 'off'],
        default: 'auto',
        description:
          'Whether the inspector stands beside the panes of a wide terminal at first; auto: as you left it.',
      }),
    ),
    clipboard: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Let the program in the focused pane copy to the clipboard (OSC 52).',
      }),
    ),
    activity: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Mark a tab (#) when a program in it has written something since you last looked.',
      }),
    ),
    layouts: Type.Optional(
      Type.Unsafe<Record<string, LayoutTree>>({
        type: 'object',
        propertyNames: { pattern: '^\\S(?:.{0,30}\\S)?$' },
        additionalProperties: { $ref: '#/definitions/layout' },
        description:
          'Saved layouts by name: `layout NAME` in the palette arranges the panes of a tab by one.',
      }),
    ),
    scrollback: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 50_000,
        default: 1_000,
        description: 'Lines kept above each screen; 1000 take about 2 MB a program.',
      }),
    ),
    shell: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4_096,
        description: "The shell of new panes, and SHELL in them. By default your environment's SHELL.",
      }),
    ),
    playbook: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4_096,
        description: 'Playbook of the rules driver, relative to this file; --playbook goes before it.',
      }),
    ),
  },
  {
    title: 'tickmux configuration',
    description: '$XDG_CONFIG_HOME/tickmux/config.jsonc, JSON with comments.',
    additionalProperties: false,
    definitions: { layout: Layout },
  },
);
export type Config = Static<typeof Config>;
