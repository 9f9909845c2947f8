import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { seededRandom } from '../../src/demo/random.ts';
import { openWriter } from '../../src/server/store/engine/database.ts';
import { settled } from '../following/kill.ts';
import { createWorkplace } from '../harness/outpost-process.ts';
import { createDatabase } from '../harness/postgres-databases.ts';
import { databaseContents } from '../harness/store-digest.ts';
import { type Community, createCommunity, token } from './community.ts';
import { createDisturber, type Disturbance, type Disturbed, type Moment } from './disturb.ts';
import { type LeaseWatch, watchLeases } from './lease-watch.ts';
import { createProcesses } from './processes.ts';
import { startLoad } from './requests.ts';

const processCount = 4;
const piecesPerTime = 12;
const longestQuietMs = { kill: 5_000, stop: 12_000 };
/** So many processes run whenever one is disturbed. */
const leastUp = 3;
const leastKills = 15;
const patienceMs = 180_000;
const callerCount = 3;
/** In turn. Only a process that goes on can commit late. */
const moments: Record<Disturbance, readonly Moment[]> = {
  kill: ['writing', 'anywhere', 'sending'],
  stop: ['writing', 'anywhere', 'writing', 'sending'],
};

export interface TakeoverResult {
  disturbed: readonly Disturbed[];
  /** Lost, doubled or late: each a line. */
  wrong: string[];
  statuses: ReadonlyMap<number, number>;
  /** How exact the times are, and how busy the machine was. */
  longestGapMs: number;
  failedStarts: readonly string[];
  /** Kills, bans, and transactions that were open as their process was stopped. */
  counts: { kills: number; bans: number; transactions: number };
  tables: { shared: Record<string, string[]>; undisturbed: Record<string, string[]> };
}

/**
 * Lets several real processes do everything for a community on one PostgreSQL, and kills or stops those that hold something,
 * under load. Another process reads the same files undisturbed into a store of its own.
 * @param adminUrl of a database from which others can be created
 * @param throughProxy changes the URL of the store, for the processes
 * @param longestMs after which no further process is disturbed
 */
