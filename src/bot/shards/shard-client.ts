import {
  Client as DiscordClient,
  Events,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  GatewayIntentBits,
  IntentsBitField,
  Options,
  type APIGatewayBotInfo,
  type APIUnavailableGuild,
  type Interaction,
} from 'discord.js';
import type { Logger } from 'pino';
import { noMentions } from '../acknowledgement.ts';
import { loggable } from '../loggable.ts';
import { within } from '../time-limit.ts';
import type { StoredSession } from './session-store.ts';
import { createConnection, faultAfterResume, type SessionInfo } from './takeover.ts';

export interface ShardClientOptions {
  token: string;
  apiUrl?: string | undefined;
  log: Logger;
  shard: { id: number; count: number };
  /** What `GET /gateway/bot` said. */
  information: APIGatewayBotInfo;
  /** The session to resume; null: the client logs in. */
  stored: StoredSession | null;
  /** `replayed`: it may have been answered by the process that held the session before. */
  onInteraction: (interaction: Interaction, replayed: boolean) => void;
  onSession: (session: SessionInfo | null) => void;
  /** Asked before each RESUME and IDENTIFY: whether this process holds the shard. */
  mayLogIn: () => Promise<boolean>;
  /** Called before each IDENTIFY, which waits for it. */
  beforeIdentify: (signal: AbortSignal) => Promise<void>;
  /** Default: 15 s. */
  resumeWithinMs?: number | undefined;
}

export type ShardOutcome =
  | { ready: DiscordClient<true> }
  /** Discord refuses the bot for good. */
  | { refused: number }
  | { unreachable: unknown }
  /** The session is gone, or discord.js cannot use it. */
  | { notResumed: string };

/** discord.js for one shard. It reconnects by itself after it was ready once. */
export interface ShardClient {
  readonly client: DiscordClient;
  /** Resolves with the first outcome. Never rejects. Must be called once. */
  connect(): Promise<ShardOutcome>;
  /** Sets the listener for a refusal after the shard was ready. */
  onRefused(listener: (code: number) => void): void;
  /**
   * Closes the connection; what the client knows can still be read. `keep`: the session can be resumed for some minutes, and
   * the bot appears online meanwhile.
   */
  disconnect(how: 'keep' | 'end'): Promise<void>;
  destroy(): Promise<void>;
}

/** Slash commands need no intent. Guilds keeps the guild cache current, GuildMessages reports deleted posts. */
const intents = [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages];
export const intentBits = new IntentsBitField(intents).bitfield;

/** How long `disconnect` waits for a login in progress. */
const loginSettlesMs = 1_000;

export function createShardClient(options: ShardClientOptions): ShardClient {
  const { token, apiUrl, log, shard, stored, onInteraction } = options;
  let leaving: 'keep' | 'end' = 'end';
  let isOver = false;
  let resuming = stored !== null;
  let asked = false;
  let settle: (outcome: ShardOutcome) => void = () => undefined;
  let refusedLater: (code: number) => void = () => undefined;
  let login: Promise<unknown> = Promise.resolve();

  const mayLogIn = async (): Promise<boolean> => !isOver && (await options.mayLogIn()) && !isOver;

  /** A client that resumes a session never logs in. If it cannot resume, a new client does, without the stored state. */
  async function waitForIdentify(signal: AbortSignal): Promise<void> {
    if (!resuming) {
      // What may not log in is not counted as a login; IDENTIFY is refused where it is sent.
      if (await mayLogIn()) await options.beforeIdentify(signal);
      return;
    }
    settle(
      asked
        ? { notResumed: 'Discord no longer has it' }
        : { unreachable: new Error('the gateway does not answer') },
    );
    await new Promise((_, reject) => signal.addEventListener('abort', reject, { once: true }));
  }

  const connection = createConnection({
    information: options.information,
    stored,
    onHello: () => (asked = true),
    // A disconnect ends the session for discord.js, not for who resumes it.
    onSession(session) {
      if (session !== null || !(isOver || resuming)) options.onSession(session);
    },
    leaving: () => leaving,
    mayLogIn,
  });
  const client = new DiscordClient({
    shards: [shard.id],
    shardCount: shard.count,
    intents,
    allowedMentions: noMentions,
    rest: { version: '10', ...(apiUrl !== undefined && { api: apiUrl }) },
    ws: {
      buildIdentifyThrottler: () => ({ waitForIdentify: (_shard, signal) => waitForIdentify(signal) }),
      buildStrategy: connection.strategy,
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

  /** The guilds that the client should know after RESUMED. */
  const guildIds = new Set(stored?.guilds.map(({ id }) => id));
  client.ws.on(GatewayDispatchEvents.GuildCreate, ({ id }: APIUnavailableGuild) => guildIds.add(id));
  client.ws.on(GatewayDispatchEvents.GuildDelete, ({ id, unavailable }: APIUnavailableGuild) => {
    if (!unavailable) guildIds.delete(id);
  });
  client.on(Events.InteractionCreate, (interaction) => onInteraction(interaction, resuming));
  client.on(Events.Error, (error) => log.warn({ error: loggable(error) }, 'discord.js reported an error'));
  client.on(Events.ShardError, (error) =>
    log.debug({ error: loggable(error) }, 'connection to Discord failed'),
  );
  client.on(Events.ShardReconnecting, () => {
    if (!isOver) log.info('connection to Discord lost, reconnecting');
  });
  client.on(Events.ShardResume, () => {
    if (resuming && stored !== null) {
      const fault = faultAfterResume(client, stored.head, guildIds.size);
      resuming = fault !== null;
      settle(fault === null ? { ready: client as DiscordClient<true> } : { notResumed: fault });
    } else log.info('connection to Discord resumed');
  });
  client.on(Events.ClientReady, (ready) => resuming || settle({ ready }));
  client.on(Events.ShardDisconnect, ({ code }) => {
    if (isOver) return;
    settle({ refused: code });
    refusedLater(code);
  });

  return {
    client,
    async connect() {
      const outcome = new Promise<ShardOutcome>((resolve) => (settle = resolve));
      login = client.login(token);
      login.catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'TokenInvalid')
          settle({ refused: GatewayCloseCodes.AuthenticationFailed });
        else settle({ unreachable: error });
      });
      if (stored === null) return await outcome;
      const first = await within(outcome, options.resumeWithinMs ?? 15_000);
      return first === 'late' ? { unreachable: new Error('Discord does not answer RESUME') } : first;
    },
    onRefused(listener) {
      refusedLater = listener;
    },
    async disconnect(how) {
      leaving = how;
      isOver = true;
      // discord.js completes a running login even after destroy(), and destroy() works only once, so wait for the login first.
      await within(
        login.catch(() => {}),
        loginSettlesMs,
      );
      await connection.leave();
    },
    destroy: () => client.destroy(),
  };
}
