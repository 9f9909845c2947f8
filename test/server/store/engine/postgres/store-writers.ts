import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { addBan, liftBan } from '../../../../../src/server/ingest/bans/by-hand.ts';
import { storeBanFile } from '../../../../../src/server/ingest/bans/import.ts';
import { liftRemovedBanFile } from '../../../../../src/server/ingest/bans/removed-files.ts';
import {
  openReader,
  type Database,
  type WriteDatabase,
} from '../../../../../src/server/store/engine/database.ts';
import { writeProject } from '../../../../../src/server/store/engine/scopes.ts';
import { openSmallValues, sweepSmallValues } from '../../../../../src/server/store/engine/small-values.ts';
import { endRestored } from '../../../../../src/server/store/operations/backup/restored-servers.ts';
import {
  createApplication,
  rotateApplication,
  saveLastUse,
} from '../../../../../src/server/store/repositories/applications/applications.ts';
import { banSource } from '../../../../../src/server/store/repositories/bans/ban-sources.ts';
import { deleteOldDeaths } from '../../../../../src/server/store/repositories/kills/retention.ts';
import {
  forgetLogFiles,
  renameLogFile,
  saveIdentitiesRead,
} from '../../../../../src/server/store/repositories/logs/log-files.ts';
import {
  forgetSourceErrors,
  forgetSourceStates,
  saveSourceStates,
} from '../../../../../src/server/store/repositories/logs/source-states.ts';
import { savePeople } from '../../../../../src/server/store/repositories/players/players.ts';
import {
  markStale,
  refreshStale,
} from '../../../../../src/server/store/repositories/players/stale-statistics.ts';
import { refreshStatistics } from '../../../../../src/server/store/repositories/players/statistics.ts';
import { deleteOldSamples } from '../../../../../src/server/store/repositories/projects/history.ts';
import { saveRestartFile } from '../../../../../src/server/store/repositories/projects/restart-files.ts';
import { saveServerStates } from '../../../../../src/server/store/repositories/projects/servers.ts';
import { trustNewHost } from '../../../../../src/server/store/repositories/projects/trusted-hosts.ts';
import {
  saveFeedMessage,
  saveReworded,
} from '../../../../../src/server/store/repositories/rights/feed-messages.ts';

export const projects = ['a', 'b', 'c'];
const dayMs = 86_400_000;

/** Three projects, each with a server, a ban list and a ban file of its own. */
export async function addProjects(db: Database): Promise<void> {
  for (const id of projects) {
    await sql`
      INSERT INTO project (id, slug, name, plan, suspended, support, active) VALUES (${id}, ${id}, ${id}, 'PRO', 0, '{}', 1)
    `.execute(db);
    await sql`
      INSERT INTO server (id, project_id, position, name, game, host, port, timezone, active)
      VALUES (${`server-${id}`}, ${id}, 0, ${id}, 'dayz', 'h', 1, 'UTC', 1)
    `.execute(db);
    await sql`
      INSERT INTO ban_list (id, project_id, position, name, public, verification_status, server_ids, active)
      VALUES (${`bans-${id}`}, ${id}, 0, ${id}, 1, 'UNVERIFIED', '[]', 1)
    `.execute(db);
  }
}

let number = 0;
/** No two are equal, in whatever order writers run. */
const next = (): number => (number += 1);

export const dayzIdOf = (at: number): string => `${at}`.padStart(43, 'x') + '=';
const steamIdOf = (at: number): string => `${76_561_198_000_000_000n + BigInt(at)}`;

