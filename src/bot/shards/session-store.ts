import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { Keyv } from 'keyv';
import { z } from 'zod';
import { guildStateSchema, type GuildState } from './guild-state.ts';

/** What READY and Discord's later events have said, for another process to resume from. */
const headSchema = z.object({
  format: z.literal(1),
  /** Versions of the libraries that wrote it. */
  libraries: z.string(),
  sessionId: z.string().min(1),
  resumeUrl: z.url({ protocol: /^wss?$/ }),
  sequence: z.int().min(0),
  shard: z.int().min(0),
  shardCount: z.int().min(1),
  intents: z.int(),
  /** Of which token: the start of a digest. */
  tokenMark: z.string(),
  /** Epoch milliseconds. */
  storedAt: z.number(),
  /** Attempts to resume it since it last lasted. */
  attempts: z.int().min(0),
  user: z.object({ id: z.string(), username: z.string(), bot: z.literal(true) }),
  application: z.object({ id: z.string(), flags: z.int() }),
  guildIds: z.array(z.string()).max(10_000),
});

export type SessionHead = z.infer<typeof headSchema>;

export interface StoredSession {
  head: SessionHead;
  guilds: GuildState[];
}

const partSchema = z.object({ sessionId: z.string(), guilds: z.string() });

/** Guilds are stored in this many parts, of which a change rewrites one. */
export const parts = 16;
/** Characters of one part, compressed: 2,500 guilds of a usual size need a tenth of it. */
const longestPart = 2_000_000;
const largestInflated = 64 * 1024 * 1024;
const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

export function partOf(guildId: string, shardCount: number): number {
  return Number(((BigInt(guildId) >> 22n) / BigInt(shardCount)) % BigInt(parts));
}

/** Keeps the session of each shard in Keyv, in its own namespace. */
export class SessionStore {
  readonly #keyv: Keyv;

  constructor(keyv: Keyv) {
    keyv.throwOnErrors = true;
    this.#keyv = keyv;
  }

  /** A complete session, or why there is none. @throws when the store fails */
  async load(shard: number): Promise<StoredSession | string> {
    const head = await this.head(shard);
    if (head === null) return 'none is stored in this format';
    const guilds = await this.#guilds(head);
    const known = new Map(guilds?.map((guild) => [guild.id, guild]));
    const complete = head.guildIds.map((id) => known.get(id));
    if (complete.includes(undefined)) return 'the stored one is incomplete';
    return { head, guilds: complete as GuildState[] };
  }

  async head(shard: number): Promise<SessionHead | null> {
    return headSchema.safeParse(await this.#keyv.get(headKey(shard))).data ?? null;
  }

  async #guilds({ shard, sessionId }: SessionHead): Promise<GuildState[] | null> {
    const stored = await Promise.all(
      Array.from({ length: parts }, async (_, part): Promise<unknown> =>
        this.#keyv.get(partKey(shard, part)),
      ),
    );
    try {
      const found = stored.flatMap((value) => {
        const part = partSchema.safeParse(value);
        return part.success && part.data.sessionId === sessionId ? [part.data.guilds] : [];
      });
      const texts = await Promise.all(
        found.map((text) => inflate(Buffer.from(text, 'base64'), { maxOutputLength: largestInflated })),
      );
      return texts.flatMap((text) => z.array(guildStateSchema).parse(JSON.parse(text.toString('utf8'))));
    } catch {
      return null;
    }
  }

  /** Must come before the head whose sequence it is at least as new as. False: it is too large to be stored. */
  async savePart(
    { shard, sessionId }: Pick<SessionHead, 'shard' | 'sessionId'>,
    part: number,
    guilds: readonly GuildState[],
  ): Promise<boolean> {
    const text = (await deflate(JSON.stringify(guilds), { level: 1 })).toString('base64');
    if (text.length > longestPart) return false;
    await this.#set(partKey(shard, part), { sessionId, guilds: text });
    return true;
  }

  async saveHead(head: SessionHead): Promise<void> {
    await this.#set(headKey(head.shard), head);
  }

  /** Without its head, a session is not found any more. */
  async drop(shard: number): Promise<void> {
    await this.#keyv.delete(headKey(shard));
  }

  /** The number of shards that the processes use; null: none is stored. */
  async shardCount(): Promise<number | null> {
    const stored: unknown = await this.#keyv.get('shards');
    return Number.isInteger(stored) && Number(stored) > 0 ? Number(stored) : null;
  }

  async setShardCount(count: number): Promise<void> {
    await this.#set('shards', count);
  }

  async #set(key: string, value: unknown): Promise<void> {
    if (!(await this.#keyv.set(key, value))) throw new Error('not written');
  }
}

const headKey = (shard: number): string => `session:${shard}`;
const partKey = (shard: number, part: number): string => `guilds:${shard}:${part}`;
