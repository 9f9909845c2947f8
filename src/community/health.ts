import type { HealthProblem } from '../embeds/health.ts';
import { textLimits } from '../embeds/limits.ts';
import { escaped } from '../embeds/text.ts';
import type { BanlistConfig, ProjectConfig } from '../config/schema.ts';
import { diskSpace, leastFreeBytes } from '../server/store/engine/disk-space.ts';
import type { StoreHealth } from '../server/store/engine/store-health.ts';
import type { Reader } from '../server/store/engine/database.ts';
import { placedFile } from '../server/store/repositories/projects/places.ts';
import { readServerStates } from '../server/store/repositories/monitoring.ts';
import { readRosters } from '../server/store/repositories/logs/rosters.ts';
import { latestHeader } from '../server/store/repositories/logs/run-copies.ts';
import { readSourceStates } from '../server/store/repositories/logs/source-states.ts';
import { within } from '../process/time-limit.ts';
import type { ConfiguredProject } from '../config/config-index.ts';
import { loggedPlayersOf } from './logged-players.ts';

interface HealthOptions {
  db: Reader;
  health: StoreHealth;
  dataFolder: string;
  now: () => number;
}

/** A disk that hangs must not delay the answer. */
const diskWaitMs = 1_500;

/** What is wrong with the store, and with the logs and files of a project; without paths and secrets. */
export function createHealth(
  { project: projectOf }: ConfiguredProject,
  { db, health, dataFolder, now }: HealthOptions,
): () => Promise<HealthProblem[]> {
  return async () => {
    const project = projectOf();
    const found = await Promise.all([
      storeProblems(health, dataFolder),
      project === undefined ? [] : fileProblems(db, project),
      project === undefined ? [] : logProblems(db, project, now()),
    ]);
    return found.flat();
  };
}

/** The ids of ban lists with a file that has not been read yet, or could not be the last time. */
export function createUnreadBanlists({ project }: ConfiguredProject, db: Reader): () => Promise<Set<string>> {
  return async () => {
    const states = await readSourceStates(db, 'bans');
    const read = states.filter(({ read_at, error }) => read_at !== null && error === null);
    const isRead = (id: string, file: string): boolean =>
      read.some(({ owner_id, path }) => owner_id === id && path === file);
    const lists = project()?.banlists ?? [];
    const unread = lists.filter((list) => banFilesOf(list).some((file) => !isRead(list.id, file)));
    return new Set(unread.map(({ id }) => id));
  };
}

/** Those of the config: what failed under an earlier path says nothing any more. */
const banFilesOf = ({ sources }: BanlistConfig): string[] =>
  sources.map(({ file, filesOf }) => placedFile(file, filesOf));

async function storeProblems(health: StoreHealth, dataFolder: string): Promise<HealthProblem[]> {
  if (!health.isSound) return [{ kind: 'storeDamaged' }];
  if (health.isReplaced) return [{ kind: 'storeReplaced' }];
  if (!health.canWrite) return [{ kind: 'storeUnwritable' }];
  const space = await within(diskSpace(dataFolder), diskWaitMs).catch(() => 'late' as const);
  return space !== 'late' && space.free < leastFreeBytes ? [{ kind: 'diskFull' }] : [];
}

const nameOf = ({ id, name }: { id: string; name: string }): string =>
  escaped(name, textLimits.serverName) || escaped(id);

/** Files whose last reading or writing failed. */
async function fileProblems(db: Reader, project: ProjectConfig): Promise<HealthProblem[]> {
  const failed = (await readSourceStates(db)).filter(({ error }) => error !== null);
  const servers = project.servers.filter(({ active }) => active);
  const banlists = project.banlists.filter(({ active }) => active);
  const has = (id: string, kinds: readonly string[], paths: readonly (string | undefined)[]): boolean =>
    failed.some(
      ({ kind, owner_id, path }) => owner_id === id && kinds.includes(kind) && paths.includes(path),
    );
  return [
    ...servers.flatMap((server): HealthProblem[] => {
      const { id, logs, playersDb, schedules } = server;
      const messages = schedules.map((schedule) => ('file' in schedule ? schedule.file : undefined));
      return [
        ...(has(id, ['logs'], [logs]) ? [{ kind: 'logsFailed' as const, server: nameOf(server) }] : []),
        ...(has(id, ['playersDb', 'messages'], [playersDb, ...messages])
          ? [{ kind: 'filesFailed' as const, server: nameOf(server) }]
          : []),
      ];
    }),
    ...banlists
      .filter((list) => has(list.id, ['bans', 'banWrites'], banFilesOf(list)))
      .map((list): HealthProblem => ({ kind: 'bansFailed', list: nameOf(list) })),
  ];
}

/** Logs by another clock than the config says, and logs that do not grow while players are on. */
async function logProblems(db: Reader, project: ProjectConfig, now: number): Promise<HealthProblem[]> {
  const servers = project.servers.filter(({ active, logs }) => active && logs !== undefined);
  const rosters = await readRosters(
    db,
    servers.map(({ id }) => id),
  );
  const states = new Map((await readServerStates(db)).map((server) => [server.id, server]));
  const found = await Promise.all(
    servers.map(async (server): Promise<HealthProblem[]> => {
      const offZone = await latestHeader(db, server.id, { isOffZone: true });
      const roster = rosters.get(server.id);
      const logged = roster === undefined ? null : loggedPlayersOf(roster, now);
      const isSilent = logged?.players === null && (states.get(server.id)?.players ?? 0) > 0;
      return [
        ...(offZone === null ? [] : [{ kind: 'zone' as const, server: nameOf(server) }]),
        ...(isSilent
          ? [{ kind: 'logsSilent' as const, server: nameOf(server), updatedAt: logged.asOf }]
          : []),
      ];
    }),
  );
  return found.flat();
}
