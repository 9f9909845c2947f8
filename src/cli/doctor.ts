import { styleText } from 'node:util';
import { version } from '../process/version.ts';
import { diagnose, type DiagnoseOptions } from './checks/diagnose.ts';
import { groups, type Group, type GroupedFinding } from './checks/run-rows.ts';
import { limits } from './limits.ts';
import { count, FailedResult, printable, printResult, type Output, type Terminal } from './output.ts';
import { showProgress } from './progress.ts';
import { wrapLine } from './wrap.ts';

/** Checks everything, or what can be checked without asking another machine. */
export async function doctor(output: Output, { offline = false }: { offline?: boolean }): Promise<void> {
  await report(output, { isOffline: offline });
}

/** What the doctor checks of a config without asking another machine. */
export async function checkConfig(output: Output, configFile: string | undefined): Promise<void> {
  await report(output, { isOffline: true, configFile });
}

async function report(output: Output, what: DiagnoseOptions): Promise<void> {
  const { update, end } = showProgress<string>(output, (text) => text);
  const onEnd = (done: number, total: number): void => update(`checking… ${done} of ${total}`);
  const findings = await diagnose({ ...what, onEnd });
  end();
  const counts = countFindings(findings);
  const text = reportText(findings, output.terminal ?? null);
  printResult(output, { ok: counts.wrong === 0, version, ...counts, findings }, text, true);
  if (counts.wrong > 0) throw new FailedResult();
}

type Status = GroupedFinding['status'];
const statusMarks: Record<Status, string> = { good: '✓', warning: '!', wrong: '✗' };
const colors = { good: 'green', warning: 'yellow', wrong: 'red' } as const;

function countFindings(findings: readonly GroupedFinding[]): Record<Status, number> {
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
    const lines = wrapLine(printable(text).trimEnd(), columns - margin.length, '');
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
