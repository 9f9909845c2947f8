// Draws what a terminal shows as an SVG.
import anser, { type AnserJsonEntry } from 'anser';

const columns = 80;
const charWidth = 8.4;
const lineHeight = 19;
const margin = 16;
const colors = { back: '#16181d', text: '#d7dae0', dim: '#8b919d' };
/** anser's colours are those of a light terminal of 1990; these have the contrast that a dark picture needs. */
const readable: Readonly<Record<string, string>> = {
  '0, 0, 0': '#8b919d',
  '187, 0, 0': '#ff7b72',
  '0, 187, 0': '#56d364',
  '187, 187, 0': '#e3b341',
  '0, 0, 187': '#79c0ff',
  '187, 0, 187': '#d2a8ff',
  '0, 187, 187': '#56d4dd',
  '255,255,255': '#ffffff',
  '85, 85, 85': '#8b919d',
};

/** @param text rows of a terminal of 80 columns, with escape sequences for colours */
export function terminalSvg(text: string, title: string): string {
  const rows = text.trimEnd().split('\n');
  const width = Math.ceil(columns * charWidth + 2 * margin);
  const height = rows.length * lineHeight + 2 * margin;
  const lines = rows.flatMap((row, index) => drawRow(row, margin + index * lineHeight + 14));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${escape(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${colors.back}"/>`,
    `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" fill="${colors.text}">`,
    ...lines,
    '</g></svg>',
    '',
  ].join('\n');
}

/** Each part is placed at its own column, so that no font shifts what follows. */
function drawRow(row: string, y: number): string[] {
  let column = 0;
  return anser.ansiToJson(row, { json: true, remove_empty: true }).flatMap((part) => {
    const x = (margin + column * charWidth).toFixed(1);
    const { length } = [...part.content];
    column += length;
    if (part.content.trim() === '') return [];
    const size = `textLength="${(length * charWidth).toFixed(1)}" lengthAdjust="spacingAndGlyphs"`;
    return [`<text x="${x}" y="${y}" ${size}${styleOf(part)}>${escape(part.content)}</text>`];
  });
}

function styleOf({ fg, decorations }: AnserJsonEntry): string {
  const isDim = decorations.includes('dim');
  const fill = isDim ? colors.dim : fg === null ? null : (readable[fg] ?? `rgb(${fg})`);
  return (
    (fill === null ? '' : ` fill="${fill}"`) + (decorations.includes('bold') ? ' font-weight="bold"' : '')
  );
}

/** The text of a picture, row by row. */
export function textOfSvg(svg: string): string {
  const texts = [...svg.matchAll(/<text x="([\d.]+)" y="(\d+)"[^>]*>([^<]*)<\/text>/g)];
  const rows: string[] = [];
  for (const [, x, y, content = ''] of texts) {
    const index = (Number(y) - margin - 14) / lineHeight;
    const column = Math.round((Number(x) - margin) / charWidth);
    rows[index] = (rows[index] ?? '').padEnd(column) + unescape(content);
  }
  return Array.from({ length: rows.length }, (_, index) => (rows[index] ?? '').trimEnd()).join('\n');
}

/** A blank is kept as a no-break space: renderers join several blanks. */
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  ' ': '&#160;',
};
const escape = (text: string): string => text.replace(/[&<>" ]/g, (character) => entities[character] ?? '');
const unescape = (text: string): string =>
  Object.entries(entities).reduceRight(
    (rest, [character, entity]) => rest.replaceAll(entity, character),
    text,
  );
