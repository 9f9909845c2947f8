import {
  Client as DiscordClient,
  Events,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  GatewayIntentBits,
  Options,
  type Interaction,
} from 'discord.js';
import type { Logger } from 'pino';
import { noMentions } from '../../answers/acknowledgement.ts';
import { loggable } from '../../loggable.ts';
import { forgetLimitsOfLaterClock, restOptions } from '../../rest.ts';
import { within } from '../../../process/time-limit.ts';

interface ShardClientOptions {
  token: string;
  apiUrl?: string | undefined;
  log: Logger;
  shard: { id: number; count: number };
  onInteraction: (interaction: Interaction) => void;
  /** Discord refuses the bot for good, with this close code. */
  onRefused: (code: number) => void;
  /** Called before each IDENTIFY, which waits for it. Must reject when the signal is aborted. */
  beforeIdentify: (signal: AbortSignal) => Promise<void>;
}

export type ShardOutcome =
  | { ready: DiscordClient<true> }
  /** The close code with which Discord refuses the bot for good. */
  | { refused: number }
  | { unreachable: unknown };

/** How long an answer may wait for a rate limit. Members do not wait longer. */
const answersWaitMs = 30_000;
/** How long `destroy` waits for a login or a reconnect in progress. */
const settlesMs = 1_000;

/** A client of discord.js for one shard. It reconnects by itself after it was ready once. */
export class ShardClient {
  readonly client: DiscordClient;
  readonly #options: ShardClientOptions;
  /** Whether discord.js can be destroyed: it is connected, or waits for its turn to IDENTIFY. */
  #isSettled = false;
  #isOver = false;
  /** Whether the connection is lost, which is logged. discord.js tries twice a second to have it back. */
  #isLost = false;
  #onDestroyed: () => void = () => undefined;
  #onOutcome: (outcome: ShardOutcome) => void = () => undefined;

  constructor(options: ShardClientOptions) {
    this.#options = options;
    this.client = this.#newClient();
    forgetLimitsOfLaterClock(this.client.rest);
    this.#listen();
  }

  /** Resolves with the first outcome. Never rejects. Must be called once. */
  async connect(): Promise<ShardOutcome> {
    const outcome = new Promise<ShardOutcome>((resolve) => (this.#onOutcome = resolve));
    this.client.login(this.#options.token).catch((error: unknown) => {
      this.#settle();
      const isRefused = error instanceof Error && 'code' in error && error.code === 'TokenInvalid';
      this.#onOutcome(
        isRefused ? { refused: GatewayCloseCodes.AuthenticationFailed } : { unreachable: error },
      );
    });
    return await outcome;
  }

  /**
   * Closes the connection and ends the session. `client.destroy()` works only once, and in the middle of a login or a
   * reconnect it does not stop discord.js from connecting. Then the client is destroyed as soon as it has connected.
   */
  async destroy(): Promise<void> {
    this.#isOver = true;
    if (this.#isSettled) return await this.client.destroy();
    const destroyed = new Promise<void>((resolve) => (this.#onDestroyed = resolve));
    await within(destroyed, settlesMs);
  }

  #settle(): void {
    this.#isSettled = true;
    // After discord.js has handled the event of this moment.
    if (this.#isOver) setImmediate(() => void this.client.destroy().then(this.#onDestroyed));
  }

  async #waitForIdentify(signal: AbortSignal): Promise<void> {
    this.#settle();
    if (!this.#isOver) await this.#options.beforeIdentify(signal);
    signal.throwIfAborted();
    if (this.#isOver) throw new Error('the shard is given up');
    this.#isSettled = false;
  }

  #newClient(): DiscordClient {
    const { shard, apiUrl } = this.#options;
    return new DiscordClient({
      shards: [shard.id],
      shardCount: shard.count,
      // Slash commands need no intent. Guilds keeps the guild cache current, GuildMessages reports deleted posts.
      intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages],
      allowedMentions: noMentions,
      rest: restOptions(apiUrl, answersWaitMs),
      ws: {
        buildIdentifyThrottler: () => ({
          waitForIdentify: (_shard, signal) => this.#waitForIdentify(signal),
        }),
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
    const { log, onInteraction, onRefused } = this.#options;
    client.ws.on(GatewayDispatchEvents.Ready, () => this.#settle());
    client.ws.on(GatewayDispatchEvents.Resumed, () => this.#settle());
    client.on(Events.InteractionCreate, (interaction) => {
      if (!this.#isOver) onInteraction(interaction);
    });
    client.on(Events.Error, (error) => log.warn({ error: loggable(error) }, 'discord.js reported an error'));
    client.on(Events.ShardError, (error) =>
      log.debug({ error: loggable(error) }, 'connection to Discord failed'),
    );
    client.on(Events.ShardReconnecting, () => {
      this.#isSettled = false;
      if (!this.#isOver && !this.#isLost) log.info('connection to Discord lost, reconnecting');
      this.#isLost = true;
    });
    for (const event of [Events.ShardResume, Events.ShardReady] as const)
      client.on(event, () => {
        if (!this.#isOver && this.#isLost) log.info('connection to Discord resumed');
        this.#isLost = false;
      });
    client.once(Events.ClientReady, (ready) => this.#onOutcome({ ready }));
    client.on(Events.ShardDisconnect, ({ code }) => {
      this.#settle();
      if (this.#isOver) return;
      this.#onOutcome({ refused: code });
      onRefused(code);
    });
  }
}
