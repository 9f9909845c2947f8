import type { RoleRecord, RoleRecords } from '../../../commands/ports/member-roles.ts';

/**
 * What the bot knows of the roles of a guild. It is read once, since only the process that serves the guild changes it, and
 * jobs start anew when shards move. To read 50,000 at each poll takes SQLite 0.1 s.
 */
export class KnownRoles {
  readonly #guildId: string;
  readonly #records: RoleRecords;
  /** Null: it is to be read. */
  #known: Map<string, RoleRecord> | null = null;

  constructor(guildId: string, records: RoleRecords) {
    this.#guildId = guildId;
    this.#records = records;
  }

  async all(): Promise<RoleRecord[]> {
    this.#known ??= new Map((await this.#records.of(this.#guildId)).map((each) => [keyOf(each), each]));
    return [...this.#known.values()];
  }

  async set(record: RoleRecord): Promise<void> {
    await this.#write(async () => await this.#records.set(this.#guildId, [record]));
    this.#known?.set(keyOf(record), record);
  }

  async remove(records: readonly RoleRecord[]): Promise<void> {
    await this.#write(async () => await this.#records.remove(this.#guildId, records));
    for (const record of records) this.#known?.delete(keyOf(record));
  }

  async #write(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // It may be written all the same.
      this.#known = null;
      throw error;
    }
  }
}

const keyOf = ({ roleId, memberId }: RoleRecord): string => `${roleId} ${memberId}`;
