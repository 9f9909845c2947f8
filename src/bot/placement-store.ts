import { randomBytes } from 'node:crypto';
import type { Keyv } from 'keyv';
import type { NewPlacement } from '../commands/placements.ts';

/** What a member placed, as it is kept. */
export interface StoredPlacement extends NewPlacement {
  id: string;
}

/** What members placed in all guilds. Changes come one after the other, each whole or not at all. */
export interface PlacementStore {
  /** @throws when it cannot be read */
  list(): Promise<readonly StoredPlacement[]>;
  /** One that the same menu asked for is there already is given back instead. @throws when it cannot be written */
  add(placement: NewPlacement): Promise<StoredPlacement>;
  /** @throws when it cannot be written */
  remove(ids: readonly string[]): Promise<void>;
  /** @returns how many name the server. @throws when it cannot be written */
  renameServer(from: string, to: string): Promise<number>;
}

function withServer(kept: StoredPlacement, from: string, to: string): StoredPlacement {
  const { content } = kept;
  if (!('servers' in content) || !content.servers.includes(from)) return kept;
  const servers = new Set(content.servers.map((id) => (id === from ? to : id)));
  return { ...kept, content: { ...content, servers: [...servers] } };
}

const key = 'placements';

/** Keeps placements under one key: there are few, and they are always wanted together. Each time they are read anew, since
 * the command line may change them. `keyv` must throw when it fails. */
export function createPlacementStore(keyv: Keyv): PlacementStore {
  let changing: Promise<unknown> = Promise.resolve();

  async function list(): Promise<readonly StoredPlacement[]> {
    return ((await keyv.get(key)) as readonly StoredPlacement[] | undefined) ?? [];
  }

  function change<T>(work: (now: readonly StoredPlacement[]) => [readonly StoredPlacement[], T]): Promise<T> {
    const done = changing.then(async () => {
      const [next, result] = work(await list());
      // Where nobody listens for its errors, it may also say false.
      if (!(await keyv.set(key, next))) throw new Error('the placements were not written');
      return result;
    });
    changing = done.catch(() => undefined);
    return done;
  }

  return {
    list,
    add: (placement) =>
      change((now) => {
        // Somebody pressed twice.
        const same = now.find(({ askedOn }) => askedOn !== undefined && askedOn === placement.askedOn);
        if (same !== undefined) return [now, same];
        const kept = { ...placement, id: randomBytes(6).toString('hex') };
        return [[...now, kept], kept];
      }),
    remove: (ids) => change((now) => [now.filter(({ id }) => !ids.includes(id)), undefined]),
    renameServer: (from, to) =>
      change((now) => {
        const next = now.map((kept) => withServer(kept, from, to));
        return [next, next.filter((kept, i) => kept !== now[i]).length];
      }),
  };
}
