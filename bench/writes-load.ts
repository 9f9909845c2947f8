// A follower of writes.ts, in a process of its own: servers whose logs grow by a line as soon as the last one is stored.
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../src/process/clock.ts';
import { logFormats } from '../src/server/games/index.ts';
import { SourceWatch } from '../src/server/ingest/follower/source-watch.ts';
import { takeLeases } from '../src/server/store/cluster/leases/lease-table.ts';
import { openWriter } from '../src/server/store/engine/database.ts';
import { limitConcurrency } from '../src/process/concurrency-limit.ts';

export interface FollowedServers {
  url: string;
  folder: string;
  servers: string[];
}
/** Lines that were stored since the process began. */
export interface Stored {
  lines: number;
}

process.once('message', ({ url, folder, servers }: FollowedServers) => void follow(url, folder, servers));

async function follow(url: string, folder: string, servers: string[]): Promise<void> {
  const writer = await openWriter(url, { busyTimeoutMs: 60_000 });
  const limit = limitConcurrency(servers.length);
  let lines = 0;
  let waiting = servers.length;
  process.on('message', () => process.send?.({ lines } satisfies Stored));
  process.on('disconnect', () => process.exit());
  const one = async (id: string): Promise<void> => {
    const logs = join(folder, id);
    const file = join(logs, 'DayZServer_x64.ADM');
    await mkdir(logs);
    await writeFile(file, head());
    const leases = await takeLeases(writer.db, id, [`follow:${id}`]);
    const watch = new SourceWatch(writer.shared?.fenced(leases) ?? writer.db, {
      formats: logFormats,
      shared: limit,
      clock: systemClock,
    });
    const sources = { servers: [{ id, logs, schedules: [] }], banlists: [] } as never;
    await watch.importChanged(sources);
    for (let second = 1; ; second += 1) {
      await appendFile(file, lineAt(second));
      const [outcome] = await watch.followOn(sources);
      if (outcome?.error !== undefined) throw new Error(outcome.error);
      lines += 1;
      if (second === 1 && (waiting -= 1) === 0) process.send?.({ lines } satisfies Stored);
    }
  };
  await Promise.all(servers.map(one));
}

const clock = (second: number): string => new Date(second * 1000).toISOString().slice(11, 19);
const player = (at: number): string =>
  `"P${at % 20}" (id=${`${at % 20}`.padStart(43, 'x')}= pos=<1.0, 2.0, 3.0>)`;
const head = (): string =>
  `\n******************************************************************************\nAdminLog started on 2024-05-01 at 00:00:00\n\n` +
  Array.from(
    { length: 20 },
    (_, at) => `00:00:00 | Player "P${at}" is connected (id=${`${at}`.padStart(43, 'x')}=)\n`,
  ).join('');
/** A line that changes figures: someone dies. */
const lineAt = (second: number): string =>
  `${clock(second)} | Player ${player(second).replace(' (', ' (DEAD) (')} died. Stats> Water: 1 Energy: 1 Bleed sources: 0\n`;
