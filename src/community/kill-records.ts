import { planIncludes } from '../api/access.ts';
import type { Identifier } from '../api/identifiers.ts';
import { operations } from '../api/operations.ts';
import type { KillRecords } from '../commands/ports.ts';
import type { ProjectConfig } from '../config/schema.ts';
import type { KillBoard } from '../embeds/kill-board.ts';
import type { Clock } from '../process/clock.ts';
import type { ReadDatabase } from '../server/store/engine/database.ts';
import { readKillBoard, readWeapons, startOfPeriod } from '../server/store/repositories/kills/boards.ts';
import { keptSince, readPlayerKills } from '../server/store/repositories/kills/player-kills.ts';
import { findPlayerById, findProfile } from '../server/store/repositories/players/player-profiles.ts';
import { findProjectId } from '../server/store/repositories/projects/projects.ts';
import type { ConfiguredProject } from './config-index.ts';
import { howKilled } from './deaths.ts';
import { idOfRef } from './ports.ts';

/** So many of a player's kills, and of the deaths, are shown. */
const shownKills = 5;
/** So many weapons have a board. */
const mostWeapons = 100;
/** Boards count all kills that are kept, and members ask for the same ones. */
const boardMs = 60_000;
const weaponsMs = 5 * 60_000;

/** The kills of a project as its store has them. */
export function createKillRecords(
  { project: projectOf, config }: ConfiguredProject,
  db: ReadDatabase['db'],
  /** Raised when players are hidden, shown or forgotten. */
  revision: () => number,
  { now, monotonic }: Clock,
): KillRecords {
  const remembered = new Map<string, { until: number; value: Promise<unknown> }>();
  const remember = async <T>(key: string, ms: number, read: () => Promise<T>): Promise<T> => {
    const known = remembered.get(key);
    if (known !== undefined && monotonic() < known.until) return (await known.value) as T;
    if (remembered.size > mostWeapons) remembered.clear();
    const value = read();
    remembered.set(key, { until: monotonic() + ms, value });
    value.catch(() => remembered.delete(key));
    return await value;
  };
  const open = async (
    operation: 'getPlayer' | 'listLeaderboards',
  ): Promise<{ project: ProjectConfig; id: string } | null> => {
    const project = projectOf();
    if (project === undefined || project.suspended) return null;
    if (!planIncludes(project.plan, operations[operation].plan)) return null;
    return { project, id: await findProjectId(db, project.slug) };
  };
  const playerOf = async (projectId: string, who: Identifier | { ref: string }): Promise<number | null> => {
    if (!('ref' in who)) return (await findProfile(db, projectId, who))?.id ?? null;
    const id = idOfRef(who.ref);
    return id === null || (await findPlayerById(db, projectId, id)) === null ? null : id;
  };
  return {
    async ofPlayer(who) {
      const opened = await open('getPlayer');
      if (opened === null) return null;
      const playerId = await playerOf(opened.id, who);
      const found = playerId && (await readPlayerKills(db, opened.id, playerId, shownKills));
      if (!found) return null;
      const { kills, deaths, ...rest } = found;
      const shown = (all: typeof kills) => all.map((one) => ({ ...one, ...howKilled(config(), one) }));
      return { ...rest, kills: shown(kills), deaths: shown(deaths) };
    },
    async boards() {
      const opened = await open('listLeaderboards');
      if (opened === null || (await keptSince(db, opened.id)) === null) return [];
      const { project, id } = opened;
      const weapons = await remember(`weapons ${id}`, weaponsMs, () => readWeapons(db, id, mostWeapons));
      return [...periodBoards(project, now()), ...seasonBoards(project, now()), ...weapons.map(weaponBoard)];
    },
    async board(board, limit) {
      const opened = await open('listLeaderboards');
      const since = opened && (await keptSince(db, opened.id));
      if (opened === null || since === null) return { rows: [], since: now() };
      const { kind, name, from, until } = board;
      const filter = { from, until, weapon: kind === 'weapon' ? name : null };
      const key = JSON.stringify([opened.id, filter, limit, revision()]);
      return { rows: await remember(key, boardMs, () => readKillBoard(db, opened.id, filter, limit)), since };
    },
  };
}

/** In the time zone of the project's first server. */
function periodBoards({ servers }: ProjectConfig, now: number): KillBoard[] {
  const zone = servers[0]?.timezone ?? 'UTC';
  return (['week', 'month'] as const).map((kind) => ({
    id: `KILLS_${kind.toUpperCase()}`,
    kind,
    name: null,
    from: startOfPeriod(kind, zone, now),
    until: null,
  }));
}

/** The latest first, without those that are yet to begin. */
function seasonBoards({ seasons }: ProjectConfig, now: number): KillBoard[] {
  const byStart = seasons.toSorted((one, other) => one.start - other.start);
  return byStart
    .map(({ name, start }, i): KillBoard => {
      const until = byStart[i + 1]?.start ?? null;
      return { id: `season.${start / 1000}`, kind: 'season', name, from: start, until };
    })
    .filter(({ from }) => from <= now)
    .toReversed();
}

const weaponBoard = (name: string): KillBoard => ({
  id: `weapon.${name}`,
  kind: 'weapon',
  name,
  from: 0,
  until: null,
});
