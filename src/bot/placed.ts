import { randomBytes } from 'node:crypto';
import type { Keyv } from 'keyv';
import type { NewPlacement } from '../commands/placements.ts';

/** What a member placed, as it is kept. */
export interface KeptPlacement extends NewPlacement {
  id: string;
}

/** What members placed in all guilds. Changes come one after the other, each whole or not at all. */
export interface PlacedStore {
  /** @throws when it cannot be read */
  list(): Promise<readonly KeptPlacement[]>;
  /** @throws when it cannot be written */
  add(placement: NewPlacement): Promise<KeptPlacement>;
  /** @throws when it cannot be written */
  remove(ids: readonly string[]): Promise<void>;
}

const key = 'placements';

/** Keeps placements under one key: there are few, and they are always wanted together. `keyv` must throw when it fails. */
export function createPlacedStore(keyv: Keyv): PlacedStore {
  let placements: readonly KeptPlacement[] | null = null;
  let changing: Promise<unknown> = Promise.resolve();

  async function list(): Promise<readonly KeptPlacement[]> {
    placements ??= ((await keyv.get(key)) as readonly KeptPlacement[] | undefined) ?? [];
    return placements;
  }

  function change<T>(work: (now: readonly KeptPlacement[]) => [readonly KeptPlacement[], T]): Promise<T> {
    const done = changing.then(async () => {
      const [next, result] = work(await list());
      // Where nobody listens for its errors, it may also say false.
      if (!(await keyv.set(key, next))) throw new Error('the placements were not written');
      placements = next;
      return result;
    });
    changing = done.catch(() => undefined);
    return done;
  }

  return {
    list,
    add: (placement) =>
      change((now) => {
        const kept = { ...placement, id: randomBytes(6).toString('hex') };
        return [[...now, kept], kept];
      }),
    remove: (ids) => change((now) => [now.filter(({ id }) => !ids.includes(id)), undefined]),
  };
}
