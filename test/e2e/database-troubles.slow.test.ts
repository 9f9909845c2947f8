import { chmodSync, chownSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { limitConcurrency } from '../../src/process/concurrency-limit.ts';
import { type Link, startLink } from '../harness/link.ts';
import { northwood } from '../harness/northwood.ts';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../harness/pgbouncer.ts';
import { canMountDisks, smallDisk } from '../harness/small-disk.ts';
import { onServer } from '../harness/postgres-databases.ts';
import {
  eventually,
  expectOnly503,
  type LoadedOptions,
  type LoadedProcesses,
  print,
  readyWithinMs,
  role,
  startLoaded,
  statusesOf,
  summary,
} from './loaded-processes.ts';

/** A trouble lasts longer than leases do: so long, */
const troubleMs = 9_000;
/** and while all processes are asked at its end. */
const askedMs = 5_000;
/** Processes give a login up after five seconds. */
const longestLoginMs = 5_500;
/** Warnings and errors of a process in one trouble and after it; each says something else. */
const mostLines = 15;

const config = { ...northwood(), live: { pollSeconds: 1 } };
const roles = ['api', 'api,poll,follow'];

/** A database under load, and the link to it. */
interface Place {
  loaded: LoadedProcesses;
  link: Link;
}

/** Troubles wait most of the time, so there are several at once, each with processes and a database of its own. */
const limit = limitConcurrency(5);
/** Starts need all of the machine; more at once would leave none to those that are under way. */
const starts = limitConcurrency(1);
const perSecond = 20;

const start = (route: NonNullable<LoadedOptions['route']>): Promise<LoadedProcesses> =>
  starts.run(() => startLoaded({ config, roles, perSecond, route }));

async function withPlace(work: (place: Place) => Promise<void>): Promise<void> {
  await limit.run(async () => {
    let link: Link | undefined;
    const loaded = await start(async (url) => {
      link = await startLink(url);
      return Object.assign(new URL(url), { port: new URL(link.url).port }).href;
    });
    if (link === undefined) throw new Error('expected the store to be routed');
    try {
      await work({ loaded, link });
    } finally {
      await loaded.close();
      await link[Symbol.asyncDispose]();
    }
  });
}

interface Trouble {
  begin(): unknown;
  end(): unknown;
  /** What the log says of it, once. */
  says: RegExp;
  /** Some requests succeed meanwhile. */
  isPartial?: boolean;
  /** Its end is logged by the next write, which may be a minute later. */
  endsLater?: boolean;
  /** There is more than one reason. */
  saysMore?: boolean;
}

/** Changes what the server does for new connections, and ends those that were there before. */
const changes = (
  { admin, database }: LoadedProcesses,
  begin: string,
  end: string,
): Pick<Trouble, 'begin' | 'end'> => ({
  async begin() {
    await onServer(admin, begin);
    // One that logs in at this moment may still be let in.
    await delay(longestLoginMs);
    await onServer(
      admin,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}' AND usename = '${role.name}'`,
    );
  },
  end: () => onServer(admin, end),
});
const limitedTo = (connections: number): string => `ALTER ROLE ${role.name} CONNECTION LIMIT ${connections}`;
const withPassword = (password: string): string => `ALTER ROLE ${role.name} PASSWORD '${password}'`;
function signal(name: NodeJS.Signals, pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // A process of the server that has ended since the pids were listed.
    }
  }
}

const troubles: Record<string, (place: Place) => Trouble> = {
  'can only be read': ({ loaded }) => ({
    ...changes(
      loaded,
      `ALTER DATABASE "${loaded.database}" SET default_transaction_read_only = on`,
      `ALTER DATABASE "${loaded.database}" RESET default_transaction_read_only`,
    ),
    says: /read-only transaction/,
  }),
  'has no connection left': ({ loaded }) => ({
    ...changes(loaded, limitedTo(0), limitedTo(-1)),
    says: /too many connections/,
  }),
  'has few connections left': ({ loaded }) => ({
    ...changes(loaded, limitedTo(3), limitedTo(-1)),
    says: /too many connections/,
    isPartial: true,
  }),
  'refuses the password': ({ loaded }) => ({
    ...changes(loaded, withPassword('second'), withPassword(role.password)),
    says: /password authentication failed/,
  }),
  'is stopped with all its connections open': ({ loaded: { server } }) => ({
    begin: () => signal('SIGSTOP', server.pids()),
    end: () => signal('SIGCONT', server.pids()),
    says: /timeout/,
  }),
  'takes no new connection': ({ loaded: { server } }) => ({
    begin: () => signal('SIGSTOP', [server.pid()]),
    end: () => signal('SIGCONT', [server.pid()]),
    says: /timeout/,
    isPartial: true,
  }),
  'is behind a network that swallows everything': ({ link }) => ({
    begin: () => link.swallow(),
    end: () => link.mend(),
    says: /timeout/,
  }),
};

