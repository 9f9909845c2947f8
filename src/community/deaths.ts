import type { NamedBlow } from 'dayz-files';
import { type HowKilled, longShotMeters } from '../api/death-causes.ts';
import type { Deaths, FeedDeath } from '../commands/interfaces/community.ts';
import { logsLateByMs } from '../config/config-index.ts';
import { gameOf } from '../server/games/index.ts';
import * as store from '../server/store/repositories/kills/deaths.ts';
import { findRecordShot } from '../server/store/repositories/kills/boards.ts';
import { earlyRestartMs, runningSeason } from './periods.ts';
import type { StoredProject } from './stored-project.ts';

/** The deaths on a project's servers, for its kill feeds. */
export function createDeaths(stored: StoredProject): Deaths {
  const { reader, project: projectOf, servers } = stored;
  /** Which of these deaths are records, by their ids. At most one of a server can be, so each server is asked once. */
  const readRecords = async (deaths: readonly store.Death[]): Promise<Map<number, 'season' | 'month'>> => {
    const records = new Map<number, 'season' | 'month'>();
    const project = projectOf();
    if (project === undefined) return records;
    const latestShots = new Map(deaths.filter(isLongShot).map(({ serverId, at }) => [serverId, at]));
    for (const [serverId, at] of latestShots) {
      const { kind, from } = runningSeason(project, at);
      const id = await findRecordShot(reader, serverId, kind === 'season' ? from - earlyRestartMs : from);
      if (id !== null) records.set(id, kind === 'season' ? 'season' : 'month');
    }
    return records;
  };
  const toFeedDeaths = async (deaths: readonly store.Death[]): Promise<FeedDeath[]> => {
    const records = await readRecords(deaths);
    const lateByMs = new Map(servers().map((server) => [server.id, logsLateByMs(server)]));
    return deaths.map(({ victim, killer, position, isJustNow, ...death }) => ({
      ...death,
      at: isJustNow ? death.storedAt : death.at,
      ...howKilled(stored, death),
      lateByMs: lateByMs.get(death.serverId) ?? 0,
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
  const visibleIds = (): string[] => servers().map(({ id }) => id);
  return {
    latest: async () => await store.latestDeathAfter(reader, visibleIds(), 0),
    async after(serverIds, id, limit) {
      const wanted = visibleIds().filter((one) => serverIds.includes(one));
      // Read first: whatever is stored later on these servers has a higher id.
      const last = await store.latestDeathAfter(reader, wanted, id);
      if (last === id) return { deaths: [], through: id, isLast: true };
      const { deaths, cursor } = await store.readDeathsAfter(reader, wanted, id, limit, { onlyLive: true });
      const isLast = deaths.length < limit;
      const through = isLast ? Math.max(cursor, last) : cursor;
      return { deaths: await toFeedDeaths(deaths), through, isLast };
    },
  };
}

const isLongShot = ({ killer, meters }: store.Death): boolean =>
  killer !== null && (meters ?? 0) >= longShotMeters;

type Blow = NamedBlow & { serverId: string };

/** With what a player was killed, and whether by a headshot, by the words of the server's game. */
function howKilled({ project }: Pick<StoredProject, 'project'>, blow: Blow): HowKilled {
  const game = project()?.servers.find(({ id }) => id === blow.serverId)?.game;
  const known = game === undefined ? undefined : gameOf(game)?.howKilled?.(blow);
  return known ?? { weaponKind: null, isHeadshot: false };
}

/** A player's kills and deaths, each with `howKilled`. */
export function withHowKilled<Kill extends Blow, Rest extends object>(
  stored: Pick<StoredProject, 'project'>,
  { kills, deaths, ...rest }: Rest & { kills: readonly Kill[]; deaths: readonly Kill[] },
) {
  const withHow = (all: readonly Kill[]) => all.map((one) => ({ ...one, ...howKilled(stored, one) }));
  return { ...rest, kills: withHow(kills), deaths: withHow(deaths) };
}
