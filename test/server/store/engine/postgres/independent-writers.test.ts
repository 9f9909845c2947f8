import { sql } from 'kysely';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { configSchema } from '../../../../../src/config/schema.ts';
import { openWriter, type WriteDatabase } from '../../../../../src/server/store/engine/database.ts';
import { inRows, writeProject } from '../../../../../src/server/store/engine/scopes.ts';
import { reconcile } from '../../../../../src/server/store/repositories/projects/reconcile.ts';
import { forgetPlayer } from '../../../../../src/server/store/repositories/rights/forget-player.ts';
import { setHidden } from '../../../../../src/server/store/repositories/rights/hide-player.ts';
import { directUrl, openNewDatabase, patient, type NewStore } from '../../../../harness/new-store.ts';
import { onServer } from '../../../../harness/postgres-databases.ts';
import {
  addDeath,
  addLog,
  addProjects,
  dayzIdOf,
  ofOthers,
  ofProject,
  projects,
  upkeep,
} from './store-writers.ts';

let store: NewStore;
let other: WriteDatabase & { location: string };
beforeEach(async () => {
  store = await openNewDatabase({ busyTimeoutMs: 60_000 });
  const writer = await openWriter(store.location, { busyTimeoutMs: 60_000, limits: patient });
  other = { ...writer, location: store.location };
  onTestFinished(async () => {
    await other.close();
    await store.close();
  });
  await addProjects(store.db);
});

/** How many connections wait for a lock of that type, or of any. */
async function waiting(type = '%'): Promise<number> {
  const [row] = await onServer<{ count: string }>(
    directUrl(store.location),
    `SELECT count(DISTINCT pid) FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE NOT granted AND locktype LIKE '${type}' AND datname = current_database()`,
  );
  return Number(row?.count);
}

it.each(Object.entries({ ...ofProject, ...upkeep, ...ofOthers }))(
  'stores %s of one project while one of another project is being stored',
  async (name, prepare) => {
    const ours = await (name in upkeep ? addLog : prepare)(store, 'a');
    let isDone = false;
    let writing: Promise<unknown> = Promise.resolve();
    // It waits for the row of its project, where it stores players; its locks are taken by then.
    await inRows(other.db)
      .transaction()
      .execute(async (tx) => {
        await sql`SELECT FROM project WHERE id = 'a' FOR UPDATE`.execute(tx);
        writing = ours().finally(() => (isDone = true));
        await expect.poll(async () => isDone || (await waiting()) > 0).toBe(true);
        const theirs = await prepare(other, 'b');
        await theirs();
      });
    await writing;
  },
);

it.each(Object.entries({ ...ofProject, ...upkeep }))(
  'stores %s of a project after what it is storing',
  async (_, prepare) => {
    const write = await prepare(other, 'a');
    const { writing } = await writeProject(store.db, 'a', async (tx) => {
      await addDeath(tx, 'a');
      const working = write();
      await expect.poll(async () => await waiting('advisory')).toBe(1);
      return { writing: working };
    });
    await writing;
  },
);

const configured = (suffix = '') =>
  configSchema.parse({
    projects: projects.map((slug) => ({
      slug,
      name: `${slug}${suffix}`,
      servers: [{ id: `server-${slug}`, name: slug, host: 'h', port: 1 }],
      banlists: [{ id: `bans-${slug}`, name: slug }],
    })),
  });

/** The same numbers in each run. */
function* numbersFrom(seed: number): Generator<number, never> {
  for (let state = seed; ; yield state >>> 8) state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
}

it('has all writers at once, in any order, and none of them fails', async () => {
  const writers = Object.values({ ...ofProject, ...upkeep, ...ofOthers });
  const ordinary = async (on: WriteDatabase & { location: string }, seed: number): Promise<void> => {
    const numbers = numbersFrom(seed);
    const pick = <One>(of: readonly One[]): One => of[numbers.next().value % of.length] as One;
    for (let round = 0; round < 25; round += 1) {
      const write = await pick(writers)(on, pick(projects));
      await write();
    }
  };
  const rare = async ({ db }: WriteDatabase, first: number): Promise<void> => {
    for (let round = 0; round < 4; round += 1) {
      await reconcile(db, configured(` ${first + round}`));
      await setHidden(db, { identity: { dayzId: dayzIdOf(round) } }, true);
      await writeProject(db, 'a', async (tx) => await addDeath(tx, 'a', first + round));
      await forgetPlayer(db, { identity: { dayzId: dayzIdOf(first + round) } });
    }
  };
  const lanes = Array.from({ length: 10 }, (_, lane) => ordinary(lane % 2 === 0 ? store : other, lane));
  const outcomes = await Promise.allSettled([...lanes, rare(store, 100), rare(other, 200)]);
  expect(outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))).toEqual([]);
});
