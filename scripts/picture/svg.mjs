/** A terminal's screen as SVG: one text element for each run of cells that look alike. */

const cell = { width: 8.4, height: 17, baseline: 13 };
const ink = '#d8dee9';
const paper = '#171b24';
const palette = [
  '#3b4252',
  '#e06c75',
  '#98c379',
  '#e5c07b',
  '#61afef',
  '#c678dd',
  '#56b6c2',
  '#d8dee9',
  '#6b7689',
  '#ff7b86',
  '#b5e08c',
  '#ffd68a',
  '#82c4ff',
  '#d99bf0',
  '#7fd4df',
  '#ffffff',
];

export function drawSvg(terminal) {
  const { cols, rows } = terminal;
  const width = Math.ceil(cols * cell.width) + 16;
  const height = rows * cell.height + 16;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<rect width="100%" height="100%" rx="6" fill="${paper}"/>`,
    '<g transform="translate(8 8)" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="14">',
  ];
  for (let y = 0; y < rows; y++) parts.push(...drawRow(terminal.buffer.active.getLine(y), y, cols));
  parts.push('</g></svg>');
  return `${parts.join('\n')}\n`;
}

function drawRow(line, y, cols) {
  const parts = [];
  for (const run of runs(line, cols)) {
    const x = (run.x * cell.width).toFixed(1);
    const width = (run.columns * cell.width).toFixed(1);
    const top = y * cell.height;
    if (run.background !== paper) {
      parts.push(
        `<rect x="${x}" y="${top}" width="${width}" height="${cell.height}" fill="${run.background}"/>`,
      );
    }
    parts.push(...blocks(run, y));
    const text = run.text.replace(/[▁-█]/g, ' ');
    if (text.trim() === '') continue;
    const style = `${run.bold ? ' font-weight="bold"' : ''}${run.dim ? ' opacity="0.6"' : ''}`;
    parts.push(
      `<text x="${x}" y="${top + cell.baseline}" fill="${run.colour}"${style} xml:space="preserve" textLength="${width}">${escapeXml(text)}</text>`,
    );
  }
  return parts;
}

/** Lower blocks as rectangles: a font would leave seams between the lines. */
function blocks(run, y) {
  if (!/[▁-█]/.test(run.text)) return [];
  let path = '';
  [...run.text].forEach((character, index) => {
    const eighths = character.codePointAt(0) - 0x2580;
    if (eighths < 1 || eighths > 8) return;
    const height = (cell.height * eighths) / 8;
    const x = (run.x + index) * cell.width;
    const top = (y + 1) * cell.height - height;
    path += `M${x.toFixed(1)} ${top.toFixed(1)}h${cell.width}v${height.toFixed(1)}h-${cell.width}z`;
  });
  return [`<path d="${path}" fill="${run.colour}" shape-rendering="crispEdges"/>`];
}

function runs(line, cols) {
  const found = [];
  for (let x = 0; x < cols; ) {
    const at = line.getCell(x);
    const columns = Math.max(1, at.getWidth());
    const look = lookOf(at);
    const last = found.at(-1);
    const same = last && ['colour', 'background', 'bold', 'dim'].every((key) => last[key] === look[key]);
    const text = at.getChars() || ' ';
    if (same && last.x + last.columns === x) {
      last.text += text;
      last.columns += columns;
    } else {
      found.push({ x, columns, text, ...look });
    }
    x += columns;
  }
  return found;
}

function lookOf(at) {
  let colour = shade(at.isFgDefault(), at.isFgRGB(), at.getFgColor(), ink);
  let background = shade(at.isBgDefault(), at.isBgRGB(), at.getBgColor(), paper);
  if (at.isInverse()) [colour, background] = [background, colour];
  return { colour, background, bold: at.isBold() !== 0, dim: at.isDim() !== 0 };
}

function shade(isDefault, isRgb, value, fallback) {
  if (isDefault) return fallback;
  if (isRgb) return `#${value.toString(16).padStart(6, '0')}`;
  return palette[value] ?? fallback;
}

function escapeXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
