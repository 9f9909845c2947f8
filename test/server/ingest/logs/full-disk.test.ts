import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { contents, sampleLogs, readText, temporaryFolder, temporaryStore } from '../fixture.ts';
import { createSourceWatch } from '../../../harness/logs.ts';
import { onPostgres } from '../../../harness/new-store.ts';

/** A folder on a disk of its own of so many bytes; null where none can be made. */
function smallDisk(bytes: number): string | null {
  const folder = join(temporaryFolder(), 'disk');
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return null;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  return folder;
}

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
const obstacle = onPostgres
  ? "the data folder holds SQLite's file only"
  : isRoot
    ? null
    : 'only root on Linux can mount a small disk';
const note = obstacle === null ? '' : ` (skipped: ${obstacle})`;

test.skipIf(obstacle !== null)(
  `a full disk is told once; when there is room again nothing is missing or counted twice${note}`,
  async (context) => {
    const disk = smallDisk(3 * 1024 * 1024);
    if (disk === null) return context.skip('no tmpfs can be mounted here');
    const db = await temporaryStore(['server-b'], 'Europe/Berlin', disk);
    const folder = temporaryFolder();
    const log = join(folder, 'DayZServer_x64.ADM');
    const sources = { servers: [{ id: 'server-b', logs: folder }], banlists: [] };
    const watch = createSourceWatch(db);
    const text = readText(sampleLogs('server-b')[0] as string);
    const pieces = 8;
    const piece = (i: number) => text.slice((i * text.length) / pieces, ((i + 1) * text.length) / pieces);

    writeFileSync(log, piece(0));
    expect(await watch.followOn(sources)).toMatchObject([{ report: { runs: { new: 1 } } }]);
    const filler = join(disk, 'filler');
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(filler, Buffer.alloc(bavail * bsize - 4 * bsize));
    const told = [];
    for (let i = 1; i < pieces - 1; i++) {
      appendFileSync(log, piece(i));
      told.push(...(await watch.followOn(sources)));
    }
    expect(told.filter(({ error }) => error !== undefined)).toMatchObject([
      { kind: 'logs', error: expect.stringMatching(/disk of the data folder is full: free some space/) },
    ]);
    rmSync(filler);
    expect(await watch.followOn(sources)).toMatchObject([{ recovered: true }]);
    appendFileSync(log, piece(pieces - 1));
    await watch.followOn(sources);
    await watch.followOn(sources);

    const other = await temporaryStore(['server-b'], 'Europe/Berlin');
    const whole = temporaryFolder();
    writeFileSync(join(whole, 'x.ADM'), text);
    const importing = createSourceWatch(other);
    const all = { servers: [{ id: 'server-b', logs: whole }], banlists: [] };
    await importing.importChanged(all);
    await importing.importChanged(all);
    expect(await contents(db)).toEqual(await contents(other));
  },
);
