import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DateTime } from 'luxon';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { copyAsRecent } from '../../src/demo/copy-as-recent.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-recent-'));
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

it.each(['northwood-1', 'northwood-2'])(
  'brings the logs of %s to a day, and changes nothing else',
  async (id) => {
    const from = fileURLToPath(new URL(`../../config/demo/${id}`, import.meta.url));
    await copyAsRecent(from, folder, DateTime.fromISO('2026-02-28'));
    const dates = [];
    const names = await readdir(folder);
    for (const [index, name] of (await readdir(from)).entries()) {
      const before = await readFile(join(from, name), 'latin1');
      const after = await readFile(join(folder, names[index] as string), 'latin1');
      const headers = after.match(/^AdminLog started on (\S+)/gm) ?? [];
      dates.push(...headers.map((header) => header.slice(-10)));
      const dateless = (text: string) => text.replaceAll(/^(AdminLog started on|Current time: +).*$/gm, '$1');
      expect(dateless(after)).toBe(dateless(before));
    }
    expect(dates.toSorted().at(-1)).toBe('2026-02-28');
    expect(names.join()).not.toContain('2021');
  },
);
