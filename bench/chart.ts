/** Draws measures as an SVG chart: a row each, on a logarithmic scale where tmux is 1 and less is better. */
import { digits } from './figures.ts';
import { type Measured, ratioOf } from './measure.ts';

const colours: Record<string, string> = { tickmux: '#0b7285', screen: '#adb5bd', dvtm: '#ced4da' };
const rowHeight = 24;
const labelWidth = 360;
const plotWidth = 420;
const top = 44;
/** The scale goes from a hundredth to a hundred times of tmux. */
const decades = 2;

export function chart(all: readonly Measured[]): string {
  const rows = all.filter((measured) => ratioOf(measured) !== undefined);
  const height = top + rows.length * rowHeight + 12;
  const body = [
    ...scale(height),
    ...rows.flatMap((measured, index) => row(measured, top + index * rowHeight)),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${labelWidth + plotWidth + 70} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    `<text x="8" y="18" font-weight="bold">Compared with tmux (1); to the left is better</text>`,
    ...body,
    '</svg>\n',
  ].join('\n');
}

function scale(height: number): string[] {
  const lines: string[] = [];
  for (let power = -decades; power <= decades; power++) {
    const x = place(10 ** power);
    lines.push(
      `<line x1="${x}" x2="${x}" y1="${top - 8}" y2="${height - 8}" stroke="${power === 0 ? '#495057' : '#dee2e6'}"/>`,
      `<text x="${x}" y="${top - 12}" text-anchor="middle" fill="#495057">${10 ** power}</text>`,
    );
  }
  return lines;
}

function row(measured: Measured, y: number): string[] {
  const middle = y + rowHeight / 2;
  const parts = [`<text x="8" y="${middle + 4}">${measured.measure}</text>`];
  for (const name of Object.keys(colours).reverse()) {
    const ratio = ratioOf(measured, name);
    if (ratio === undefined) continue;
    parts.push(
      `<circle cx="${place(ratio)}" cy="${middle}" r="5" fill="${colours[name]}"><title>${name}: ${digits(ratio)}</title></circle>`,
    );
    if (name === 'tickmux') {
      parts.push(
        `<text x="${labelWidth + plotWidth + 12}" y="${middle + 4}" fill="${colours[name]}">${digits(ratio)}</text>`,
      );
    }
  }
  return parts;
}

function place(ratio: number): number {
  const power = Math.min(decades, Math.max(-decades, Math.log10(ratio || 10 ** -decades)));
  return Math.round(labelWidth + ((power + decades) / (2 * decades)) * plotWidth);
}
