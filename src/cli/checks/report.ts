import { styleText } from 'node:util';
import { count, printable, type Terminal } from '../output.ts';
import { groups, type Group, type GroupedFinding } from './row.ts';

type Status = GroupedFinding['status'];
const statusMarks: Record<Status, string> = { good: '✓', warning: '!', wrong: '✗' };
const colors: Record<Status, 'green' | 'yellow' | 'red'> = { good: 'green', warning: 'yellow', wrong: 'red' };
const widest = 100;

/** How many findings have each status. */
export function countFindings(findings: readonly GroupedFinding[]): Record<Status, number> {
  const counts = { good: 0, warning: 0, wrong: 0 };
  for (const { status } of findings) counts[status] += 1;
  return counts;
}

/**
 * The report as text: the findings in their groups, then the verdict.
 * @param terminal null: the text is piped; lines stay whole and have no colours
 */
export function reportText(findings: readonly GroupedFinding[], terminal: Terminal | null): string {
  const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
    terminal?.hasColors === true ? styleText(style, text, { validateStream: false }) : text;
  const columns = terminal === null ? Infinity : Math.min(terminal.columns, widest);
  const lines: string[] = [];
  for (const group of Object.keys(groups) as Group[]) {
    const own = findings.filter((finding) => finding.group === group);
    if (own.length === 0) continue;
    lines.push(paint('bold', groups[group]));
    for (const [place, { status, key, tried, found, next }] of own.entries()) {
      const subject = key === tried ? key : `${key}  ${tried}`;
      const [first = '', ...others] = wrapped(`${subject}: ${found}`, columns - 4);
      lines.push(
        `  ${paint(colors[status], statusMarks[status])} ${first}`,
        ...others.map((line) => `    ${line}`),
      );
      // Advice that several findings share stands below the last of them.
      if (next === undefined || own[place + 1]?.next === next) continue;
      const [fix = '', ...more] = wrapped(next, columns - 6);
      lines.push(`    ${paint('cyan', '→')} ${fix}`, ...more.map((line) => `      ${line}`));
    }
    lines.push('');
  }
  return [...lines, verdict(findings, paint)].join('\n');
}

function verdict(
  findings: readonly GroupedFinding[],
  paint: (style: 'green' | 'yellow' | 'red', text: string) => string,
): string {
  const { good, warning, wrong } = countFindings(findings);
  const parts = [
    ...(wrong > 0 ? [paint('red', count(wrong, 'problem'))] : []),
    ...(warning > 0 ? [paint('yellow', count(warning, 'warning'))] : []),
    `${good} fine`,
  ];
  return wrong + warning === 0
    ? paint('green', `All is well: ${count(good, 'check')}.`)
    : `${parts.join(', ')}.`;
}

/** Breaks a text at blanks, and words that are longer than a line where it ends. */
function wrapped(text: string, width: number): string[] {
  if (width === Infinity) return [printable(text).trim()];
  const lines: string[] = [];
  let line = '';
  for (const word of printable(text).split(/ +/)) {
    let rest = word;
    if (line !== '' && line.length + 1 + rest.length > width) {
      lines.push(line);
      line = '';
    }
    while (rest.length > width) {
      lines.push(rest.slice(0, width));
      rest = rest.slice(width);
    }
    line = line === '' ? rest : `${line} ${rest}`;
  }
  return [...lines, line];
}