export async function disturbProcesses({
  adminUrl,
  throughProxy = (url) => url,
  times,
  seed,
  how,
  longestMs = Infinity,
  onDone = () => undefined,
  onFault = () => undefined,
}: {
  adminUrl: string;
  throughProxy?: ((url: string) => string) | undefined;
  times: number;
  seed: number;
  how: Disturbance;
  longestMs?: number;
  onDone?: (disturbed: Disturbed) => void;
  /** A process ended by itself; another one is started. */
  onFault?: (fault: string) => void;
}): Promise<TakeoverResult> {
  const random = seededRandom(seed);
  const place = await createWorkplace();
  const database = await createDatabase(adminUrl);
  const community = await createCommunity(place.folder, times * piecesPerTime, random);
  /** In reverse order. */
  const closers: (() => Promise<unknown>)[] = [];
  const clients = [1, 2].map(() => new Client({ connectionString: database.url }));
  try {
    await Promise.all(clients.map((client) => client.connect()));
    const [watching, locking] = clients as [Client, Client];
    await place.configure(community.config);
    const undisturbed = await place.start({ OUTPOST_DATA: join(place.folder, 'undisturbed') });
    const storeUrl = throughProxy(database.url);
    place.environment['OUTPOST_STORE_URL'] = storeUrl;
    const bot = { DISCORD_TOKEN: token, DISCORD_API_URL: community.discord.apiUrl };
    // The first one creates the tables.
    let ownerOf: LeaseWatch['ownerOf'] = () => undefined;
    const ended: string[] = [];
    const processes = createProcesses(place, storeUrl, { ownerOf: (name) => ownerOf(name) }, bot, (fault) => {
      ended.push(fault);
      onFault(fault);
      void processes.start();
    });
    closers.push(processes.end);
    const first = await processes.start();
    const leases = watchLeases(watching);
    closers.push(leases.stop);
    ({ ownerOf } = leases);
    await Promise.all(Array.from({ length: processCount - 1 }, () => processes.start()));
    const callers = [];
    while (callers.length < callerCount) callers.push(await place.newCaller(first.running.url, 'p'));
    // What stands in the log when a feed begins is its past.
    if (!(await until(community.hasPosts, () => community.killLog.warmUp())))
      throw new Error('the processes posted nothing');

    const live = new AbortController();
    closers.push(async () => live.abort());
    const load = startLoad(processes, callers, random);
    closers.push(load.stop);
    const growing = community.grow(live.signal);
    const disturber = createDisturber({
      how,
      community,
      processes,
      leases,
      client: locking,
      random,
      onDone,
    });
    const end = performance.now() + longestMs;
    // A run in which no transaction was open would not show that none is committed late.
    const isEnough = (turn: number): boolean =>
      disturber.done().length >= times &&
      (how === 'kill' || disturber.transactions().open > 0 || turn > 5 * times);
    for (let turn = 0; !isEnough(turn) && performance.now() < end; turn += 1) {
      await sleep(random() * longestQuietMs[how]);
      while (processes.up().length < leastUp && performance.now() < end) await sleep(50);
      // After so many crashes in a row, the bot would wait for up to an hour before it logs in.
      await watching.query(`DELETE FROM keyv WHERE key LIKE '%:logins'`);
      await disturber.once(moments[how][turn % moments[how].length]!);
    }
    // Too few would not show that each is posted once.
    while (community.killLog.died.length < leastKills) await sleep(500);
    live.abort();
    await growing;
    await disturber.settle();
    await load.stop();
    await community.log.grow(community.log.steps);

    const folders = [community.logFolder, community.killLog.folder];
    const tables = [];
    for (const url of [database.url, join(place.folder, 'undisturbed', 'outpost.sqlite')]) {
      const store = await openWriter(url);
      try {
        const files = store.db.selectFrom('log_file').select(['path', 'position', 'stamp']);
        for (const folder of folders) {
          await settled(
            async () => (await files.execute()).filter(({ path }) => path.startsWith(folder)),
            folder,
          );
        }
        const banCount = async () => (await store.db.selectFrom('ban').select('id').execute()).length;
        await until(async () => (await banCount()) >= community.bans());
        tables.push(comparable(await databaseContents(store.db)));
      } finally {
        await store.close();
      }
    }
    const died = community.killLog.died.length;
    await until(() => community.posted().length >= died && community.statusPosts() > 0);
    const { open, late } = disturber.transactions();
    const missing = times - disturber.done().length;
    const wrong = [
      ...(missing > 0 ? [`the time was up with ${missing} of ${times} disturbances missing`] : []),
      ...wrongPosts(community),
      ...late.map((text) => `committed late: ${text}`),
      ...load.faults,
      ...ended,
    ];
    await processes.end();
    await undisturbed.stop();
    const [shared = {}, own = {}] = tables;
    // PostgreSQL has tables of its own.
    const same = Object.entries(shared).filter(([table]) => Object.hasOwn(own, table));
    return {
      disturbed: disturber.done(),
      wrong,
      statuses: load.statuses,
      longestGapMs: leases.longestGapMs(),
      failedStarts: processes.failedStarts,
      counts: { kills: died, bans: community.bans(), transactions: open },
      tables: { shared: Object.fromEntries(same), undisturbed: own },
    };
  } finally {
    for (const close of closers.toReversed()) await close();
    await place.remove();
    await community.close();
    await Promise.all(clients.map((client) => client.end()));
    await database.drop();
  }
}

/** Compares what stands in the channels with what must stand there; each difference is a line. */
function wrongPosts({ killLog: { died }, posted, statusPosts }: Community): string[] {
  const victims = posted();
  const missing = died.filter((name) => !victims.includes(name));
  const doubled = victims.filter((name, at) => victims.indexOf(name) !== at);
  const isOrdered = missing.length > 0 || doubled.length > 0 || String(victims) === String(died);
  return [
    ...missing.map((name) => `${name} is not posted`),
    ...doubled.map((name) => `${name} is posted again`),
    ...(isOrdered ? [] : ['the kills are not in order']),
    ...(statusPosts() === 1 ? [] : [`${statusPosts()} status posts, expected 1`]),
  ];
}

/** Without what differs by design: the undisturbed process has no bot and no callers, and reads bans at another time. */
function comparable(contents: Record<string, string[]>): Record<string, string[]> {
  const { naming_message: _, application: __, ban = [], source_state: states = [], ...tables } = contents;
  return {
    ...tables,
    ban: ban.map((row) => row.replace(/"first_seen_at":\d+,/, '')).toSorted(),
    // A process reports what it found in a folder of logs as it began to follow it.
    source_state: states
      .filter((row) => !row.includes('"kind":"logs"'))
      .map(withoutBanCounts)
      .toSorted(),
  };
}

/** The report of a ban list counts what the last read changed, which depends on when it was. */
function withoutBanCounts(row: string): string {
  if (!row.includes('"kind":"bans"')) return row;
  return row.replaceAll(/(\\?"(?:added|updated|lifted|unchanged)\\?":)\d+/g, '$1n');
}

/** False: it is not met in time. */
async function until(isMet: () => boolean | Promise<boolean>, meanwhile?: () => void): Promise<boolean> {
  for (const end = performance.now() + patienceMs; performance.now() < end; await sleep(1_000)) {
    if (await isMet()) return true;
    meanwhile?.();
  }
  return false;
}
