import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, inject, it, onTestFinished, vi } from 'vitest';
import {
  openReader,
  openWriter,
  type ReadDatabase,
  type WriteDatabase,
} from '../../../src/server/store/database.ts';
import { type ChangeHints, keepChangeHints } from '../../../src/server/store/shared/change-hints.ts';
import { startLink } from '../../harness/link.ts';
import { directUrl, type NewStore, openNewDatabase, patient } from '../../harness/new-store.ts';
import { hasPgBouncer, startPgBouncer } from '../../harness/pgbouncer.ts';
import { createDatabase, onServer } from '../../harness/postgres-databases.ts';

let store: NewStore;
/** Of the store, without PgBouncer between. */
let direct: string;
let logged: string[];
const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) });
beforeEach(async () => {
  logged = [];
  // Revisions are not read once a second: what is known comes from hints.
  vi.stubGlobal('setInterval', () => ({ unref: () => undefined }));
  store = await openNewDatabase({ busyTimeoutMs: 10_000 });
  direct = directUrl(store.location);
  await store.db
    .insertInto('project')
    .values({ id: 'one', slug: 'one', name: '0', plan: 'PRO', suspended: 0, support: '{}', active: 1 })
    .execute();
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await store.close();
});

interface Process {
  writer: WriteDatabase;
  reader: ReadDatabase;
  /** The project's revision, as far as this process knows it. */
  known(): number;
}

/** What a process has of the store. @param url of the store */
async function startProcess(url: string, listenUrl: string): Promise<Process> {
  let hints: ChangeHints | undefined;
  const onCommit = (): void => hints?.send();
  const writer = await openWriter(url, { busyTimeoutMs: 10_000, limits: patient, onCommit });
  const reader = openReader(url);
  const { revisions } = reader;
  if (writer.shared === undefined || revisions === undefined) throw new Error('expected a shared store');
  hints = keepChangeHints({ url: listenUrl, db: writer.shared.unlocked, revisions, log });
  onTestFinished(async () => {
    await hints?.stop();
    await reader.close();
    await writer.close();
  });
  return { writer, reader, known: () => reader.dataVersion('one') };
}

const stored = async (): Promise<number> => {
  const { rows } = await sql<{ revision: number }>`
    SELECT revision FROM project_revision WHERE project_id = 'one'
  `.execute(store.db);
  return rows[0]?.revision ?? 0;
};

const listeners = async (): Promise<number> =>
  (
    await onServer<{ pid: number }>(
      direct,
      `SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND query ~ '^(LISTEN|NOTIFY)'`,
    )
  ).length;

async function change({ writer }: Process): Promise<void> {
  await writer.db
    .updateTable('project')
    .set({ name: String(Math.random()) })
    .execute();
}

it('lets a process know what another one has committed, and what it has committed itself', async () => {
  const [one, other] = [
    await startProcess(store.location, direct),
    await startProcess(store.location, direct),
  ];
  await expect.poll(listeners).toBe(2);
  for (const process of [one, other, one, one, other]) {
    await change(process);
    const revision = await stored();
    await expect.poll(one.known).toBe(revision);
    await expect.poll(other.known).toBe(revision);
  }
  expect(logged).toEqual([]);
});

it.runIf(hasPgBouncer)('does so where the store is behind PgBouncer (needs PgBouncer)', async () => {
  const pooler = await startPgBouncer(direct);
  onTestFinished(pooler.stop);
  const behind = pooler.through(direct);
  const [one, other] = [await startProcess(behind, direct), await startProcess(behind, direct)];
  await expect.poll(listeners).toBe(2);
  await change(one);
  await expect.poll(other.known).toBe(await stored());
  expect(logged).toEqual([]);
});

it('listens again after the connection was lost, and reads what was committed meanwhile', async () => {
  await using link = await startLink(direct);
  const { port } = new URL(link.url);
  const one = await startProcess(store.location, Object.assign(new URL(direct), { port }).href);
  await expect.poll(one.known).toBe(await stored());
  link.cut();
  await change(one);
  await expect.poll(() => logged.join()).toContain('store.listenUrl does not work');
  expect(one.known()).toBe((await stored()) - 1);
  link.mend();
  await expect.poll(one.known).toBe(await stored());
  expect(logged.join()).toContain('store.listenUrl works again');
  expect(logged.filter((line) => line.includes('does not work'))).toHaveLength(1);
});

it('says that the URL leads to another database, without its password', async () => {
  const another = await createDatabase(inject('postgresUrl'));
  onTestFinished(another.drop);
  const one = await startProcess(store.location, another.url);
  await expect.poll(() => logged.join()).toContain(`does not arrive at postgres://`);
  expect(logged.join()).toContain(another.name);
  expect(logged.join()).not.toContain(new URL(another.url).password);
  expect(one.known()).toBe(0);
});

it.runIf(hasPgBouncer)('says that PgBouncer stands before the URL (needs PgBouncer)', async () => {
  const pooler = await startPgBouncer(direct);
  onTestFinished(pooler.stop);
  const behind = pooler.through(direct);
  await startProcess(behind, behind);
  await expect.poll(() => logged.join()).toContain('PgBouncer stands before it');
});

it('takes any text on the channel for a hint, and reads once for many', async () => {
  const one = await startProcess(store.location, direct);
  await expect.poll(one.known).toBe(await stored());
  const reads = vi.spyOn(one.reader.db, 'selectFrom');
  await onServer(
    direct,
    `SELECT pg_notify('outpost_changes', repeat('x', 7000) || n) FROM generate_series(1, 2000) AS n`,
    `SELECT pg_notify('other', 'x')`,
  );
  await expect.poll(() => reads.mock.calls.length).toBeGreaterThan(0);
  await change(one);
  await expect.poll(one.known).toBe(await stored());
  expect(reads.mock.calls.length).toBeLessThan(100);
});
