/**
 * How an element of ours draws: it marks its cells in blessed's drawing as a layer's and draws its
 * children over them. What the layer shows is the element's own business.
 */

import type { Widgets } from 'blessed';
import type { BlessedCell, BlessedScreen, ScreenInternals } from './blessed-screen.ts';
import type { Layer } from './compositor.ts';
import { layerMark } from './plane.ts';

/** A place on the screen: blessed's `lpos`. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly cols: number;
  readonly rows: number;
}

/** A layer and who put it there. */
export interface PlacedLayer extends Layer, Area {
  readonly element: Widgets.BlessedElement;
  readonly paneId?: string;
}

/** What elements need from the stage. */
export interface ElementHost {
  readonly blessed: BlessedScreen;
  /** Layers of the rendering going on, in the order of stacking. */
  readonly layers: PlacedLayer[];
  invalidateChrome(): void;
}

interface Coordinates {
  xi: number;
  xl: number;
  yi: number;
  yl: number;
}

/** Members of blessed's elements that have no public type. */
interface ElementInternals {
  lpos: Coordinates | undefined;
  screen: ScreenInternals;
  children: (ElementInternals & { index: number; render(): void })[];
  _emit(type: string, args?: unknown[]): void;
  _getCoords(get: boolean): Coordinates | undefined;
  render(): Coordinates | undefined;
}

/** Makes `element` draw as the layer that `layerAt` returns for its place. */
export function drawAsLayer(
  element: Widgets.BoxElement,
  host: ElementHost,
  layerAt: (area: Area) => Omit<PlacedLayer, 'element' | keyof Area>,
): void {
  const self = element as unknown as ElementInternals;
  self.render = () => {
    self._emit('prerender');
    const place = self._getCoords(true);
    self.lpos = place;
    if (!place || place.xl <= place.xi || place.yl <= place.yi) {
      self.lpos = undefined;
      return undefined;
    }
    const area = { x: place.xi, y: place.yi, cols: place.xl - place.xi, rows: place.yl - place.yi };
    // Assigned, not spread: a layer's getters are read when it is composed.
    host.layers.push(Object.assign(layerAt(area), area, { element }));
    markCells(self.screen.lines, area, layerMark(host.layers.length - 1));
    for (const child of self.children) {
      if (self.screen._ci !== -1) child.index = self.screen._ci++;
      child.render();
    }
    self._emit('render', [place]);
    return place;
  };
}

function markCells(lines: BlessedCell[][], area: Area, mark: number): void {
  for (let y = Math.max(0, area.y); y < Math.min(lines.length, area.y + area.rows); y++) {
    const line = lines[y]!;
    for (let x = Math.max(0, area.x); x < Math.min(line.length, area.x + area.cols); x++) {
      const cell = line[x]!;
      cell[0] = mark;
      cell[1] = ' ';
    }
  }
}

/** Where blessed drew the element last. */
export function areaOf(element: Widgets.BlessedElement): Area | undefined {
  const place = (element as unknown as ElementInternals).lpos;
  return place && { x: place.xi, y: place.yi, cols: place.xl - place.xi, rows: place.yl - place.yi };
}

/** blessed tells undefined options from absent ones. */
export function withoutUndefined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}
