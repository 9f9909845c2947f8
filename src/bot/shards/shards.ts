import { setTimeout as delay } from 'node:timers/promises';
import { GatewayCloseCodes, type APIGatewayBotInfo, type Client as DiscordClient } from 'discord.js';
import { httpStatus } from '../discord-error.ts';
import { loggable } from '../loggable.ts';
import { HeldShard, type ShardFigures, type ShardOptions } from './held-shard.ts';
import { shardLease, type ShardLeases } from './shard-leases.ts';
import type { SessionStore } from './session-store.ts';
import { planShards, shardOf } from './shard-plan.ts';

export interface ShardsOptions extends Omit<
  ShardOptions,
  'information' | 'onUnreachable' | 'isHeld' | 'confirm'
> {
  /** `sessions`, for what holds a lease: a write fails once another process has taken it. */
  sessionsUnder: (lease: string) => SessionStore;
  /** Reads `GET /gateway/bot`. */
  readInformation: () => Promise<APIGatewayBotInfo>;
  leases: ShardLeases;
  /** The set of shards that are connected here changed. A shard is given away once the result is settled. */
  onChange: () => Promise<void>;
  /** How often shards are tried to be taken that other processes hold. Default: 1 s. */
  takeEveryMs?: number | undefined;
}

/** The shards that this process holds: it takes those that no other process has. */
export interface Shards {
  /** Resolves when the first shard is connected, or with the close code of a refusal. Must be called once. */
  connect(): Promise<{ ready: DiscordClient<true> } | { refused: number } | 'stopped'>;
  onRefused(listener: (code: number) => void): void;
  /** Of the shards that are, or have been, connected. */
  clients(): DiscordClient<true>[];
  serves(guildId: string): boolean;
  isComplete(): boolean;
  count(): number;
  figures(): ShardFigures[];
  /** The leases of the shards that are, or have been, connected. */
  heldLeases(): string[];
  /**
   * Closes the connections; what the clients know can still be read. `keep`: the sessions can be resumed for some minutes, by
   * another process or the next start. `end`: the bot goes offline.
   * @param work for the guilds; another process gets the shards once it is settled
   */
  disconnect(how: 'keep' | 'end', work?: Promise<unknown>): Promise<void>;
  destroy(): Promise<void>;
}

/** How long an answer of `GET /gateway/bot` serves all shards. */
const informationMs = 3_000;
const longestWaitMs = 120_000;
/** How often the number of shards is read when this process holds all of them. */
const reviewMs = 60_000;
const shardingRequired: number = GatewayCloseCodes.ShardingRequired;