it.concurrent.each(Object.entries(troubles))(
  'answers 503 while the database %s, and goes on by itself',
  async (name, troubleOf) => {
    await withPlace(async (place) => await endure(place.loaded, name, troubleOf(place)));
  },
);

it(
  'answers 503 while the disk of the database is full (as root)',
  { concurrent: true, skip: !canMountDisks },
  async ({ onTestFinished }) => {
    const disk = smallDisk(16, onTestFinished);
    if (disk === null) throw new Error('expected to mount a disk');
    await withPlace(async ({ loaded }) => {
      const { uid, gid } = statSync(loaded.server.data);
      chmodSync(dirname(disk.folder), 0o755);
      chownSync(disk.folder, uid, gid);
      const counts = 'request_limit';
      await onServer(loaded.admin, `CREATE TABLESPACE small LOCATION '${disk.folder}'`);
      await onServer(loaded.url, `ALTER TABLE ${counts} SET TABLESPACE small`);
      // Rows that this transaction may still read cannot be replaced in their place.
      const old = new Client({ connectionString: loaded.url });
      await old.connect();
      await old.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await old.query(`SELECT count(*) FROM ${counts}`);
      try {
        await endure(loaded, 'has a full disk', {
          begin: () => disk.fill(0),
          end: () => disk.clear(),
          says: /No space left on device/,
          endsLater: true,
        });
      } finally {
        await old.end();
      }
    });
  },
);

it(
  'goes on when the server behind PgBouncer is back (needs PgBouncer)',
  { concurrent: true, skip: !hasPgBouncer },
  async () => {
    await limit.run(async () => {
      let bouncer: PgBouncer | undefined;
      const loaded = await start(async (url) => {
        bouncer = await startPgBouncer(url);
        return bouncer.through(url);
      });
      const { server } = loaded;
      try {
        await endure(loaded, 'is away behind PgBouncer', {
          begin: () => server.stop(),
          end: () => server.start(),
          says: /cannot use the store/,
          saysMore: true,
        });
      } finally {
        await loaded.close();
        await bouncer?.stop();
      }
    });
  },
);

async function endure(
  loaded: LoadedProcesses,
  name: string,
  { begin, end, says, saysMore = false, isPartial = false, endsLater = false }: Trouble,
): Promise<void> {
  await loaded.untilReady();
  await loaded.untilAnswered();
  // On a slow machine the start may have been one.
  await loaded.untilTroublesEnded();
  const logs = loaded.logsFromNow();
  const begunAt = performance.now();
  await begin();
  const lasting = delay(troubleMs);
  if (!isPartial) await eventually(async () => expect(await loaded.readiness()).toEqual([503, 503]));
  await lasting;
  const readiness: number[] = [];
  // As proxies ask.
  for (const from = performance.now(); performance.now() - from < askedMs; await delay(250)) {
    readiness.push(...(await loaded.readiness()));
  }
  const endedAt = performance.now();
  await end();
  const readyMs = await loaded.untilReady();
  if (!endsLater) await loaded.untilTroublesEnded();
  await loaded.untilAnswered();
  const answers = loaded.load.since(begunAt);
  const lines = logs.map((read) => read().filter(({ level }) => level !== 'info'));
  const counts = lines.map(({ length }) => length).join(' and ');
  print(
    `${name}: ${summary(answers)}; ready after ${Math.round(readyMs)} ms; warnings and errors: ${counts}`,
  );
  expectOnly503(answers, loaded.load.failures);
  if (!isPartial) {
    expect(new Set(readiness)).toEqual(new Set([503]));
    const meanwhile = answers.filter(({ from }) => from < endedAt);
    expect(statusesOf(meanwhile)).toContain(503);
  }
  expect(readyMs).toBeLessThan(readyWithinMs);
  for (const own of lines) {
    const said = own.filter(({ msg }) => says.test(msg)).length;
    if (saysMore) expect(said).toBeGreaterThan(0);
    else if (!isPartial) expect(said).toBe(1);
    expect(own.length).toBeLessThan(mostLines);
  }
  expect(await loaded.tryTokens()).toEqual(new Set([200]));
}
