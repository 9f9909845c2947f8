import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { directFiles, type Files, type Place, type RemoteFiles, RemotePlaces } from 'game-files';
import { SourceWatch } from '../../../../src/server/ingest/follower/source-watch.ts';
import { sourcesOf } from '../../../harness/logs.ts';
import { idA, run, statsOf, temporaryFolder, temporaryStore } from '../fixture.ts';

/** A server whose logs are listed only once `answer` was called. */
async function slowServer() {
  const logs = temporaryFolder();
  writeFileSync(join(logs, 'x.ADM'), run(`12:00:00 | Player "A"(id=${idA}) is connected`));
  let answer = (): void => undefined;
  let listings = 0;
  const files: Files = {
    of: () => ({
      ...directFiles,
      async list(folder, wanted) {
        listings += 1;
        if (listings === 1) await new Promise<void>((resolve) => (answer = resolve));
        return await directFiles.list(folder, wanted);
      },
    }),
  };
  const db = await temporaryStore();
  const watch = new SourceWatch({ db }, { files });
  const sources = sourcesOf({ servers: [{ id: 's', logs }], banlists: [] });
  const isListing = async (): Promise<void> => await expect.poll(() => listings).toBe(1);
  return { db, logs, watch, sources, isListing, answer: () => answer(), listings: () => listings };
}

test('a host that does not answer delays no files elsewhere, however many servers it has', async () => {
  const logs = temporaryFolder();
  writeFileSync(join(logs, 'x.ADM'), run(`12:00:00 | Player "A"(id=${idA}) is connected`));
  const ids = Array.from({ length: 20 }, (_, index) => `rented-${index}`);
  const db = await temporaryStore(['s', ...ids]);
  const place: Place = { type: 'ftp', host: '192.0.2.1', port: 21, username: 'u', password: 'p' };
  const remote = new RemotePlaces();
  const never = async (): Promise<never> => await new Promise(() => undefined);
  remote.at = () =>
    ({ of: () => ({ ...directFiles, list: never, stat: never, read: never }) }) as unknown as RemoteFiles;
  const watch = new SourceWatch({ db }, { remote });
  const servers = [...ids, 's'].map((id) => ({ id, logs }));
  const places = new Map(ids.map((id) => [id, place]));
  watch.apply({ sources: sourcesOf({ servers, banlists: [], places }), leases: null });
  void watch.poll(true);
  await expect.poll(async () => await statsOf(db, idA)).toBeDefined();
});

const held = (epoch: number) => [{ name: 'follow:s', epoch }];

test('a source that comes back while it is still read is read again after that', async () => {
  const { db, logs, watch, sources, isListing, answer, listings } = await slowServer();
  watch.apply({ sources, leases: null });
  const first = watch.poll(true);
  await isListing();
  watch.apply({ sources: sourcesOf({ servers: [], banlists: [] }), leases: null });
  watch.apply({ sources: { ...sources }, leases: null });
  const second = watch.poll(true);
  await new Promise((resolve) => setImmediate(resolve));
  expect(listings()).toBe(1);
  answer();
  await first;
  expect(await second).toMatchObject([{ kind: 'logs', report: { runs: { new: 1 } } }]);
  appendFileSync(join(logs, 'x.ADM'), `12:01:00 | Player "A"(id=${idA}) has been disconnected\n`);
  await watch.poll(false);
  expect(await statsOf(db, idA)).toMatchObject({ total_play_seconds: 60 });
});

test('another epoch of a lease knows nothing of what was read in the one before', async () => {
  const { db, logs, watch, sources, isListing, answer } = await slowServer();
  watch.apply({ sources, leases: held(1) });
  const poll = watch.poll(true);
  await isListing();
  answer();
  await poll;
  // As if another process had followed meanwhile.
  appendFileSync(join(logs, 'x.ADM'), `12:01:00 | Player "A"(id=${idA}) has been disconnected\n`);
  const other = new SourceWatch({ db });
  other.apply({ sources, leases: held(2) });
  await other.poll(true);
  watch.apply({ sources, leases: held(3) });
  expect(await watch.poll(true)).toEqual([]);
  expect(await statsOf(db, idA)).toMatchObject({ total_play_seconds: 60 });
});
