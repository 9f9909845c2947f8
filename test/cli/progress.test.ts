import { expect, test } from 'vitest';
import { percentOf, showProgress } from '../../src/cli/progress.ts';

test('long work shows one line on a terminal, which goes at its end, and nothing elsewhere', () => {
  const drawn: string[] = [];
  const output = { out: () => undefined, err: () => undefined };
  for (const progress of [(text: string) => void drawn.push(text), undefined]) {
    const terminal = { columns: 12, hasColors: false };
    const { update, end } = showProgress<number>({ ...output, progress, terminal }, (done) => {
      return `${percentOf(done, 200)} of what there is`;
    });
    update(50);
    end();
  }
  expect(drawn).toEqual(['25 % of wha', '']);
});