export function createShards(options: ShardsOptions): Shards {
  const { leases, log, monotonic, sessions, takeEveryMs = 1_000 } = options;
  const stopping = new AbortController();
  const held = new Map<number, HeldShard>();
  /** Disconnected, while work for their guilds may be running. */
  const leaving = new Set<number>();
  let count = 1;
  let waking = new AbortController();
  // In place of `AbortSignal.any`: a signal that lasts keeps a piece of each one that was made of it.
  stopping.signal.addEventListener('abort', () => waking.abort(), { once: true });
  let settle: (outcome: Awaited<ReturnType<Shards['connect']>>) => void = () => undefined;
  let refusedLater: (code: number) => void = () => undefined;
  let isUnreachable = false;
  let read: { at: number; answer: Promise<APIGatewayBotInfo> } | null = null;

  /** `GET /gateway/bot`, once for all shards that start together. */
  async function information(): Promise<APIGatewayBotInfo> {
    if (read === null || monotonic() - read.at >= informationMs) {
      const answer = options.readInformation();
      read = { at: monotonic(), answer };
      answer.catch(() => (read = null));
    }
    return await read.answer;
  }

  function onUnreachable(error: unknown): void {
    if (!isUnreachable)
      log.warn(
        { error: loggable(error) },
        'could not reach Discord; the bot keeps trying and the service keeps running',
      );
    isUnreachable = true;
  }

  /** Null: stopped, or refused. */
  async function plan(atLeast = 1): Promise<number | null> {
    const { signal } = stopping;
    let waitMs = options.reconnectMs ?? 1_000;
    while (!signal.aborted) {
      try {
        return await planShards(sessions, (await information()).shards, atLeast);
      } catch (error) {
        if (httpStatus(error) === 401) {
          refuse(GatewayCloseCodes.AuthenticationFailed);
          return null;
        }
        onUnreachable(error);
      }
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
      waitMs = Math.min(waitMs * 2, longestWaitMs);
    }
    return null;
  }

  function refuse(code: number): void {
    if (stopping.signal.aborted) return;
    settle({ refused: code });
    refusedLater(code);
  }

  async function serve(shard: number): Promise<void> {
    const mine = new HeldShard(shard, count, {
      ...options,
      sessions: options.sessionsUnder(shardLease(shard)),
      information,
      onUnreachable,
      isHeld: (each) => leases.held(shardLease(each)),
      confirm: (each) => leases.confirm(shardLease(each)),
    });
    held.set(shard, mine);
    const outcome = await mine.connect();
    if (outcome === 'stopped') return;
    if (outcome === 'ready') {
      isUnreachable = false;
      mine.onRefused((code) => void refused(code));
      if (mine.client !== null) settle({ ready: mine.client });
      void options.onChange();
    } else await refused(outcome.refused);
  }

  async function refused(code: number): Promise<void> {
    if (code !== shardingRequired) return refuse(code);
    read = null;
    const more = await plan(count + 1);
    if (more !== null) await changeCount(more);
  }

  async function changeCount(next: number): Promise<void> {
    if (next === count || stopping.signal.aborted) return;
    log.info(`the bot has ${next} shards from now on instead of ${count}`);
    await Promise.all([...held.keys()].map((shard) => give(shard, 'end')));
    count = next;
    waking.abort();
  }

  async function give(shard: number, how: 'keep' | 'end'): Promise<void> {
    const mine = held.get(shard);
    if (mine === undefined) return;
    await mine.disconnect(how);
    await mine.destroy();
    held.delete(shard);
    leaving.add(shard);
    await options.onChange();
    await leases.release(shardLease(shard)).catch(() => undefined);
    leaving.delete(shard);
    waking.abort();
  }

  async function takeShards(): Promise<void> {
    while (!stopping.signal.aborted) {
      waking = new AbortController();
      const stored = await sessions.shardCount().catch(() => null);
      if (stored !== null) await changeCount(stored);
      for (let shard = 0; shard < count; shard += 1) {
        if (stopping.signal.aborted) return;
        if (held.has(shard) || leaving.has(shard)) continue;
        if (!(await leases.take(shardLease(shard)).catch(() => false))) continue;
        if (stopping.signal.aborted) return await leases.release(shardLease(shard));
        void serve(shard);
      }
      const { signal } = waking;
      const waitMs = held.size === count ? reviewMs : takeEveryMs;
      await delay(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  const removeListener = leases.onLost(async (name) => {
    const shard = [...held.keys()].find((each) => shardLease(each) === name);
    if (shard !== undefined) await give(shard, 'keep');
  });

  const clients = (): DiscordClient<true>[] =>
    [...held.values()].flatMap(({ client }) => (client === null ? [] : [client]));

  return {
    async connect() {
      const outcome = new Promise<Awaited<ReturnType<Shards['connect']>>>((resolve) => (settle = resolve));
      stopping.signal.addEventListener('abort', () => settle('stopped'), { once: true });
      const planned = await plan();
      if (planned !== null) {
        count = planned;
        void takeShards();
      }
      return await outcome;
    },
    onRefused(listener) {
      refusedLater = listener;
    },
    clients,
    serves: (guildId) => held.get(shardOf(guildId, count))?.client != null,
    isComplete: () => clients().length === count,
    count: () => count,
    figures: () => [...held.values()].map((shard) => shard.figures()),
    heldLeases: () =>
      [...held.values()].flatMap(({ client, shard }) => (client === null ? [] : [shardLease(shard)])),
    async disconnect(how, work) {
      stopping.abort();
      removeListener();
      await Promise.all([...held.values()].map((shard) => shard.disconnect(how)));
      await work;
      await Promise.all(
        [...held.keys()].map((shard) => leases.release(shardLease(shard)).catch(() => undefined)),
      );
    },
    async destroy() {
      stopping.abort();
      await Promise.all([...held.values()].map((shard) => shard.destroy()));
      held.clear();
    },
  };
}
