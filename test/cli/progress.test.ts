import { expect, test } from 'vitest';
import { showSteps } from '../../src/cli/progress.ts';

const text = ({ step, total }: { step: string; total: number }, percent: number | null): string =>
  percent === null ? `${step} of ${total}` : `${step}: ${percent} %`;
const steps = [
  { step: 'copy', done: 0, total: 200 },
  { step: 'check', done: 50, total: 200 },
];

/** What a command shows of these steps. */
function shown(options: { json?: boolean }, hasTerminal: boolean): { line: string[]; err: string[] } {
  const line: string[] = [];
  const err: string[] = [];
  const progress = hasTerminal ? (one: string) => void line.push(one) : undefined;
  const output = { out: () => undefined, err: (one: string) => void err.push(one), progress };
  const view = showSteps(options, output, text);
  for (const step of steps) view.update(step);
  view.end();
  return { line, err };
}

test('long work shows one line on a terminal, a line for each step elsewhere, and nothing with --json', () => {
  expect(shown({}, true)).toEqual({ line: ['copy: 0 %', 'check: 25 %', ''], err: [] });
  expect(shown({}, false)).toEqual({ line: [], err: ['copy of 200', 'check of 200'] });
  expect(shown({ json: true }, true)).toEqual({ line: [], err: [] });
});
