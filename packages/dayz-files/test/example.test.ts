import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listBans } from '../example/bans.ts';
import { listKills } from '../example/kills.ts';
import { samples } from './fixture.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

it.each(['kills', 'bans'])('README.md shows example/%s.ts as it is', (name) => {
  expect(read('README.md')).toContain(`\`\`\`ts\n${read(`example/${name}.ts`)}\`\`\``);
});

it('finds the kills in an .ADM file, as README.md says', async () => {
  const log = join(samples, 'server-a', 'DayZServer_x64_2021_04_05_060535866.ADM');
  const kills = await listKills(log, 'Europe/Berlin');
  expect(kills).toEqual([
    '2021-04-04T19:06:42.000Z Yt Qcci killed Fnm Tsvh (XM8, 44 m)',
    '2021-04-04T20:05:54.000Z Gvafzh9-5 killed SbiztbZmigo (Tec9, 2 m)',
  ]);
  expect(read('README.md')).toContain(kills[0]);
});

it('finds the bans in a bans.txt', async () => {
  const bans = await listBans(join(samples, 'bans', 'battleye-arma-2.txt'));
  expect(bans).toHaveLength(19);
  expect(bans[0]).toBe('2d485226f6af536b6812aeaf7f3e2975 for good: Pcqa qz sr dk WFADYWXXO.');
  expect(bans.at(-1)).toBe(
    'f18fef63998da4ef282918d1268b186a until 2015-03-31T00:36:22.000Z: [EQM] Glxxc [GGTQ] ITY.  94 unadr',
  );
});
