import { styleText } from 'node:util';
import { count, printable, type Terminal } from '../output.ts';
import { wrapLine } from '../wrap.ts';
import { groups, type Group, type GroupedFinding } from './run-rows.ts';
import { limits } from '../limits.ts';

type Status = GroupedFinding['status'];
const statusMarks: Record<Status, string> = { good: '✓', warning: '!', wrong: '✗' };
const colors = { good: 'green', warning: 'yellow', wrong: 'red' } as const;

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
  const columns = terminal === null ? Infinity : Math.min(terminal.columns, limits.columns);
  /** A text behind a mark. */
  const marked = (indent: string, mark: string, text: string): string => {
    const margin = `${indent}  `;
    const lines = wrapLine(printable(text).trim(), columns - margin.length, '');
    return `${indent}${mark} ${lines.replaceAll('\n', `\n${margin}`)}`;
  };
  const lines: string[] = [];
  for (const group of Object.keys(groups) as Group[]) {
    const own = findings.filter((finding) => finding.group === group);
    if (own.length === 0) continue;
    lines.push(paint('bold', groups[group]));
    for (const [index, { status, key, tried, found, next }] of own.entries()) {
      const subject = key === tried ? key : `${key}  ${tried}`;
      lines.push(marked('  ', paint(colors[status], statusMarks[status]), `${subject}: ${found}`));
      // Advice that several findings in a row share is written once, below the last of them.
      if (next !== undefined && own[index + 1]?.next !== next)
        lines.push(marked('    ', paint('cyan', '→'), next));
    }
    lines.push('');
  }
  const { good, warning, wrong } = countFindings(findings);
  const parts = [
    ...(wrong > 0 ? [paint('red', count(wrong, 'problem'))] : []),
    ...(warning > 0 ? [paint('yellow', count(warning, 'warning'))] : []),
    `${good} fine`,
  ];
  const verdict =
    wrong + warning === 0 ? paint('green', `All is well: ${count(good, 'check')}.`) : `${parts.join(', ')}.`;
  return [...lines, verdict].join('\n');
}
