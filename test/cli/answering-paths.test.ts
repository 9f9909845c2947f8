import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitForPaths } from '../../src/cli/import/wait-for-paths.ts';
import { fixedPartOf } from '../../src/cli/import/log-paths.ts';

const options = {
  slowMs: 100,
  deadlineMs: 300,
  firstPauseMs: 50,
  longestPauseMs: 100,
  module: new URL('../server/files/hanging-process.js', import.meta.url),
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outpost-paths-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a path that does not answer is named once and waited for; others, and missing ones, are not', async () => {
  const hung = join(folder, 'hung.ADM');
  const good = join(folder, 'good.ADM');
  for (const path of [hung, good, `${hung}.hangs`]) writeFileSync(path, '');
  const said: string[] = [];
  const output = { out: () => undefined, err: (text: string) => void said.push(text) };
  await waitForPaths([good, folder, join(folder, 'missing')], output, options);
  expect(said).toEqual([]);

  let isOver = false;
  const waiting = waitForPaths([hung, good], output, options).then(() => (isOver = true));
  await expect.poll(() => said).toHaveLength(1);
  expect(said[0]).toBe(
    `${hung} does not answer: the share or disk that holds it hangs. Waiting for it; Ctrl+C ends the command.`,
  );
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(isOver).toBe(false);
  rmSync(`${hung}.hangs`);
  await waiting;
  expect(said).toHaveLength(1);
});

test.each([
  ['logs/x.ADM', 'logs/x.ADM'],
  ['*.ADM', '.'],
  ['/srv/dayz/**/*.ADM', '/srv/dayz'],
  ['/*.ADM', '/'],
])('the pattern %s is looked for in %s', (path, folderOfPattern) => {
  expect(fixedPartOf(path)).toBe(folderOfPattern);
});
