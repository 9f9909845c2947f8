// Draws the heat maps of the documentation: deaths of the samples in test/samples, which are all on Chernarus, and made-up
// ones around towns of Livonia and Sakhal. Their size is for a PNG optimiser: pngquant --force --ext .png --speed 1 256
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { heatCellMeters, type HeatCell } from '../src/api/heat-maps.ts';
import { seededRandom } from '../src/demo/random.ts';
import { drawHeatMap } from '../src/embeds/map/draw.ts';
import type { HeatMapView } from '../src/embeds/map/heat-map.ts';
import { terrainOf } from '../src/embeds/maps.ts';
import { languageOf } from '../src/locales/language.ts';
import { readHeat } from '../src/server/store/repositories/kills/heat-cells.ts';
import { importLogs } from '../test/harness/logs.ts';
import { northwood } from '../test/harness/northwood.ts';
import { startTestService } from '../test/harness/service.ts';

const samples = fileURLToPath(new URL('../test/samples/dayz/', import.meta.url));

await take('chernarus', { map: 'chernarusplus', kind: 'deaths', cells: await sampleDeaths() });
await take('livonia', {
  map: 'enoch',
  kind: 'kills',
  cells: around('enoch', { Topolin: 60, Brena: 45, Nadbór: 30, Radunin: 26, Sitnik: 14, Polana: 8 }),
});
await take('sakhal', {
  map: 'sakhal',
  kind: 'shots',
  cells: around('sakhal', { Nogovo: 40, Severomorsk: 24, Aniva: 20, Rudnogorsk: 12 }),
});

async function take(
  name: string,
  { map, kind, cells }: Pick<HeatMapView, 'kind' | 'cells'> & { map: string },
): Promise<void> {
  const view: HeatMapView = {
    server: 'Northwood',
    kind,
    cells,
    period: null,
    weapon: null,
    terrain: terrainOf(map),
    since: null,
    delayMinutes: 24 * 60,
  };
  const png = await drawHeatMap(view, null, languageOf('en-US'));
  if (png === null) throw new Error(`there is nothing to draw of ${map}`);
  writeFileSync(fileURLToPath(new URL(`../docs/heatmap-${name}.png`, import.meta.url)), png);
}

async function sampleDeaths(): Promise<HeatCell[]> {
  const service = await startTestService(northwood());
  const folder = mkdtempSync(join(tmpdir(), 'outpost-pictures-'));
  try {
    const { db } = service;
    await db.updateTable('project').set({ kill_positions: 1 }).execute();
    for (const server of ['server-a', 'server-c', 'server-d', 'server-e']) {
      const logs = readdirSync(join(samples, server)).filter((name) => name.endsWith('.ADM'));
      const files = logs.map((name) => join(samples, server, name));
      await importLogs(db, { serverId: 'northwood-1', files });
    }
    const { project_id: projectId } = await db
      .selectFrom('server')
      .select('project_id')
      .where('id', '=', 'northwood-1')
      .executeTakeFirstOrThrow();
    const all = { from: 0, until: Date.now(), hiddenFrom: Date.now(), weapon: null, kind: 'deaths' } as const;
    return await readHeat(db, { projectId, serverId: 'northwood-1', ...all });
  } finally {
    await service.close();
    rmSync(folder, { recursive: true });
  }
}

/** Squares around towns, fewer events the farther away. */
function around(map: string, most: Readonly<Record<string, number>>): HeatCell[] {
  const random = seededRandom(7);
  const cells = new Map<string, HeatCell>();
  for (const { name, east, north } of terrainOf(map)?.towns ?? []) {
    for (let event = 0; event < (most[name] ?? 0) * 6; event += 1) {
      const [angle, away] = [random() * 2 * Math.PI, random() * random() * 900];
      const x = Math.floor((east + Math.cos(angle) * away) / heatCellMeters);
      const z = Math.floor((north + Math.sin(angle) * away) / heatCellMeters);
      const cell = cells.get(`${x}:${z}`) ?? { x, z, events: 0 };
      cells.set(`${x}:${z}`, { ...cell, events: cell.events + 1 });
    }
  }
  return [...cells.values()].filter(({ events }) => events >= 3);
}
