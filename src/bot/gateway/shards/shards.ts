import { setTimeout as delay } from 'node:timers/promises';
import { GatewayCloseCodes, type APIGatewayBotInfo, type Client as DiscordClient } from 'discord.js';
import type { Keyv } from 'keyv';
import type { LeasesByName } from '../../../process/leases-by-name.ts';
import { httpStatus } from '../../discord-error.ts';
import { loggable } from '../../loggable.ts';
import { HeldShard, type ShardMetrics, type ShardOptions } from './held-shard.ts';
import { planShards, shardLease, shardOf, storedShardCount } from './shard-plan.ts';

export interface ShardsOptions extends Omit<ShardOptions, 'onUnreachable' | 'isHeld' | 'confirm'> {
  /** Has the number of shards, for all processes. */
  keyv: Keyv;
  /** Reads `GET /gateway/bot`. */
  readInformation: () => Promise<APIGatewayBotInfo>;
  leases: LeasesByName;
  /** The set of shards that are connected here changed. A shard that left is released once the promise has settled. */
  onChange: () => Promise<void>;
  /** Pause between two attempts to take the shards that this process does not hold. Default: 1 s. */
  takeEveryMs?: number | undefined;
}

type FirstOutcome = { ready: DiscordClient<true> } | 'refused' | 'closed';

const longestWaitMs = 120_000;
/** How often the number of shards is read when this process holds all of them. */
const reviewMs = 60_000;
const shardingRequired: number = GatewayCloseCodes.ShardingRequired;

/** The shards that this process holds: it takes those that no other process has. */
export class Shards {
  readonly #options: ShardsOptions;
  readonly #closing = new AbortController();
  readonly #held = new Map<number, HeldShard>();
  /** Shards that are disconnected, and released once the work for their guilds has stopped. */
  readonly #leaving = new Set<number>();
  readonly #removeListener: () => void;
  #count = 1;
  #waking = new AbortController();
  #isUnreachable = false;
  #onFirst: (outcome: FirstOutcome) => void = () => undefined;

  constructor(options: ShardsOptions) {
    this.#options = options;
    // Not `AbortSignal.any`: the long-lived signal would keep a reference to each signal that is derived from it.
    this.#closing.signal.addEventListener('abort', () => this.#waking.abort(), { once: true });
    this.#removeListener = options.leases.onLost(async (name) => {
      const shard = [...this.#held.keys()].find((each) => shardLease(each) === name);
      if (shard !== undefined) await this.#give(shard);
    });
  }

  /** Resolves when the first shard is connected, or Discord refuses the bot. Must be called once. */
  async connect(): Promise<FirstOutcome> {
    const outcome = new Promise<FirstOutcome>((resolve) => (this.#onFirst = resolve));
    this.#closing.signal.addEventListener('abort', () => this.#onFirst('closed'), { once: true });
    const planned = await this.#plan();
    if (planned !== null) {
      this.#count = planned;
      void this.#takeShards();
    }
    return await outcome;
  }

  /** Of the shards that are, or have been, connected. */
  clients(): DiscordClient<true>[] {
    return [...this.#held.values()].flatMap(({ client }) => client ?? []);
  }

  serves(guildId: string): boolean {
    return this.#held.get(shardOf(guildId, this.#count))?.client != null;
  }

  isComplete(): boolean {
    return this.clients().length === this.#count;
  }

  count(): number {
    return this.#count;
  }

  metrics(): ShardMetrics[] {
    return [...this.#held.values()].map((shard) => shard.metrics());
  }

  /** The leases of the shards that are, or have been, connected. */
  heldLeases(): string[] {
    return [...this.#held.values()].flatMap(({ client, shard }) =>
      client === null ? [] : shardLease(shard),
    );
  }

  /** Takes no more shards, closes the connections and gives the shards away. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#removeListener();
    const shards = [...this.#held.values()];
    await Promise.all(shards.map((shard) => shard.close()));
    this.#held.clear();
    await Promise.all(shards.map(({ shard }) => this.#release(shard)));
  }

  /** Null: closed, or refused. */
  async #plan(atLeast = 1): Promise<number | null> {
    const { keyv, readInformation, reconnectMs = 1_000 } = this.#options;
    const { signal } = this.#closing;
    let waitMs = reconnectMs;
    while (!signal.aborted) {
      try {
        return await planShards(keyv, (await readInformation()).shards, atLeast);
      } catch (error) {
        if (httpStatus(error) === 401) {
          this.#refuse(GatewayCloseCodes.AuthenticationFailed);
          return null;
        }
        this.#logUnreachable(error);
      }
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
      waitMs = Math.min(waitMs * 2, longestWaitMs);
    }
    return null;
  }

  async #takeShards(): Promise<void> {
    const { keyv, leases, takeEveryMs = 1_000 } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      this.#waking = new AbortController();
      const stored = await storedShardCount(keyv).catch(() => null);
      if (stored !== null) await this.#changeCount(stored);
      for (let shard = 0; shard < this.#count; shard += 1) {
        if (signal.aborted) return;
        if (this.#held.has(shard) || this.#leaving.has(shard)) continue;
        if (!(await leases.take(shardLease(shard)).catch(() => false))) continue;
        if (signal.aborted) return await this.#release(shard);
        void this.#serve(shard);
      }
      const waitMs = this.#held.size === this.#count ? reviewMs : takeEveryMs;
      await delay(waitMs, undefined, { signal: this.#waking.signal, ref: false }).catch(() => undefined);
    }
  }

  async #serve(shard: number): Promise<void> {
    const { leases, onChange } = this.#options;
    const held = new HeldShard(shard, this.#count, {
      ...this.#options,
      onRefused: (code) => void this.#refused(code),
      onUnreachable: (error) => this.#logUnreachable(error),
      isHeld: (each) => leases.held(shardLease(each)),
      confirm: (each) => leases.confirm(shardLease(each)),
    });
    this.#held.set(shard, held);
    const outcome = await held.connect();
    if (outcome === 'closed') return;
    if (outcome !== 'ready') return await this.#refused(outcome.refused);
    this.#isUnreachable = false;
    if (held.client !== null) this.#onFirst({ ready: held.client });
    void onChange();
  }

  async #refused(code: number): Promise<void> {
    if (code !== shardingRequired) return this.#refuse(code);
    const more = await this.#plan(this.#count + 1);
    if (more !== null) await this.#changeCount(more);
  }

  #refuse(code: number): void {
    if (this.#closing.signal.aborted) return;
    this.#options.onRefused(code);
    this.#onFirst('refused');
  }

  async #changeCount(next: number): Promise<void> {
    if (next === this.#count || this.#closing.signal.aborted) return;
    this.#options.log.info(`the bot has ${next} shards from now on instead of ${this.#count}`);
    await Promise.all([...this.#held.keys()].map((shard) => this.#give(shard)));
    this.#count = next;
    this.#waking.abort();
  }

  async #give(shard: number): Promise<void> {
    const held = this.#held.get(shard);
    if (held === undefined) return;
    await held.close();
    this.#held.delete(shard);
    this.#leaving.add(shard);
    await this.#options.onChange();
    await this.#release(shard);
    this.#leaving.delete(shard);
    this.#waking.abort();
  }

  async #release(shard: number): Promise<void> {
    await this.#options.leases.release(shardLease(shard)).catch(() => undefined);
  }

  #logUnreachable(error: unknown): void {
    if (this.#isUnreachable) return;
    this.#isUnreachable = true;
    this.#options.log.warn(
      { error: loggable(error) },
      'could not reach Discord; the bot keeps trying and the service keeps running',
    );
  }
}
