import type { Logger } from 'pino';
import type { OnlinePlayers } from '../api/resources.ts';
import type { Reader } from '../server/store/engine/database.ts';
import {
  nameForm,
  readForgottenList,
  readRights,
} from '../server/store/repositories/rights/forgotten-list.ts';
import { logFailure } from '../server/store/engine/store-health.ts';
import { readHiddenPeople } from '../server/store/repositories/rights/hide-player.ts';

/** A player in the list of a query. */
interface ListedPlayer {
  steamId64: string | null;
  name: string | null;
}

export type UnlistedPlayers = Awaited<ReturnType<typeof watchUnlistedPlayers>>;

const pollEveryMs = 500;

/**
 * Reads who is hidden or forgotten, and again within a second after any process changed that.
 * @throws StoreError when the key of the list of forgotten players is missing
 */
export async function watchUnlistedPlayers(db: Reader, log: Logger) {
  let known = await readUnlisted(db);
  const refresh = async (): Promise<void> => {
    if ((await readRights(db)).revision === known.revision) return;
    known = await readUnlisted(db);
    log.info({ revision: known.revision }, 'players were hidden, shown or forgotten');
  };
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= refresh()
      .catch((error: unknown) => logFailure(log, error, 'could not read who is hidden or forgotten'))
      .finally(() => (running = null));
  }, pollEveryMs);
  return {
    /** Rises with every hide, show and forget. */
    revision: () => known.revision,
    /** Whether lists from queries of a project's servers leave a player out. The name decides if there is no Steam id. */
    isUnlisted: (player: ListedPlayer, slug: string): boolean => known.isUnlisted(player, slug),
    async stop(): Promise<void> {
      clearInterval(timer);
      await running;
    },
  };
}

async function readUnlisted(db: Reader) {
  const { revision } = await readRights(db);
  const [forgotten, hidden] = await Promise.all([readForgottenList(db), readHiddenPeople(db)]);
  return {
    revision,
    isUnlisted({ steamId64, name }: ListedPlayer, slug: string): boolean {
      const hiddenHere = hidden.get(slug);
      if (steamId64 !== null)
        return hiddenHere?.steamIds.has(steamId64) === true || forgotten.hasPerson({ steamId64 });
      if (name === null) return false;
      return hiddenHere?.names.has(nameForm(name)) === true || forgotten.has(nameForm(name));
    },
  };
}

/**
 * The players on a server without those who are hidden or forgotten, who are still counted.
 * @param slug of the server's project; undefined: this process does not know the server yet, so nobody is listed
 */
export function withoutUnlisted(
  online: OnlinePlayers,
  unlisted: Pick<UnlistedPlayers, 'isUnlisted'>,
  slug: string | undefined,
): OnlinePlayers {
  const players =
    slug === undefined ? [] : online.players.filter((player) => !unlisted.isUnlisted(player, slug));
  return { ...online, players, incompletePlayers: online.listedPlayers - players.length };
}
