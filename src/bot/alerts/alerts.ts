import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { REST } from '@discordjs/rest';
import { Routes } from 'discord.js';
import type { Keyv } from 'keyv';
import type { Logger } from 'pino';
import type { Client } from '../../api/client-types.ts';
import type { Server } from '../../api/resources.ts';
import type { AlertRules } from '../../commands/placements.ts';
import { readBranding } from '../../commands/replies.ts';
import type { Ports, SchedulesByServer } from '../../commands/ports.ts';

import { readSchedules } from '../../commands/schedules.ts';
import { alertEmbed, type Alert } from '../../embeds/alert.ts';
import { fit } from '../../embeds/limits.ts';
import { nextRestart } from '../../embeds/schedule-times.ts';
import type { Language } from '../../locales/language.ts';
import {
  channelRefusal,
  isPaused,
  pauseAfter,
  refusalReasons,
  type ChannelPause,
  type ChannelRefusal,
} from '../channel-refusal.ts';
import { loggable } from '../discord-error.ts';
import type { EditBudget } from '../posts/edit-budget.ts';
import { alertEvaluators, clampToPresent, initialAlertState, type AlertState } from './alert-rules.ts';

/** Which channel is told what about which servers. */
export interface AlertConfig extends AlertRules {
  /** Under which what was told is kept over restarts. */
  key: string;
  /** Where a member placed it; left out: the config places it. */
  guildId?: string | undefined;
  channelId: string;
  servers: readonly string[];
  /** Left out: the guild's. */
  locale?: string | undefined;
}

export interface AlertsOptions {
  rest: REST;
  client: Client;
  ports: Ports;
  /** Must throw when it fails: that is not "absent". */
  keyv: Keyv;
  budget: EditBudget;
  log: Logger;
  now: () => number;
  monotonic: () => number;
  languageOf: (alert: Pick<AlertConfig, 'channelId' | 'locale'>) => Language;
  /** Whether an alert is sent at all: what was placed in a guild that is no home guild any more is paused. */
  runs: (alert: AlertConfig) => boolean;
  /** After a refusal of the channel, the next attempt is made no sooner. */
  retryMs: number;
  /** The bot's access to a channel: another text after a change of it. */
  accessOf: (channelId: string) => string;
  signal: AbortSignal;
}

export interface Alerts {
  /** Tells what has happened to these servers since the last look. What cannot be told now is told later, if it still holds. Never rejects. Resolves with the milliseconds until the next alert is due if nothing changes. */
  look(servers: readonly Server[]): Promise<number>;
  add(alert: AlertConfig): void;
  /** Forgets what was told. Never rejects. */
  remove(key: string): Promise<void>;
  list(): AlertConfig[];
}

/** The alerts of a config file. They are known by channel and place among those there. */
export function configuredAlerts(alerts: readonly Omit<AlertConfig, 'key'>[]): AlertConfig[] {
  const seen = new Map<string, number>();
  return alerts.map((alert) => {
    const place = seen.get(alert.channelId) ?? 0;
    seen.set(alert.channelId, place + 1);
    return { ...alert, key: `alert:${alert.channelId}:${place}` };
  });
}

