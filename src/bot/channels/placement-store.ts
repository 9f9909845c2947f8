import { randomBytes } from 'node:crypto';
import type { Keyv } from 'keyv';
import type { NewPlacement } from '../../commands/ports/placements.ts';
import { limitConcurrency } from '../../process/concurrency-limit.ts';

export interface StoredPlacement extends NewPlacement {
  id: string;
}

function withServer(kept: StoredPlacement, from: string, to: string): StoredPlacement {
  const { content } = kept;
  if (!('servers' in content) || !content.servers.includes(from)) return kept;
  const servers = new Set(content.servers.map((id) => (id === from ? to : id)));
  return { ...kept, content: { ...content, servers: [...servers] } };
}

const key = 'placements';

/** @param read reads a value of the bot's namespace */
export async function readPlacements(
  read: (key: string) => Promise<unknown>,
): Promise<readonly StoredPlacement[]> {
  return ((await read(key)) as readonly StoredPlacement[] | undefined) ?? [];
}

/** Changes a value as one step, whatever other processes change at once. @param next may be called several times */
export type ChangeValue = <Value>(key: string, next: (before: Value | undefined) => Value) => Promise<void>;

/** For a store that no other process changes, and nothing else in this one: changes are made one after another. */
function changeAlone(keyv: Keyv): ChangeValue {
  const { run } = limitConcurrency(1);
  return async (name, next) => void (await run(async () => await keyv.set(name, next(await keyv.get(name)))));
}

/**
 * What members placed, in all guilds, under one key, since placements are few and always used together. They are read each
 * time, since other processes and the command line may change them.
 */
export class PlacementStore {
  readonly #keyv: Keyv;
  readonly #changeValue: ChangeValue;

  /** @param keyv throws on failure */
  constructor(keyv: Keyv, changeValue = changeAlone(keyv)) {
    this.#keyv = keyv;
    this.#changeValue = changeValue;
  }

  /** @throws when the store cannot be read */
  async list(): Promise<readonly StoredPlacement[]> {
    return await readPlacements(async (name) => await this.#keyv.get(name));
  }

  /** Returns the existing placement if the same menu message already created one. @throws when the store cannot be written */
  async add(placement: NewPlacement): Promise<StoredPlacement> {
    return await this.#change((now) => {
      // The menu was used twice.
      const same = now.find(({ askedOn }) => askedOn !== undefined && askedOn === placement.askedOn);
      if (same !== undefined) return [now, same];
      const kept = { ...placement, id: randomBytes(6).toString('hex') };
      return [[...now, kept], kept];
    });
  }

  /** @throws when the store cannot be written */
  async remove(ids: readonly string[]): Promise<void> {
    await this.#change((now) => [now.filter(({ id }) => !ids.includes(id)), undefined]);
  }

  /** @returns the number of changed placements. @throws when the store cannot be written */
  async renameServer(from: string, to: string): Promise<number> {
    return await this.#change((now) => {
      const next = now.map((kept) => withServer(kept, from, to));
      return [next, next.filter((kept, i) => kept !== now[i]).length];
    });
  }

  async #change<T>(work: (now: readonly StoredPlacement[]) => [readonly StoredPlacement[], T]): Promise<T> {
    const results: T[] = [];
    await this.#changeValue<readonly StoredPlacement[]>(key, (before = []) => {
      const [next, result] = work(before);
      results.push(result);
      return next;
    });
    return results.at(-1) as T;
  }
}
