/**
 * Opens the stage: terminal, tokens, blessed's screen and compositor as one thing with one end.
 * Decides when to paint; what is painted and what a token means is decided above.
 */

import type { Widgets } from 'blessed';
import { openBlessedScreen } from './blessed-screen.ts';
import { Compositor } from './compositor.ts';
import type { ShownCursor } from './diff.ts';
import { areaOf, type PlacedLayer } from './layered-element.ts';
import { Listeners } from './listeners.ts';
import { Painter } from './painter.ts';
import { createPaneArea, type PaneContent } from './pane-area.ts';
import { planeOf } from './plane.ts';
import type { CursorPlace, CursorShape, Point, Size, Stage, StageOptions } from './stage-types.ts';
import { createStyledBox } from './styled-box.ts';
import type { Token } from './token.ts';
import { Tokenizer } from './tokenizer.ts';
import { feedWidget } from './widget-input.ts';

/** Enters the terminal and paints an empty screen. Close it by `dispose()`. */
export function createStage(options: StageOptions): Stage {
  const { terminal } = options;
  let size: Size = terminal.size;
  let layers: PlacedLayer[] = [];
  let chromeChanged = true;
  let cursor: { place: CursorPlace | undefined; shape: number } = { place: undefined, shape: 0 };
  const panes = new Map<string, PaneContent>();
  const tokens = new Listeners<Token>();
  const resizes = new Listeners<Size>();
  const paints = new Listeners<number>();

  const compositor = new Compositor(size.cols, size.rows);
  const painter = new Painter(terminal, nextFrame, (count) => paints.emit(count), options.frameMs);
  const blessed = openBlessedScreen(size.cols, size.rows, invalidateChrome);
  const host = {
    blessed,
    get layers() {
      return layers;
    },
    invalidateChrome,
  };
  const tokenizer = new Tokenizer((token) => {
    if (token.type === 'reply' && terminal.input.answered(token)) painter.request();
    tokens.emit(token);
  }, withEscapeMs(options.escapeMs));
  terminal.onInput((chunk) => tokenizer.push(chunk));
  terminal.onResize(resize);
  terminal.onResume(() => {
    resize();
    painter.restart();
  });
  terminal.enter();
  painter.request();

  function nextFrame(): Uint8Array | undefined {
    if (compositor.forgetIfCrowded()) chromeChanged = true;
    if (chromeChanged) renderChrome();
    const frame = compositor.frame(shownCursor());
    // Taken when it is written: a change that waited while the terminal was left is part of entering it.
    const keys = terminal.input.change();
    if (keys === '') return frame;
    return Buffer.concat([Buffer.from(keys), frame ?? new Uint8Array(0)]);
  }

  function renderChrome(): void {
    chromeChanged = false;
    layers = [];
    blessed.render();
    compositor.setPlane(planeOf(blessed.screen.lines, layers, compositor.tables, size.cols, size.rows));
  }

  function invalidateChrome(): void {
    chromeChanged = true;
    painter.request();
  }

  function invalidateLayers(paneId: string, rows?: [y0: number, y1: number], urgent = false): void {
    const offset = panes.get(paneId)?.offset.y ?? 0;
    for (const layer of layers) {
      if (layer.paneId !== paneId) continue;
      const last = layer.y + layer.rows - 1;
      const y0 = rows ? Math.max(layer.y, layer.y + rows[0] - offset) : layer.y;
      const y1 = rows ? Math.min(last, layer.y + rows[1] - offset) : last;
      if (y0 <= y1) compositor.invalidate(y0, y1);
    }
    painter.request(urgent);
  }

  function resize(): void {
    // Also when it is the size we know: terminals move their content when they change for a moment.
    size = terminal.size;
    compositor.reset(size.cols, size.rows);
    blessed.resize(size.cols, size.rows);
    invalidateChrome();
    resizes.emit(size);
  }

  function repaint(): void {
    compositor.repaint();
    invalidateChrome();
  }

  function shownCursor(): ShownCursor | undefined {
    const point = cursor.place && cursorPoint(cursor.place);
    if (!point || point.x < 0 || point.y < 0 || point.x >= size.cols || point.y >= size.rows)
      return undefined;
    return { ...point, shape: cursor.shape };
  }

  /** The screen cell, if what the place names is on top there. */
  function cursorPoint(place: CursorPlace): Point | undefined {
    if ('screen' in place) return place.screen;
    if ('element' in place) return elementPoint(place.element, place);
    const offset = panes.get(place.paneId)?.offset ?? { x: 0, y: 0 };
    for (const [index, layer] of layers.entries()) {
      if (layer.paneId !== place.paneId) continue;
      const point = { x: layer.x + place.x - offset.x, y: layer.y + place.y - offset.y };
      if (compositor.layerAt(point.x, point.y) === index) return point;
    }
    return undefined;
  }

  function elementPoint(element: Widgets.BlessedElement, { x, y }: Point): Point | undefined {
    const area = areaOf(element);
    if (!area) return undefined;
    const { ileft, itop } = element as unknown as { ileft: number; itop: number };
    const point = { x: area.x + ileft + x, y: area.y + itop + y };
    const inside =
      point.x >= area.x && point.y >= area.y && point.x < area.x + area.cols && point.y < area.y + area.rows;
    const index = layers.findIndex((layer) => layer.element === element);
    const covered = index >= 0 && compositor.layerAt(point.x, point.y) !== index;
    return inside && !covered ? point : undefined;
  }

  return {
    screen: blessed.screen,
    get size() {
      return size;
    },
    paneArea: (paneId, area) => createPaneArea(host, paneId, (id) => panes.get(id), area),
    styledBox: (box) => createStyledBox(host, box),
    setPaneSource(paneId, source, offset = { x: 0, y: 0 }) {
      if (source) panes.set(paneId, { source, offset });
      else panes.delete(paneId);
      invalidateLayers(paneId);
    },
    invalidateRows: (paneId, y0, y1, urgent) => invalidateLayers(paneId, [y0, y1], urgent),
    invalidateChrome,
    setCursor(place, shape) {
      cursor = { place, shape: shape ? shapeNumber(shape) : cursor.shape };
      painter.request();
    },
    // OSC 2 ends at the first control: none may be inside.
    title: (text) => painter.control(`\x1b]2;${text.replace(/[\x00-\x1f\x7f-\x9f]/g, '')}\x1b\\`),
    bell: () => painter.control('\x07'),
    wantInput(wanted) {
      if (terminal.input.want(wanted)) painter.request();
    },
    writeControl: (sequence) => painter.control(sequence),
    onToken: (listener) => tokens.add(listener),
    onResize: (listener) => resizes.add(listener),
    feedWidget: (token) => feedWidget(blessed, token),
    get paintedCount() {
      return painter.count;
    },
    onPainted: (listener) => paints.add(listener),
    whenPainted: () => painter.whenPainted(),
    repaint,
    suspend: () => terminal.suspend(),
    dispose() {
      painter.dispose();
      tokenizer.dispose();
      for (const listeners of [tokens, resizes, paints]) listeners.clear();
      terminal.dispose();
      blessed.destroy();
    },
  };
}

function withEscapeMs(escapeMs: number | undefined): { escapeMs?: number } {
  return escapeMs === undefined ? {} : { escapeMs };
}

/** DECSCUSR's numbers. */
function shapeNumber({ shape, blink }: CursorShape): number {
  return { block: 2, underline: 4, bar: 6 }[shape] - (blink ? 1 : 0);
}
