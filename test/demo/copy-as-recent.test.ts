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
  'brings the logs of %s to the last days, and nothing else',
  async (id) => {
    const from = fileURLToPath(new URL(`../../config/demo/${id}`, import.meta.url));
    await copyAsRecent(from, folder, DateTime.fromISO('2026-03-02T09:00:00'));
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

it.each(['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06', '2026-03-07', '2026-03-08'])(
  'brings the logs of the busiest evening into the week before %s, of which the recap is',
  async (day) => {
    const now = DateTime.fromISO(`${day}T09:00:00`, { zone: 'America/New_York' });
    const from = fileURLToPath(new URL('../../config/demo/northwood-1', import.meta.url));
    await copyAsRecent(from, folder, now);
    const texts = await Promise.all(
      (await readdir(folder)).map(async (name) => await readFile(join(folder, name), 'latin1')),
    );
    const dates = texts.flatMap((text) => text.match(/(?<=^AdminLog started on )\S+/gm) ?? []);
    expect(dates.length).toBeGreaterThan(0);
    for (const date of dates) {
      const started = DateTime.fromISO(date, { zone: now.zone });
      expect(started.startOf('week').plus({ weeks: 1 }).toISODate()).toBe(now.startOf('week').toISODate());
    }
  },
);
