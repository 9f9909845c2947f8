import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  GatewayCloseCodes,
  Status,
  type APIGatewayBotInfo,
  type Client as DiscordClient,
  type Interaction,
} from 'discord.js';
import type { Logger } from 'pino';
import type { Clock } from '../../process/clock.ts';
import { httpStatus } from '../discord-error.ts';
import { loggable } from '../loggable.ts';
import type { IdentifyBudget } from '../identify-budget.ts';
import { within } from '../time-limit.ts';
import { createShardClient, intentBits, type ShardClient, type ShardOutcome } from './shard-client.ts';
import { SessionRecorder } from './session-recorder.ts';
import type { SessionStore, StoredSession } from './session-store.ts';
import { obstacleOf, type Expected } from './takeover.ts';

export interface ShardOptions extends Clock {
  token: string;
  apiUrl?: string | undefined;
  log: Logger;
  /** Its writes fail once another process has the shard. */
  sessions: SessionStore;
  identifies: Pick<IdentifyBudget, 'turn' | 'spend' | 'opened'>;
  information: () => Promise<APIGatewayBotInfo>;
  onInteraction: (interaction: Interaction, replayed: boolean) => void;
  /** A new client of this shard, before it connects. */
  onClient: (client: DiscordClient) => void;
  /** Discord cannot be reached; the shard tries again. */
  onUnreachable: (error: unknown) => void;
  /** Whether this process still holds the shard, as far as it knows. */
  isHeld: (shard: number) => boolean;
  /** Asks the store whether this process holds the shard. @throws when it does not answer */
  confirm: (shard: number) => Promise<boolean>;
  /** First delay before reconnecting. It doubles up to two minutes. Default: 1 s. */
  reconnectMs?: number | undefined;
  /** Pause between two writes of the session. Default: 10 s. */
  recordMs?: number | undefined;
}

/** `waiting`: for its turn to log in, or for Discord. */
export type ShardState = 'waiting' | 'connected';

export interface ShardFigures {
  shard: number;
  state: ShardState;
  guilds: number;
  /** Of the last heartbeat; null: none yet. */
  latencyMs: number | null;
  /** Sessions that this process has started, and those that it has resumed from another process or run. */
  loggedIn: number;
  takenOver: number;
}

const longestReconnectMs = 120_000;
/** Pause after the store did not answer. */
const storeAgainMs = 1_000;
/** A store that fails this often, though it says who holds the shard, does so for a reason that lasts. */
const mostTries = 3;
/** A stop may not wait for a store that does not answer. */
const lastWriteMs = 1_500;

/** One shard that this process holds: connects it by RESUME where a session is stored, else by IDENTIFY. */
export class HeldShard {
  readonly #options: ShardOptions;
  readonly #expected: Expected;
  readonly #stopping = new AbortController();
  #client: ShardClient | null = null;
  #recorder: SessionRecorder | null = null;
  #state: ShardState = 'waiting';
  #loggedIn = 0;
  #takenOver = 0;

  constructor(shard: number, count: number, options: ShardOptions) {
    this.#options = options;
    const tokenMark = createHash('sha256').update(options.token).digest('hex').slice(0, 8);
    this.#expected = { shard, shardCount: count, intents: intentBits, tokenMark };
  }

  get shard(): number {
    return this.#expected.shard;
  }

  /** Null until it is connected for the first time. */
  get client(): DiscordClient<true> | null {
    const client = this.#state === 'connected' ? this.#client?.client : undefined;
    return client?.isReady() === true ? client : null;
  }

  figures(): ShardFigures {
    const { client } = this;
    const isConnected = client !== null && client.ws.shards.every(({ status }) => status === Status.Ready);
    return {
      shard: this.shard,
      state: isConnected ? 'connected' : 'waiting',
      guilds: client?.guilds.cache.size ?? 0,
      latencyMs: client === null || client.ws.ping < 0 ? null : client.ws.ping,
      loggedIn: this.#loggedIn,
      takenOver: this.#takenOver,
    };
  }