/** A death in a project, as one of a log. @returns its id */
export async function addDeath(tx: Database, project: string, of?: number): Promise<number> {
  const at = next();
  const dayzId = dayzIdOf(of ?? at % 20);
  const span = { firstSeenAt: at, lastSeenAt: at };
  const person = {
    identity: { dayzId },
    names: [['N', span]] as [string, typeof span][],
    ...span,
  };
  const { ids } = await savePeople(tx, project, [{ ...person, serverId: `server-${project}` }]);
  const known = ids.flatMap((id) => id ?? []);
  await (at % 2 === 0 ? markStale(tx, known) : refreshStatistics(tx, known));
  const run = await tx
    .insertInto('log_run')
    .values({
      server_id: `server-${project}`,
      header: `run ${next()}`,
      started_at: 0,
      file_name: 'f',
      bytes: 0,
      digest: '',
      lines: 0,
      unread_lines: 0,
      imported_at: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id } = await tx
    .insertInto('death')
    .values({
      server_id: `server-${project}`,
      run_id: run.id,
      game_id: dayzId,
      number: 1,
      at,
      cause: 'OTHER' as never,
      victim_id: known[0] as number,
      stored_at: 0,
      live: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

type Of = WriteDatabase & { location: string };
type Work = () => Promise<unknown>;

export const addLog = async ({ db }: Of, project: string): Promise<Work> => {
  return () => writeProject(db, project, async (tx) => await addDeath(tx, project));
};

/**
 * Everything that is written in ordinary running, for a project. Each prepares what it needs and returns the writing.
 * Those `ofProject` write its rows, so that they wait for its other writers.
 */
export const ofProject: Record<string, (store: Of, project: string) => Promise<Work>> = {
  'a log': addLog,
  async 'a ban by hand'({ db }, project) {
    return () => ban(db, project, next(), null);
  },
  async 'the end of a ban by hand'({ db }, project) {
    const at = next();
    await ban(db, project, at, null);
    return () => liftBan(db, { listId: `bans-${project}`, player: playerOf(at) });
  },
  async 'a ban file'({ db }, project) {
    return () => readFile(db, project);
  },
  async 'the end of a ban file'({ db }, project) {
    await readFile(db, project);
    const file = {
      format: 'dayz',
      file: '/ban.txt',
      source: banSource('config', 'dayz', '/ban.txt'),
    } as const;
    return () => liftRemovedBanFile(db, `bans-${project}`, file);
  },
  async 'the state of a server'({ db }, project) {
    const [serverId, at] = [`server-${project}`, next()];
    const state = { status: 'ONLINE' as const, map: null, players: at, maxPlayers: 60, checkedAt: at };
    return () => saveServerStates(db, [{ serverId, ...state }]);
  },
  async 'a post of a kill feed'({ db }, project) {
    const death = await writeProject(db, project, async (tx) => await addDeath(tx, project));
    const post = { feed: 'f', channelId: 'c', messageId: `${next()}`, deaths: [death] };
    return () => saveFeedMessage(db, post, 1);
  },
  async 'a post that was reworded'({ db }, project) {
    const death = await writeProject(db, project, async (tx) => await addDeath(tx, project));
    const messageId = `${next()}`;
    await saveFeedMessage(db, { feed: 'f', channelId: 'c', messageId, deaths: [death] }, 1);
    return () => saveReworded(db, messageId, 2);
  },
  async 'the files of a log'({ db }, project) {
    const server = { serverId: `server-${project}`, projectId: project };
    const path = `${next()}.ADM`;
    await writeProject(db, project, async (tx) => {
      await sql`
        INSERT INTO log_file (server_id, path, stamp, position, skipping, lines, unread_lines, unread_kinds)
        VALUES (${server.serverId}, ${path}, '', 0, 0, 0, 0, '[]')
      `.execute(tx);
    });
    return async () => {
      await renameLogFile(db, server, path, `new ${path}`);
      await saveIdentitiesRead(db, server, [`new ${path}`]);
      await forgetLogFiles(db, server, [`new ${path}`]);
    };
  },
};

/** What is repeated for all projects, one after the other, where there is something to do. */
export const upkeep: typeof ofProject = {
  async figures({ db }, project) {
    await writeProject(db, project, async (tx) => {
      const id = await addDeath(tx, project);
      const of = tx.selectFrom('death').select('victim_id').where('id', '=', id);
      await markStale(tx, [(await of.executeTakeFirstOrThrow()).victim_id]);
    });
    return () => refreshStale(db);
  },
  async 'old deaths'({ db }, project) {
    await writeProject(db, project, async (tx) => await addDeath(tx, project));
    return () => deleteOldDeaths(db, 100 * dayMs);
  },
  async 'old samples'({ db }, project) {
    await writeProject(db, project, async (tx) => {
      await sql`
        INSERT INTO server_sample (server_id, sampled_at) VALUES (${`server-${project}`}, ${next() * 60_000})
      `.execute(tx);
    });
    return () => deleteOldSamples(db, 100 * dayMs + number * 60_000);
  },
};

/** Those that do not. */
export const ofOthers: typeof ofProject = {
  async 'a source'({ db }, project) {
    const change = { kind: 'logs', ownerId: `server-${project}`, path: 'p', report: {}, error: null };
    return async () => {
      await saveSourceStates(db, [change], next());
      await forgetSourceErrors(db, null);
      await forgetSourceStates(db, ['logs'], [change.ownerId]);
    };
  },
  async 'a trusted host'({ db }) {
    return () => trustNewHost(db, `sftp://${next() % 3}`, 'SHA256:x', 1);
  },
  async 'the end of a restore'({ db }, project) {
    return () => endRestored(db, `server-${project}`);
  },
  async 'a messages.xml'({ db }, project) {
    return () => saveRestartFile(db, `${project}/${next() % 3}.xml`, 60);
  },
  async 'an application'({ db }, project) {
    const id = `app-${next()}`;
    const application = { id, projectSlug: project, name: 'n', secretHash: 'h', scopes: [] };
    return async () => {
      await createApplication(db, application, Date.now());
      await rotateApplication(db, id, 'other', Date.now());
    };
  },
  async 'the last use of applications'({ db }, project) {
    const id = `used-${project}`;
    await createApplication(db, { id, projectSlug: project, name: 'n', secretHash: 'h', scopes: [] }, 1);
    // In any order.
    const ids = projects.map((one) => [`used-${one}`, next()] as const);
    const uses = new Map(next() % 2 === 0 ? ids : ids.toReversed());
    return () => saveLastUse(db, uses);
  },
  async 'what the bot keeps'(store, project) {
    const reader = openReader(store.location);
    const small = openSmallValues(store, reader.db, pino({ level: 'silent' }));
    await reader.close();
    return async () => {
      await small.change<number>('bot', project, (before = 0) => before + 1);
      await sweepSmallValues(store.db, Date.now());
      await setImmediate();
    };
  },
};

const playerOf = (at: number) => ({ kind: 'steamId64', value: steamIdOf(at) }) as const;

async function ban(db: Database, project: string, at: number, expiresAt: number | null): Promise<void> {
  const said = { category: 'OTHER', reason: null, expiresAt, now: () => 0 } as const;
  await addBan(db, { listId: `bans-${project}`, player: playerOf(at), ...said });
}

async function readFile(db: Database, project: string): Promise<void> {
  const entries = [next(), next()].map((at) => ({
    key: steamIdOf(at),
    identity: { steamId64: steamIdOf(at) },
    playerName: null,
    reason: null,
    expiresAt: null,
  }));
  const content = { entries, ipBans: 0, unread: 0, blank: false };
  const file = { listId: `bans-${project}`, file: '/ban.txt', format: 'dayz', origin: 'config' } as const;
  await storeBanFile(db, { ...file, content });
}
