import type { NamedBlow } from 'dayz-files';
import { type HowKilled, longShotMeters } from '../api/death-causes.ts';
import type { Deaths, FeedDeath } from '../commands/ports/community.ts';
import type { Config } from '../config/schema.ts';
import { gameOf } from '../server/games/index.ts';
import type { Reader } from '../server/store/engine/database.ts';
import * as store from '../server/store/repositories/kills/deaths.ts';
import { findRecordShot } from '../server/store/repositories/kills/records.ts';
import { type ConfiguredProject, logsLateByMs, serverOf } from '../config/config-index.ts';
import { earlyRestartMs, runningSeason } from './periods.ts';

/** The deaths on a project's servers, for its kill feeds. */
export function createDeaths({ config, project: projectOf }: ConfiguredProject, db: Reader): Deaths {
  const lateByMs = (serverId: string): number => {
    const found = serverOf(config(), serverId);
    return found === undefined ? 0 : logsLateByMs(found.server);
  };
  /** By death. Of several that are read at once on a server, one at most is the record. */
  const readRecords = async (deaths: readonly store.Death[]): Promise<Map<number, 'season' | 'month'>> => {
    const records = new Map<number, 'season' | 'month'>();
    const latest = new Map(deaths.filter(isLongShot).map(({ serverId, at }) => [serverId, at]));
    for (const [serverId, at] of latest) {
      const project = serverOf(config(), serverId)?.project;
      if (project === undefined) continue;
      const { kind, from } = runningSeason(project, at);
      const id = await findRecordShot(db, serverId, kind === 'season' ? from - earlyRestartMs : from);
      if (id !== null) records.set(id, kind === 'season' ? kind : 'month');
    }
    return records;
  };
  const shown = async (deaths: readonly store.Death[]): Promise<FeedDeath[]> => {
    const records = await readRecords(deaths);
    return deaths.map(({ victim, killer, position, isJustNow, ...death }) => ({
      ...death,
      at: isJustNow ? death.storedAt : death.at,
      ...howKilled(config(), death),
      lateByMs: lateByMs(death.serverId),
      victim: { name: victim.name },
      killer: killer === null ? null : { name: killer.name },
      position: position === null ? null : { east: position.x, north: position.z },
      streak: killer?.streak ?? null,
      endedStreak: victim.streak,
      record: records.get(death.id) ?? null,
      players: [victim, ...(killer === null ? [] : [killer])].flatMap(({ id, name }) =>
        name === null ? [] : [id],
      ),
    }));
  };
  const servedIds = (): string[] => {
    const project = projectOf();
    if (project === undefined || project.suspended) return [];
    return project.servers.filter(({ active }) => active).map(({ id }) => id);
  };
  return {
    latest: async () => await store.latestDeathAfter(db, servedIds(), 0),
    async after(serverIds, id, limit) {
      const served = servedIds().filter((one) => serverIds.includes(one));
      // Read first: whatever is stored later on these servers has a higher id.
      const last = await store.latestDeathAfter(db, served, id);
      if (last === id) return { deaths: [], through: id, isLast: true };
      const { deaths, cursor } = await store.readDeathsAfter(db, served, id, limit, { onlyLive: true });
      const isLast = deaths.length < limit;
      return { deaths: await shown(deaths), through: isLast ? Math.max(cursor, last) : cursor, isLast };
    },
  };
}

const isLongShot = ({ killer, meters }: store.Death): boolean =>
  killer !== null && (meters ?? 0) >= longShotMeters;

/** What the game of the server makes of how a player was killed. */
function howKilled(config: Config, blow: NamedBlow & { serverId: string }): HowKilled {
  const game = serverOf(config, blow.serverId)?.server.game;
  const known = game === undefined ? undefined : gameOf(game)?.howKilled?.(blow);
  return known ?? { weaponKind: null, isHeadshot: false };
}

/** The same of the kills and deaths of a player. */
export function withHowKilled<Kill extends NamedBlow & { serverId: string }, Rest extends object>(
  config: Config,
  { kills, deaths, ...rest }: Rest & { kills: readonly Kill[]; deaths: readonly Kill[] },
) {
  const shown = (all: readonly Kill[]) => all.map((one) => ({ ...one, ...howKilled(config, one) }));
  return { ...rest, kills: shown(kills), deaths: shown(deaths) };
}
