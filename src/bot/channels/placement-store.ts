import { randomBytes } from 'node:crypto';
import type { Keyv } from 'keyv';
import type { NewPlacement } from '../../commands/interfaces/placements.ts';
import { limitConcurrency } from '../../process/concurrency-limit.ts';

export interface StoredPlacement extends NewPlacement {
  id: string;
}

/** What members placed, in all guilds, is one value: placements are few and always used together. */
export const placementsKey = 'placements';

/** The placements after a server of the config got another id. @returns the same list where none is about that server */
export function withRenamedServer(
  placements: readonly StoredPlacement[],
  from: string,
  to: string,
): readonly StoredPlacement[] {
  const isAbout = ({ content }: StoredPlacement): boolean =>
    'servers' in content && content.servers.includes(from);
  if (!placements.some(isAbout)) return placements;
  return placements.map((placement) => {
    const { content } = placement;
    if (!('servers' in content)) return placement;
    const servers = new Set(content.servers.map((id) => (id === from ? to : id)));
    return { ...placement, content: { ...content, servers: [...servers] } };
  });
}

/** What members placed. It is read each time, since a reload of the config may change it. All methods throw where the store fails. */
export class PlacementStore {
  readonly #keyv: Keyv;
  readonly #inTurn = limitConcurrency(1);

  /** @param keyv throws on failure */
  constructor(keyv: Keyv) {
    this.#keyv = keyv;
  }

  async list(): Promise<readonly StoredPlacement[]> {
    return (await this.#keyv.get<readonly StoredPlacement[]>(placementsKey)) ?? [];
  }

  /** Returns the existing placement if the same menu message already created one. */
  async add(placement: NewPlacement): Promise<StoredPlacement> {
    return await this.#inTurn.run(async () => {
      const before = await this.list();
      // The menu was used twice.
      const same = before.find(({ askedOn }) => askedOn !== undefined && askedOn === placement.askedOn);
      if (same !== undefined) return same;
      const stored = { ...placement, id: randomBytes(6).toString('hex') };
      await this.#keyv.set(placementsKey, [...before, stored]);
      return stored;
    });
  }

  async remove(ids: readonly string[]): Promise<void> {
    await this.#inTurn.run(async () => {
      const left = (await this.list()).filter(({ id }) => !ids.includes(id));
      await this.#keyv.set(placementsKey, left);
    });
  }
}
