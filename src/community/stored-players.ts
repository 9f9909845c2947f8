import { dayzIdPattern } from 'dayz-files';
import type { PlayerKey, StoredPlayers } from '../commands/interfaces/community.ts';
import type { Reader } from '../server/store/engine/database.ts';
import { readPlayerKills } from '../server/store/repositories/kills/player-kills.ts';
import {
  findPlayerById,
  findPlayersByName,
  findProfile,
  readGameId,
} from '../server/store/repositories/players/player-profiles.ts';
import { readPlayedDays, readRanks } from '../server/store/repositories/players/standing.ts';
import { withHowKilled } from './deaths.ts';
import type { StoredProject } from './stored-project.ts';

const storedRef = /^stored\.([1-9]\d{0,14})$/;
export const refOfId = (id: number): string => `stored.${id}`;
/** The store's id in a ref; null: the text is no ref, since members may send any. */
export function idOfRef(ref: string): number | null {
  const id = storedRef.exec(ref)?.[1];
  return id === undefined ? null : Number(id);
}

/** The store's id of a player; null: there is no such player, or the player is hidden. */
export async function findPlayerId(db: Reader, projectId: string, who: PlayerKey): Promise<number | null> {
  if (!('ref' in who)) return (await findProfile(db, projectId, who))?.id ?? null;
  const id = idOfRef(who.ref);
  return id === null || (await findPlayerById(db, projectId, id)) === null ? null : id;
}

/** As many as a menu offers. */
const mostNamesakes = 25;
const shownKills = 5;
const mostRanks = 100;
const shownDays = 30;

/** The players of a project as its store has them. */
export function createStoredPlayers(stored: StoredProject): StoredPlayers {
  const { reader: db, now } = stored;
  /** The project and its id; null, as if it had no players: `/v1` would refuse `getPlayer`, as when suspended. */
  const openForPlayers = () => stored.open('getPlayer');
  return {
    async named(name) {
      const opened = await openForPlayers();
      if (opened === null) return [];
      const { projectId } = opened;
      const byId = dayzIdPattern.test(name)
        ? await findProfile(db, projectId, { kind: 'dayzId', value: name })
        : null;
      const found = byId === null ? await findPlayersByName(db, projectId, name, mostNamesakes) : [byId];
      return found.map(({ id, player }) => ({ ref: refOfId(id), player }));
    },
    async get(ref) {
      const id = idOfRef(ref);
      if (id === null) return null;
      const opened = await openForPlayers();
      return opened && (await findPlayerById(db, opened.projectId, id));
    },
    async details(who) {
      const opened = await openForPlayers();
      if (opened === null) return null;
      const { project, projectId } = opened;
      const playerId = await findPlayerId(db, projectId, who);
      if (playerId === null) return null;
      // Ranks are those of leaderboards, which not every plan has.
      const planHasBoards = (await stored.open('listLeaderboards')) !== null;
      const zone = project.servers[0]?.timezone ?? 'UTC';
      const [gameId, kills, ranks, activity] = await Promise.all([
        readGameId(db, playerId),
        readPlayerKills(db, projectId, playerId, shownKills),
        planHasBoards ? readRanks(db, projectId, playerId, mostRanks) : {},
        readPlayedDays(db, projectId, playerId, { days: shownDays, zone, now: now() }),
      ]);
      return { playerId, gameId, kills: kills && withHowKilled(stored, kills), ranks, activity };
    },
  };
}