export function createAlerts(configs: readonly AlertConfig[], options: AlertsOptions): Alerts {
  const { rest, client, ports, keyv, budget, log, now, monotonic, signal } = options;
  const zero = now() - monotonic();
  /** The wall clock as it would be had nobody set it since the start. */
  const steady = () => zero + monotonic();
  const alerts = new Map(configs.map((config) => [config.key, config]));
  const memories = new Map<string, AlertState>();
  const pauses = new Map<string, ChannelPause>();
  /** Why each channel last refused an alert: it is logged once. */
  const refusals = new Map<string, ChannelRefusal>();

  const memoryKey = (config: AlertConfig, serverId: string) => `${config.key}:${serverId}`;

  async function remembered(key: string): Promise<AlertState> {
    const known = memories.get(key);
    if (known !== undefined) return known;
    const stored = (await keyv.get(key)) as Partial<AlertState> | undefined;
    return clampToPresent(steady(), { ...initialAlertState, ...stored });
  }

  async function remember(key: string, memory: AlertState): Promise<void> {
    memories.set(key, memory);
    await keyv.set(key, memory);
  }

  /** Resolves with whether it was told. */
  async function tell(config: AlertConfig, server: Server, alert: Alert, roleId?: string): Promise<boolean> {
    const { channelId } = config;
    const access = () => options.accessOf(channelId);
    if (isPaused(pauses.get(channelId) ?? null, monotonic(), access)) return false;
    const before = access();
    const language = options.languageOf(config);
    const embeds = fit([alertEmbed(language, await readBranding(client), server, alert)]);
    const mention =
      roleId === undefined
        ? { allowed_mentions: { parse: [] } }
        : { content: `<@&${roleId}>`, allowed_mentions: { parse: [], roles: [roleId] } };
    // A request that is repeated because its answer was lost posts no second message.
    const unique = { nonce: randomBytes(12).toString('hex'), enforce_nonce: true };
    try {
      await budget.turn(channelId, signal);
      await rest.post(Routes.channelMessages(channelId), { body: { embeds, ...mention, ...unique }, signal });
      refusals.delete(channelId);
      return true;
    } catch (error) {
      if (!signal.aborted) report(channelId, error, before);
      return false;
    }
  }

  function report(channelId: string, error: unknown, before: string): void {
    const refusal = channelRefusal(error);
    if (refusal === null) {
      log.warn(
        { channelId, error: loggable(error) },
        'an alert could not be sent; it is tried again while it holds',
      );
      return;
    }
    const pause = pauseAfter(refusal, error, { ...options, monotonic: monotonic(), before });
    pauses.set(channelId, pause);
    if (refusals.get(channelId) === refusal) return;
    refusals.set(channelId, refusal);
    const minutes = Math.ceil(pause.ms / 60_000);
    log.error(
      { channelId },
      `alerts given up: ${refusalReasons[refusal]}; next attempt in ${minutes} minutes`,
    );
  }

  /** Of the servers before whose restarts an alert is due. */
  async function schedulesOf(servers: readonly Server[]): Promise<SchedulesByServer> {
    const wanted = new Set(
      [...alerts.values()].flatMap((config) => (config.restart === undefined ? [] : config.servers)),
    );
    const ids = servers.map(({ id }) => id).filter((id) => wanted.has(id));
    return ids.length === 0 ? new Map() : await readSchedules(client, ports, ids);
  }

  /** The latest answer of each server that this process saw: what the service calls it, and when it was in steady time. */
  const answered = new Map<string, { checkedAt: string; at: number }>();

  /** When those of the servers last answered that do not answer now, by the wall clock as it is now. */
  async function lastAnswersOf(servers: readonly Server[]): Promise<ReadonlyMap<string, number>> {
    const last = new Map<string, number>();
    for (const { id, status, checkedAt } of servers) {
      // Its age is taken once: the wall clock may be set before the next look.
      if (status === 'ONLINE' && checkedAt !== null && answered.get(id)?.checkedAt !== checkedAt) {
        answered.set(id, { checkedAt, at: steady() - Math.max(0, now() - Date.parse(checkedAt)) });
      }
      if (status !== 'OFFLINE') continue;
      const stored = (await ports.lastAnswerAt?.(id).catch(() => null)) ?? Infinity;
      const seenAt = answered.get(id)?.at ?? -Infinity;
      // One in the future was stored before the wall clock was set back.
      const latest = Math.max(stored <= now() ? stored : -Infinity, now() - (steady() - seenAt));
      if (Number.isFinite(latest)) last.set(id, latest);
    }
    return last;
  }

  /** Resolves with how long it is until something is due that is not due yet. */
  async function lookAt(
    config: AlertConfig,
    server: Server,
    schedules: SchedulesByServer,
    lastAnswers: ReadonlyMap<string, number>,
  ): Promise<number> {
    const key = memoryKey(config, server.id);
    const before = await remembered(key);
    const sight = {
      server,
      nextRestart: nextRestart(schedules.get(server.id) ?? [], now()),
      lastAnswerAt: lastAnswers.get(server.id) ?? null,
      now: now(),
      steady: steady(),
    };
    let memory = before;
    let dueInMs = Infinity;
    for (const take of alertEvaluators) {
      const step = take(config, memory, sight);
      const told = step.alert === null || (await tell(config, server, step.alert, step.roleId));
      memory = told ? step.memory : (step.untold ?? memory);
      dueInMs = Math.min(dueInMs, step.dueInMs ?? Infinity);
    }
    if (!isDeepStrictEqual(memory, before) && alerts.has(config.key)) await remember(key, memory);
    return dueInMs;
  }

  return {
    async look(servers) {
      const schedules = await schedulesOf(servers);
      const lastAnswers = await lastAnswersOf(servers);
      let dueInMs = Infinity;
      const lookFor = async (config: AlertConfig): Promise<void> => {
        for (const server of servers.filter(({ id }) => config.servers.includes(id))) {
          if (signal.aborted) return;
          const due = await lookAt(config, server, schedules, lastAnswers).catch((error: unknown) => {
            log.warn(
              { channelId: config.channelId, error: loggable(error) },
              'what an alert has told could not be kept',
            );
            return Infinity;
          });
          dueInMs = Math.min(dueInMs, due);
        }
      };
      // A channel that keeps the bot waiting holds up no other one.
      await Promise.all([...alerts.values()].filter(options.runs).map(lookFor));
      return dueInMs;
    },
    add: (alert) => void alerts.set(alert.key, alert),
    async remove(key) {
      const config = alerts.get(key);
      if (config === undefined) return;
      alerts.delete(key);
      const keys = config.servers.map((serverId) => memoryKey(config, serverId));
      for (const each of keys) memories.delete(each);
      await keyv.deleteMany(keys).catch((error: unknown) => {
        log.warn(
          { channelId: config.channelId, error: loggable(error) },
          'what alerts have told could not be forgotten',
        );
      });
    },
    list: () => [...alerts.values()],
  };
}