  /** Connects, however long that takes. Resolves with a close code when Discord refuses the bot. Never rejects. */
  async connect(): Promise<'ready' | 'stopped' | { refused: number }> {
    const { log } = this.#options;
    const { signal } = this.#stopping;
    let waitMs = this.#options.reconnectMs ?? 1_000;
    while (!signal.aborted) {
      const stored = await this.#usable();
      const outcome = await Promise.race([this.#attempt(stored), aborted(signal)]);
      if (outcome === 'stopped' || signal.aborted) break;
      if ('ready' in outcome) {
        this.#state = 'connected';
        this.#recorder?.start();
        return 'ready';
      }
      await this.#leave('keep');
      await this.destroy();
      if ('refused' in outcome) return outcome;
      if ('notResumed' in outcome) {
        log.info(`shard ${this.shard} logs in anew, its session cannot be resumed: ${outcome.notResumed}`);
        await this.#options.sessions.drop(this.shard).catch(() => undefined);
        continue;
      }
      this.#options.onUnreachable(outcome.unreachable);
      await this.#pause(waitMs);
      waitMs = Math.min(waitMs * 2, longestReconnectMs);
    }
    return 'stopped';
  }

  /** The stored session, if it may be resumed. Counts the attempt. A store that fails once may not cost the session. */
  async #usable(): Promise<StoredSession | null> {
    const { log } = this.#options;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#load();
      } catch (error) {
        log.debug({ error: loggable(error) }, `could not read the session of shard ${this.shard}`);
        if (tries === mostTries || !(await this.#mayLogIn())) return null;
        await this.#pause(storeAgainMs);
      }
    }
  }

  async #load(): Promise<StoredSession | null> {
    const { sessions, log, now } = this.#options;
    const stored = await sessions.load(this.shard);
    const obstacle = typeof stored === 'string' ? stored : obstacleOf(stored.head, this.#expected, now());
    if (typeof stored === 'string' || obstacle !== null) {
      log.debug(`shard ${this.shard} logs in without a session to resume: ${obstacle}`);
      await sessions.drop(this.shard);
      return null;
    }
    const head = { ...stored.head, attempts: stored.head.attempts + 1 };
    await sessions.saveHead(head);
    return { ...stored, head };
  }

  /** Ends early when the shard is given up. */
  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  /** Waits for the store: as long as it is away, another process may have taken the session over. */
  async #mayLogIn(): Promise<boolean> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const isHeld = await this.#options.confirm(this.shard).catch(() => null);
      if (isHeld !== null) return isHeld && !signal.aborted;
      await this.#pause(storeAgainMs);
    }
    return false;
  }

  async #attempt(stored: StoredSession | null): Promise<ShardOutcome> {
    const { identifies, information, log } = this.#options;
    const { signal } = this.#stopping;
    try {
      if (stored === null) await identifies.turn(signal);
      const { shard, shardCount } = this.#expected;
      const recorder = new SessionRecorder({
        ...this.#options,
        store: this.#options.sessions,
        expected: this.#expected,
        attempts: stored?.head.attempts ?? 0,
        everyMs: this.#options.recordMs,
      });
      const made = createShardClient({
        ...this.#options,
        shard: { id: shard, count: shardCount },
        // After a sleep, another process may have answered it, too.
        onInteraction: (interaction, replayed) =>
          this.#options.onInteraction(interaction, replayed || !this.#options.isHeld(shard)),
        information: await information(),
        stored,
        onSession: (session) => recorder.session(session),
        mayLogIn: () => this.#mayLogIn(),
        beforeIdentify: async (closed) => {
          await identifies.spend(closed, shard);
          this.#loggedIn += 1;
        },
      });
      if (signal.aborted) return { unreachable: signal.reason };
      this.#client = made;
      this.#recorder = recorder;
      recorder.follow(made.client, stored !== null);
      this.#options.onClient(made.client);
      const outcome = await made.connect();
      if ('ready' in outcome && stored !== null) {
        this.#takenOver += 1;
        log.info(`shard ${shard} goes on with the session of the process before`);
      }
      if ('unreachable' in outcome && stored !== null) {
        const head = { ...stored.head, attempts: stored.head.attempts - 1 };
        await this.#options.sessions.saveHead(head).catch(() => undefined);
      }
      return outcome;
    } catch (error) {
      return httpStatus(error) === 401
        ? { refused: GatewayCloseCodes.AuthenticationFailed }
        : { unreachable: error };
    }
  }

  onRefused(listener: (code: number) => void): void {
    this.#client?.onRefused(listener);
  }

  /**
   * Closes the connection; what the client knows can still be read. `keep`: another process, or the next start, can resume
   * the session, which is stored complete.
   */
  async disconnect(how: 'keep' | 'end'): Promise<void> {
    this.#stopping.abort();
    await this.#leave(how);
    if (how === 'end') await this.#options.sessions.drop(this.shard).catch(() => undefined);
  }

  async #leave(how: 'keep' | 'end'): Promise<void> {
    const recorder = this.#recorder;
    this.#recorder = null;
    await this.#client?.disconnect(how);
    if (how === 'keep' && this.#state === 'connected' && recorder !== null) {
      await within(recorder.write(true), lastWriteMs);
    }
    await within(recorder?.stop() ?? Promise.resolve(), lastWriteMs);
  }

  /** After `disconnect`. */
  async destroy(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    this.#state = 'waiting';
    await client?.destroy();
  }
}

function aborted(signal: AbortSignal): Promise<'stopped'> {
  if (signal.aborted) return Promise.resolve('stopped');
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped'), { once: true }));
}
