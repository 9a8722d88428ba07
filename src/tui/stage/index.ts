/**
 * The stage: the lowest floor of the TUI, everything about putting cells on the operator's terminal and
 * getting whole tokens from it. It never knows what a pane, a tab or an approval means.
 */

export { encodeToken, type MousePlace, type PaneModes } from './encode.ts';
export { isModifierKey } from './key-names.ts';
export type { PaneArea } from './pane-area.ts';
export type { Colour, Span, Style } from './span.ts';
export { createStage } from './stage.ts';
export type {
  AreaOptions,
  CursorPlace,
  CursorShape,
  PaneSource,
  Point,
  Size,
  Stage,
  StageOptions,
} from './stage-types.ts';
export type { Border, StyledBox, StyledBoxOptions } from './styled-box.ts';
export { type Terminal, ttyTerminal } from './terminal.ts';
export type {
  FocusToken,
  KeyToken,
  Modifiers,
  MouseToken,
  NamedKey,
  PasteToken,
  ReplyToken,
  TextToken,
  Token,
} from './token.ts';
export { splitText, Tokenizer, type TokenizerOptions } from './tokenizer.ts';
