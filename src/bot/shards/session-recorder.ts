import { GatewayDispatchEvents, type Client as DiscordClient } from 'discord.js';
import type { Logger } from 'pino';
import { loggable } from '../loggable.ts';
import { guildStateOf, type GuildState } from './guild-state.ts';
import { partOf, parts, type SessionHead, type SessionStore } from './session-store.ts';
import { libraries, type Expected, type SessionInfo } from './takeover.ts';

export interface RecorderOptions {
  /** Its writes fail once another process has the shard, and may go on with the session. */
  store: SessionStore;
  expected: Expected;
  log: Logger;
  now: () => number;
  monotonic: () => number;
  /** Attempts to resume that the session has had. */
  attempts: number;
  /** Pause between two writes. Default: 10 s. */
  everyMs?: number | undefined;
}

/** Events that change what is stored of a guild. */
const guildEvents = [
  GatewayDispatchEvents.GuildCreate,
  GatewayDispatchEvents.GuildUpdate,
  GatewayDispatchEvents.GuildDelete,
  GatewayDispatchEvents.GuildRoleCreate,
  GatewayDispatchEvents.GuildRoleUpdate,
  GatewayDispatchEvents.GuildRoleDelete,
  GatewayDispatchEvents.GuildMemberUpdate,
  GatewayDispatchEvents.ChannelCreate,
  GatewayDispatchEvents.ChannelUpdate,
  GatewayDispatchEvents.ChannelDelete,
  GatewayDispatchEvents.ThreadCreate,
  GatewayDispatchEvents.ThreadUpdate,
  GatewayDispatchEvents.ThreadDelete,
  GatewayDispatchEvents.ThreadListSync,
] as const;

/** A session that has lasted this long does not end its process by its events. */
const lastsMs = 60_000;
/** Without any event, the session is written this often: an old one is not resumed. */
const quietMs = 120_000;

/**
 * Writes the session of one shard, so that another process can resume it: every few seconds if anything has come, and when
 * the process stops. Guilds are written before the sequence number. So after a crash they are newer at most, and what Discord
 * sends again changes nothing in them.
 */
export class SessionRecorder {
  readonly #options: RecorderOptions;
  readonly #startedAt: number;
  #client: DiscordClient | null = null;
  #session: SessionInfo | null = null;
  #written: string | null = null;
  /** Whether parts of this session may be in the store. */
  #hasParts = false;
  #writtenAt = -Infinity;
  readonly #changed = new Set<number>();
  #tooLarge = false;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#startedAt = options.monotonic();
  }

  /** Follows a client that has just been made. `isStored`: its guilds are in the store. */
  follow(client: DiscordClient, isStored: boolean): void {
    this.#client = client;
    this.#hasParts = isStored;
    if (!isStored) this.#changeAll();
    for (const event of guildEvents) {
      client.ws.on(event, ({ guild_id: guildId, id }: { guild_id?: string; id: string }) =>
        this.#changed.add(partOf(guildId ?? id, this.#options.expected.shardCount)),
      );
    }
  }

  /** The client is ready: writes from now on. */
  start(): void {
    this.#timer = setInterval(() => void this.write(), this.#options.everyMs ?? 10_000).unref();
    void this.write();
  }

  /** The session as discord.js knows it; null: it ended. */
  session(session: SessionInfo | null): void {
    if (session?.sessionId !== this.#session?.sessionId && this.#session !== null) {
      this.#changeAll();
      this.#written = null;
      this.#hasParts = false;
      this.#do(() => this.#options.store.drop(this.#options.expected.shard));
    }
    this.#session = session;
  }

  #changeAll(): void {
    for (let part = 0; part < parts; part += 1) this.#changed.add(part);
  }

  /** Writes what is new. Never rejects. `leaves`: the process stops on request. */
  async write(leaves = false): Promise<void> {
    this.#do(() => this.#write(leaves));
    await this.#writing;
  }

  /** Writes no more. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    this.#session = null;
  }

  #do(work: () => Promise<void>): void {
    const { log, expected } = this.#options;
    this.#writing = this.#writing
      .then(work)
      .catch((error: unknown) =>
        log.debug({ error: loggable(error) }, `could not store the session of shard ${expected.shard}`),
      );
  }

  async #write(leaves: boolean): Promise<void> {
    const { store, expected, now, monotonic, log } = this.#options;
    const [client, session] = [this.#client, this.#session];
    if (session === null || client?.isReady() !== true || this.#tooLarge) return;
    const attempts = leaves || monotonic() - this.#startedAt >= lastsMs ? 0 : this.#options.attempts;
    const mark = `${session.sessionId} ${session.sequence} ${attempts}`;
    const isRecent = !leaves && monotonic() - this.#writtenAt < quietMs;
    if (mark === this.#written && this.#changed.size === 0 && isRecent) return;
    // Before the guilds are read: they are at least as new.
    const head: SessionHead = {
      format: 1,
      libraries,
      ...expected,
      sessionId: session.sessionId,
      resumeUrl: session.resumeURL,
      sequence: session.sequence,
      storedAt: now(),
      attempts,
      user: { id: client.user.id, username: client.user.username, bot: true },
      application: { id: client.application.id, flags: client.application.flags.bitfield },
      guildIds: [...client.guilds.cache.keys()],
    };
    const changed = [...this.#changed];
    for (const part of changed) {
      this.#changed.delete(part);
      const guilds = this.#statesOf(client, part);
      if (guilds?.length === 0 && !this.#hasParts) continue;
      const isStored = guilds !== null && (await this.#savePart(head, part, guilds));
      if (isStored) continue;
      this.#tooLarge = true;
      await store.drop(expected.shard);
      log.info(
        `the session of shard ${expected.shard} is too large to be stored: after a restart, it logs in`,
      );
      return;
    }
    // A session that ended meanwhile was dropped, and must not come back.
    if (this.#session?.sessionId !== session.sessionId) return;
    await store.saveHead(head);
    this.#hasParts = true;
    this.#written = mark;
    this.#writtenAt = monotonic();
  }

  async #savePart(head: SessionHead, part: number, guilds: readonly GuildState[]): Promise<boolean> {
    try {
      return await this.#options.store.savePart(head, part, guilds);
    } catch (error) {
      this.#changed.add(part);
      throw error;
    }
  }

  #statesOf(client: DiscordClient, part: number): GuildState[] | null {
    const states: GuildState[] = [];
    for (const guild of client.guilds.cache.values()) {
      if (partOf(guild.id, this.#options.expected.shardCount) !== part) continue;
      const state = guildStateOf(guild);
      if (state === null) return null;
      states.push(state);
    }
    return states;
  }
}
