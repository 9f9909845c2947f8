// CPU time of the squares of a heat map from 100,000 deaths that are kept one by one, and of its picture:
//   npx tsx bench/heatmap.ts [--deaths 100000]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '../src/demo/random.ts';
import { drawHeatMap } from '../src/embeds/map/draw.ts';
import { terrainOf } from '../src/embeds/maps.ts';
import { languageOf } from '../src/locales/language.ts';
import { readHeat } from '../src/server/store/repositories/kills/heat-cells.ts';
import { openNewStore } from '../test/harness/new-store.ts';
import { addPlayers, happen } from '../test/server/store/repositories/kills/heat-world.ts';

const { values } = parseArgs({ options: { deaths: { type: 'string', default: '100000' } } });
const count = Number(values.deaths);
const rounds = 9;
const now = Date.UTC(2026, 2, 1);
const folder = mkdtempSync(join(tmpdir(), 'outpost-heat-'));
const { db, close } = await openNewStore(join(folder, 'store.sqlite'), { busyTimeoutMs: 1000 });
await db
  .insertInto('project')
  .values({
    id: 'p',
    slug: 'p',
    name: 'P',
    plan: 'PRO',
    suspended: 0,
    support: '{}',
    active: 1,
    kill_positions: 1,
  })
  .execute();
const address = { host: 'localhost', port: 2302, query_port: null, timezone: 'UTC' };
await db
  .insertInto('server')
  .values({ id: 's', project_id: 'p', position: 0, name: 's', game: 'dayz', active: 1, ...address })
  .execute();
await addPlayers(db);
const random = seededRandom(1);
const { towns } = terrainOf('chernarusplus')!;
const square = (meters: number) => Math.max(0, Math.floor((meters + (random() - 0.5) * 1_500) / 200));
await happen(
  db,
  Array.from({ length: count }, () => {
    const town = towns[Math.floor(random() ** 2 * towns.length)]!;
    const at = now - Math.floor(random() * 90 * 86_400_000);
    return {
      at,
      victim: 1 + Math.floor(random() * 9),
      place: [square(town.east), square(town.north)] as const,
    };
    // As they happened, since logs are read in order: rows of a week lie together.
  }).toSorted((one, other) => one.at - other.at),
);

const query = {
  projectId: 'p',
  serverId: 's',
  kind: 'deaths',
  from: 0,
  until: now,
  hiddenFrom: now,
} as const;
const times = { squares: [] as number[], picture: [] as number[] };
let squares = 0;
for (let round = 0; round < rounds; round += 1) {
  const before = process.cpuUsage();
  const cells = await readHeat(db, { ...query, weapon: null });
  times.squares.push(milliseconds(process.cpuUsage(before)));
  squares = cells.length;
  const drawn = process.cpuUsage();
  await drawHeatMap(
    {
      server: 'Northwood',
      kind: 'deaths',
      period: null,
      weapon: null,
      cells,
      terrain: terrainOf('chernarusplus'),
      since: null,
      delayMinutes: 1440,
    },
    null,
    languageOf('en-US'),
  );
  times.picture.push(milliseconds(process.cpuUsage(drawn)));
}
for (const [what, each] of Object.entries(times)) {
  const [least, median] = [each.toSorted((a, b) => a - b)[0]!, each.toSorted((a, b) => a - b)[rounds >> 1]!];
  console.log(`${what}: median ${median.toFixed(0)} ms of CPU, least ${least.toFixed(0)} ms`);
}
console.log(`${count} deaths in ${squares} squares`);
await close();
rmSync(folder, { recursive: true });

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}
