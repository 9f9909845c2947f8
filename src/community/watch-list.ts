import type { RightsMember } from '../commands/interfaces/player-rights.ts';
import type { Arrivals, StoredArrival, WatchList } from '../commands/interfaces/watch-list.ts';
import type { WatchEntry } from '../embeds/watch-list.ts';
import { factsOf } from '../server/games/table.ts';
import { parseRightsTarget } from '../server/ingest/players/rights-target.ts';
import { readPlayerKills } from '../server/store/repositories/kills/player-kills.ts';
import { readRosters } from '../server/store/repositories/logs/rosters.ts';
import { findTargets } from '../server/store/repositories/rights/forget-player.ts';
import { readForgottenList } from '../server/store/repositories/rights/forgotten-list.ts';
import {
  type Arrival,
  findArrival,
  latestArrival,
  readArrivals,
  readPresence,
} from '../server/store/repositories/watch/arrivals.ts';
import {
  addEntry,
  mostEntries,
  readEntries,
  removeEntry,
  withoutNumber,
  type WatchEntry as StoredEntry,
  type WatchSubject,
} from '../server/store/repositories/watch/watch-list.ts';
import { logsLateByMs } from '../config/config-index.ts';
import { withHowKilled } from './deaths.ts';
import { rosterNow } from './roster-now.ts';
import type { StoredProject } from './stored-project.ts';

const dayMs = 86_400_000;
const shownKills = 3;

/** Whom an entry is about, as members see it. */
function shownSubject({ playerId, identifier, name }: StoredEntry): Pick<WatchEntry, 'about' | 'subject'> {
  if (playerId !== null) return { about: 'player', subject: name ?? '' };
  if (identifier !== null) return { about: 'identifier', subject: identifier };
  return { about: 'name', subject: name ?? '' };
}

const shownEntry = (entry: StoredEntry): WatchEntry => ({ ...entry, ...shownSubject(entry) });

/** The watch list of a project, for moderators. Hidden players can be watched: hiding concerns what members see. */
export function createWatchList({
  slug,
  id: projectIdOf,
  writer: db,
  servers,
  log,
  now,
}: StoredProject): WatchList {
  const logChange = (action: 'add' | 'remove', entry: number | undefined, who: RightsMember): void =>
    log.info({ action, entry, ...who }, 'a member changed the watch list');
  const list = async (): Promise<WatchEntry[]> =>
    (await readEntries(db, await projectIdOf(), now())).map(shownEntry);
  /** Where the player is, by logs that are up to date. */
  const serversWith = async (projectId: string, playerId: number): Promise<string[]> => {
    const rosters = await readRosters(db, await readPresence(db, projectId, playerId));
    return servers().flatMap(({ id }) => {
      const roster = rosters.get(id);
      return roster === undefined || rosterNow(roster, now()).players === null ? [] : [id];
    });
  };
  return {
    most: mostEntries,
    list,
    async find(identifier) {
      const target = parseRightsTarget(identifier);
      const found = target === null ? [] : await findTargets(db, target, slug);
      const ids = new Set<number | null>(found.map(({ id }) => id));
      const entries = await readEntries(db, await projectIdOf(), now());
      return entries.find(({ playerId }) => ids.has(playerId))?.id ?? null;
    },
    async add({ text, reason, days }, who) {
      /** Null: the text is a name, which several players may have. */
      const target = parseRightsTarget(text);
      const forgotten = await readForgottenList(db);
      if (target !== null && forgotten.hasPerson(target.identity)) return 'forgotten';
      const found = await findTargets(db, target ?? { name: text }, slug);
      const onlyPlayer = found.length === 1 ? found[0] : undefined;
      const typed = text.trim();
      const byText: WatchSubject = target === null ? { name: typed } : { identifier: typed };
      const subject = onlyPlayer === undefined ? byText : { playerId: onlyPlayer.id };
      const expiresAt = days === null ? null : now() + days * dayMs;
      const details = { reason, expiresAt, addedBy: who.userId };
      const projectId = await projectIdOf();
      const id = await addEntry(db, projectId, subject, details, now());
      if (id === null) return 'full';
      logChange('add', id, who);
      const isAmbiguous = target === null && found.length > 1;
      if (found.length === 0 || isAmbiguous)
        return { about: target === null ? 'name' : 'identifier', subject: typed, on: [] };
      // Several rows with one identifier are one player: logs and ban files know different ones.
      const on = await Promise.all(found.map(async (row) => await serversWith(projectId, row.id)));
      const name = found.find((row) => row.name !== null)?.name ?? typed;
      return { about: 'player', subject: name, on: [...new Set(on.flat())] };
    },
    async remove(id, who) {
      const entry = (await list()).find((each) => each.id === id);
      if (entry === undefined || !(await removeEntry(db, await projectIdOf(), id))) return null;
      logChange('remove', id, who);
      return entry;
    },
  };
}

/** Who comes on a project's servers. */
export function createArrivals(stored: StoredProject): Arrivals {
  const { reader: db, id: projectId, now } = stored;
  const serverOf = (serverId: string) => stored.servers().find(({ id }) => id === serverId);
  const isOwn = ({ serverId }: Arrival): boolean => serverOf(serverId) !== undefined;
  /** Whether the game gives this name to everybody who chose none: then it says nothing of who somebody is. */
  const isDefaultName = ({ name, serverId }: Pick<Arrival, 'name' | 'serverId'>): boolean => {
    const defaultName = factsOf(serverOf(serverId)?.game)?.defaultName;
    return defaultName !== undefined && withoutNumber(name).toLowerCase() === defaultName.toLowerCase();
  };
  const shown = ({ steamId64, dayzId, playerId, ...arrival }: Arrival): StoredArrival => {
    const namesakeOf = isDefaultName(arrival) ? null : arrival.namesakeOf;
    const namesakeId = namesakeOf?.playerId ?? playerId;
    const server = serverOf(arrival.serverId);
    return {
      ...arrival,
      lateByMs: server === undefined ? 0 : logsLateByMs(server),
      namesakeOf,
      players: [...new Set([playerId, namesakeId])],
      identifier: steamId64 ?? dayzId,
      kills: null,
    };
  };
  return {
    latest: async () => await latestArrival(db, await projectId()),
    async after(serverIds, id, limit) {
      const found = await readArrivals(db, await projectId(), { after: id, limit, now: now() });
      const wanted = found.filter((arrival) => isOwn(arrival) && serverIds.includes(arrival.serverId));
      const through = found.at(-1)?.id ?? id;
      return { arrivals: wanted.map(shown), through, isLast: found.length < limit };
    },
    async get(id) {
      const project = await projectId();
      const arrival = await findArrival(db, project, id, now());
      if (arrival === null || !isOwn(arrival)) return null;
      const kills = await readPlayerKills(db, project, arrival.playerId, shownKills);
      const involved = [...(kills?.kills ?? []), ...(kills?.deaths ?? [])]
        .flatMap(({ victim, killer }) => [victim, killer ?? victim])
        .filter(({ name }) => name !== null);
      const { players, ...rest } = shown(arrival);
      return {
        ...rest,
        players: [...new Set([...players, ...involved.map(({ id: playerId }) => playerId)])],
        kills: kills && withHowKilled(stored, kills),
      };
    },
  };
}
