import { dayzIdPattern } from 'dayz-files';
import type { Identifier } from '../api/identifiers.ts';
import type { StoredPlayers } from '../commands/ports/community.ts';
import type { ConfiguredProject } from '../config/config-index.ts';
import type { Reader } from '../server/store/engine/database.ts';
import {
  findPlayerById,
  findPlayersByName,
  findProfile,
  readGameId,
} from '../server/store/repositories/players/player-profiles.ts';
import { openStored } from './stored-project.ts';

const storedRef = /^stored\.([1-9]\d{0,14})$/;
export const refOfId = (id: number): string => `stored.${id}`;
/** The store's id in a ref; null: it is none of ours. */
export function idOfRef(ref: string): number | null {
  const id = storedRef.exec(ref)?.[1];
  return id === undefined ? null : Number(id);
}

/** The store's id of a player; null: there is no such player, or the player is hidden. */
export async function findPlayerId(
  db: Reader,
  projectId: string,
  who: Identifier | { ref: string },
): Promise<number | null> {
  if (!('ref' in who)) return (await findProfile(db, projectId, who))?.id ?? null;
  const id = idOfRef(who.ref);
  return id === null || (await findPlayerById(db, projectId, id)) === null ? null : id;
}

/** As many as a menu offers. */
const mostNamesakes = 25;

/** The players of a project as its store has them. */
export function createStoredPlayers(configured: ConfiguredProject, db: Reader): StoredPlayers {
  const openId = async (): Promise<string | null> => {
    return (await openStored(db, configured, 'getPlayer'))?.projectId ?? null;
  };
  return {
    async named(name) {
      const projectId = await openId();
      if (projectId === null) return [];
      const known = dayzIdPattern.test(name)
        ? await findProfile(db, projectId, { kind: 'dayzId', value: name })
        : null;
      const found = known === null ? await findPlayersByName(db, projectId, name, mostNamesakes) : [known];
      return found.map(({ id, player }) => ({ ref: refOfId(id), player }));
    },
    async gameId(who) {
      const projectId = await openId();
      const id = projectId === null ? null : await findPlayerId(db, projectId, who);
      return id === null ? null : await readGameId(db, id);
    },
    async get(ref) {
      const id = idOfRef(ref);
      const projectId = id === null ? null : await openId();
      return id === null || projectId === null ? null : await findPlayerById(db, projectId, id);
    },
  };
}
