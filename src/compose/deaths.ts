import type { Deaths } from '../commands/ports.ts';
import type { Config } from '../config/schema.ts';
import type { Death } from '../embeds/kill-feed.ts';
import type { Database, ReadDatabase } from '../server/store/database.ts';
import * as store from '../server/store/kills/deaths.ts';
import { readOutdatedMessages, saveFeedMessage, saveReworded } from '../server/store/rights/feed-messages.ts';
import { readRights } from '../server/store/rights/forgotten-list.ts';
import { projectOfBot } from './ports.ts';

/** Nitrado hands logs over in batches of 10 to 20 minutes, and they are polled a few minutes apart. */
const nitradoDelayMs = 30 * 60_000;
/** Messages that are edited in a row. */
const mostOutdated = 20;

/** The deaths of the bot's project for its kill feeds. The config is read at each call, because it may change. */
export function createDeaths(
  { db, dataVersion }: ReadDatabase,
  writer: Database,
  config: () => Config,
): Deaths {
  const ownServers = (ids: readonly string[]): string[] => {
    const project = projectOfBot(config());
    if (project === undefined || project.suspended) return [];
    const own = new Set(project.servers.filter(({ active }) => active).map(({ id }) => id));
    return ids.filter((id) => own.has(id));
  };
  /** Servers whose logs are handed over late. */
  const lateServers = (): Set<string> => {
    const late = projectOfBot(config())?.servers.filter(({ files }) => files?.type === 'nitrado') ?? [];
    return new Set(late.map(({ id }) => id));
  };
  const shown = (deaths: readonly store.Death[]): Death[] => {
    const late = lateServers();
    return deaths.map(({ victim, killer, position, isJustNow, ...death }) => ({
      ...death,
      at: isJustNow ? death.storedAt : death.at,
      lateByMs: late.has(death.serverId) ? nitradoDelayMs : 0,
      victim: { name: victim.name },
      killer: killer === null ? null : { name: killer.name },
      position: position === null ? null : { east: position.x, north: position.z },
      streak: killer?.streak ?? null,
      endedStreak: victim.streak,
    }));
  };
  return {
    version: dataVersion,
    latest: () => store.latestDeathId(db),
    async after(serverIds, id, limit) {
      const ids = ownServers(serverIds);
      // Read first: whatever is stored later has a higher id.
      const latest = await store.latestDeathId(db);
      if (ids.length === 0 || latest <= id)
        return { deaths: [], through: Math.max(id, latest), isLast: true };
      const { deaths, cursor } = await store.readDeathsAfter(db, ids, id, limit, { onlyLive: true });
      return {
        deaths: shown(deaths),
        through: deaths.length < limit ? Math.max(cursor, latest) : cursor,
        isLast: deaths.length < limit,
      };
    },
    byId: async (ids) => shown(await store.readDeaths(db, ids)),
    revision: async () => (await readRights(db)).revision,
    posted: async (message, revision) => await saveFeedMessage(writer, message, revision),
    outdated: async () => await readOutdatedMessages(db, mostOutdated),
    reworded: async (messageId, revision) => await saveReworded(writer, messageId, revision),
  };
}
