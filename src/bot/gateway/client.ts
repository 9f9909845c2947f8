import { once } from 'node:events';
import {
  Client as DiscordClient,
  Events,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  GatewayIntentBits,
  Options,
  SimpleIdentifyThrottler,
  type Interaction,
} from 'discord.js';
import type { Logger } from 'pino';
import { within } from '../../process/time-limit.ts';
import { noMentions } from '../answers/acknowledgement.ts';
import { loggable } from '../loggable.ts';
import { restOptions } from '../rest.ts';

export interface ClientOptions {
  token: string;
  apiUrl?: string | undefined;
  log: Logger;
  onInteraction: (interaction: Interaction) => void;
  /** Discord has closed a connection for good, with this close code. Called once. */
  onClosed: (code: number) => void;
}

export type LoginOutcome =
  | { ready: DiscordClient<true> }
  /** The close code with which Discord refuses the bot. */
  | { refused: number }
  | { unreachable: unknown };

/** How long an answer may wait for a rate limit. Members do not wait longer. */
const answersWaitMs = 30_000;
/** How long `destroy` waits for shards that are connecting. */
const settlesMs = 1_000;

/**
 * A client of discord.js for one login, with all shards. Each shard is either
 * - connecting: from the login, or the loss of its connection, until READY or RESUMED; or
 * - settled: connected, waiting for its turn to IDENTIFY, or closed for good.
 *
 * `client.destroy()` does not stop a shard that is connecting, and works only once. So the client is destroyed when all are
 * settled.
 */
export class GatewayClient {
  readonly client: DiscordClient;
  readonly #options: ClientOptions;
  readonly #settled = new Set<number>();
  /** Whether `destroy` was called. */
  #isOver = false;
  #isClosed = false;
  /** The login failed, and discord.js has destroyed the client. */
  #isFailed = false;
  /** Shards whose connection is lost. The loss is logged for all together: discord.js tries twice a second. */
  readonly #lost = new Set<number>();
  #onDestroyed: () => void = () => undefined;
  #onOutcome: (outcome: LoginOutcome) => void = () => undefined;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.client = this.#newClient();
    this.#listen();
  }

  /** Resolves with the first outcome; while Discord does not let it connect, there is none. Never rejects. To be called once. */
  async login(): Promise<LoginOutcome> {
    const outcome = new Promise<LoginOutcome>((resolve) => (this.#onOutcome = resolve));
    this.client.login(this.#options.token).catch((error: unknown) => {
      this.#isFailed = true;
      this.#onDestroyed();
      const isRefused = error instanceof Error && 'code' in error && error.code === 'TokenInvalid';
      this.#onOutcome(
        isRefused ? { refused: GatewayCloseCodes.AuthenticationFailed } : { unreachable: error },
      );
    });
    return await outcome;
  }

  /** Closes the connections and ends the sessions: now, or as soon as no shard is connecting. */
  async destroy(): Promise<void> {
    if (this.#isFailed) return;
    this.#isOver = true;
    const destroyed = new Promise<void>((resolve) => (this.#onDestroyed = resolve));
    if (this.#isSettled()) return await this.client.destroy();
    await within(destroyed, settlesMs);
  }

  #isSettled(): boolean {
    const { shards } = this.client.ws;
    return shards.size > 0 && shards.every((_, id) => this.#settled.has(id));
  }

  #settle(shard: number): void {
    this.#settled.add(shard);
    // After discord.js has handled the event of this moment.
    if (this.#isOver && this.#isSettled())
      setImmediate(() => void this.client.destroy().then(this.#onDestroyed));
  }

  #newClient(): DiscordClient {
    return new DiscordClient({
      shards: 'auto',
      // Slash commands need no intent. Guilds keeps the guild cache current, GuildMessages reports deleted posts.
      intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages],
      allowedMentions: noMentions,
      rest: restOptions(this.#options.apiUrl, answersWaitMs),
      ws: {
        buildIdentifyThrottler: async (manager) => {
          const { session_start_limit: limit } = await manager.fetchGatewayInformation();
          const throttler = new SimpleIdentifyThrottler(limit.max_concurrency);
          return {
            waitForIdentify: async (shard, signal) => {
              this.#settle(shard);
              await throttler.waitForIdentify(shard, signal);
              if (this.#isOver && !signal.aborted) await once(signal, 'abort');
              signal.throwIfAborted();
              this.#settled.delete(shard);
            },
          };
        },
      },
      // The bot uses no messages, members or presences, so it caches none.
      makeCache: Options.cacheWithLimits({
        ...Options.DefaultMakeCacheSettings,
        MessageManager: 0,
        ReactionManager: 0,
        PresenceManager: 0,
        ThreadMemberManager: 0,
        VoiceStateManager: 0,
        GuildMemberManager: { maxSize: 50, keepOverLimit: (member) => member.id === member.client.user.id },
        UserManager: { maxSize: 50, keepOverLimit: (user) => user.id === user.client.user.id },
      }),
    });
  }

  #listen(): void {
    const { client } = this;
    const { log, onInteraction, onClosed } = this.#options;
    client.ws.on(GatewayDispatchEvents.Ready, (_: unknown, shard: number) => this.#settle(shard));
    client.ws.on(GatewayDispatchEvents.Resumed, (_: unknown, shard: number) => this.#settle(shard));
    client.on(Events.InteractionCreate, (interaction) => {
      if (!this.#isOver) onInteraction(interaction);
    });
    client.on(Events.Error, (error) => log.warn({ error: loggable(error) }, 'discord.js reported an error'));
    client.on(Events.ShardError, (error) =>
      log.debug({ error: loggable(error) }, 'connection to Discord failed'),
    );
    client.on(Events.ShardReconnecting, (shard) => {
      this.#settled.delete(shard);
      if (!this.#isOver && this.#lost.size === 0) log.info('connection to Discord lost, reconnecting');
      this.#lost.add(shard);
    });
    const resumed = (shard: number): void => {
      const wasLost = this.#lost.delete(shard);
      if (wasLost && this.#lost.size === 0 && !this.#isOver) log.info('connection to Discord resumed');
    };
    client.on(Events.ShardResume, resumed);
    client.on(Events.ShardReady, resumed);
    client.once(Events.ClientReady, (ready) => this.#onOutcome({ ready }));
    client.on(Events.ShardDisconnect, ({ code }, shard) => {
      this.#settle(shard);
      if (this.#isOver || this.#isClosed) return;
      this.#isClosed = true;
      this.#onOutcome({ refused: code });
      onClosed(code);
    });
  }
}
