import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { REST } from '@discordjs/rest';
import { Routes } from 'discord.js';
import type { Keyv } from 'keyv';
import type { Logger } from 'pino';
import type { Server } from '../../../api/resources.ts';
import { joinButton } from '../../../commands/join-button.ts';
import type { AlertRules } from '../../../commands/placements.ts';
import { readBranding } from '../../../commands/replies.ts';
import type { SchedulesByServer } from '../../../commands/ports.ts';
import { readSchedules } from '../../../commands/read-schedules.ts';
import { buttonRow } from '../../../commands/view.ts';
import { alertEmbed, type Alert } from '../../../embeds/alert.ts';
import { fit } from '../../../embeds/limits.ts';
import { nextRestart } from '../../../embeds/schedule-times.ts';
import type { Language } from '../../../locales/language.ts';
import {
  channelRefusal,
  isPaused,
  pauseAfter,
  stoppedText,
  type ChannelPause,
  type ChannelRefusal,
} from '../channel-refusal.ts';
import { loggable } from '../../loggable.ts';
import type { EditBudget } from '../edit-budget.ts';
import { isOutage } from '../../retry.ts';
import type { BotProject } from '../../shown-project.ts';
import { restoredKey } from '../restored-state.ts';
import { alertEvaluators, allSent, isEarlier, restoreAlertState, type AlertState } from './alert-rules.ts';

/** The alerts of one channel: which rules, for which servers. */
export interface AlertConfig extends AlertRules {
  /** The state of the alerts is stored under this key. */
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
  /** Must throw on failure, so that a failure is not read as "absent". */
  keyv: Keyv;
  budget: EditBudget;
  log: Logger;
  now: () => number;
  monotonic: () => number;
  languageOf: (alert: Pick<AlertConfig, 'channelId' | 'locale'>) => Language;
  /** Whether alerts are sent. They are paused in a guild that is no longer a home guild, or has no project. */
  runs: (alert: AlertConfig) => boolean;
  /** How long to wait after Discord refused a message in the channel. */
  retryMs: number;
  /** Describes the bot's access to a channel. The text changes when the access does. */
  accessOf: (channelId: string) => string;
  signal: AbortSignal;
}

/** The servers of a project, as they are at a check. */
export interface ObservedProject {
  project: Pick<BotProject, 'client' | 'ports'>;
  servers: readonly Server[];
}

export interface Alerts {
  /**
   * Sends what has changed since the last check. An alert that cannot be sent is sent later, if it still applies. Resolves
   * with the milliseconds until the next alert is due if nothing changes. Never rejects.
   * @param observed the project that an alert's guild shows; null: it could not be read
   */
  check(observed: (alert: AlertConfig) => ObservedProject | null): Promise<number>;
  add(alert: AlertConfig): void;
  /** Ends the alerts and deletes their state. Never rejects. */
  remove(key: string): Promise<void>;
  list(): AlertConfig[];
}

/** The alerts of a config file. Their keys hold the channel and the position among its alerts. */
export function configuredAlerts(alerts: readonly Omit<AlertConfig, 'key'>[]): AlertConfig[] {
  const seen = new Map<string, number>();
  return alerts.map((alert) => {
    const place = seen.get(alert.channelId) ?? 0;
    seen.set(alert.channelId, place + 1);
    return { ...alert, key: `alert:${alert.channelId}:${place}` };
  });
}

/** What the checks of one project's alerts share. */
interface Known extends Pick<ObservedProject, 'project'> {
  schedules: SchedulesByServer;
  /** Epoch milliseconds, by server id. */
  lastAnswers: ReadonlyMap<string, number>;
}

export function createAlerts(configs: readonly AlertConfig[], options: AlertsOptions): Alerts {
  const { rest, keyv, budget, log, now, monotonic, signal } = options;
  const zero = now() - monotonic();
  /** The wall clock as if it had not been set since the start. */
  const steady = () => zero + monotonic();
  const alerts = new Map(configs.map((config) => [config.key, config]));
  const states = new Map<string, AlertState>();
  const pauses = new Map<string, ChannelPause>();
  /** The last refusal of each channel, so that it is logged once. */
  const refusals = new Map<string, ChannelRefusal>();

  const stateKey = (config: AlertConfig, serverId: string) => `${config.key}:${serverId}`;

  async function readState(key: string): Promise<AlertState> {
    const known = states.get(key);
    if (known !== undefined) return known;
    return restoreAlertState(steady(), (await keyv.get(key)) ?? {});
  }

  async function saveState(key: string, state: AlertState): Promise<void> {
    states.set(key, state);
    await keyv.set(key, state);
  }

  /** `unknown`: Discord may have taken the alert. */
  async function send(
    config: AlertConfig,
    { client, ports }: ObservedProject['project'],
    server: Server,
    { alert, roleId, nonce }: { alert: Alert; roleId?: string | undefined; nonce: string },
  ): Promise<'sent' | 'refused' | 'unknown'> {
    const { channelId } = config;
    const before = options.accessOf(channelId);
    const language = options.languageOf(config);
    const embeds = fit([alertEmbed(language, await readBranding(client), server, alert)]);
    const join = alert.kind === 'players' ? joinButton(language, ports.joinUrl?.(server.id)) : [];
    const mention =
      roleId === undefined
        ? { allowed_mentions: { parse: [] } }
        : { content: `<@&${roleId}>`, allowed_mentions: { parse: [], roles: [roleId] } };
    const body = { embeds, components: buttonRow(...join), ...mention, nonce, enforce_nonce: true };
    try {
      await budget.turn(channelId, signal, 'message');
      await rest.post(Routes.channelMessages(channelId), { body, signal });
      refusals.delete(channelId);
      return 'sent';
    } catch (error) {
      if (!signal.aborted) report(channelId, error, before);
      return isOutage(error) ? 'unknown' : 'refused';
    }
  }

  const pausesIn = (channelId: string): boolean =>
    isPaused(pauses.get(channelId) ?? null, monotonic(), () => options.accessOf(channelId));

  function report(channelId: string, error: unknown, before: string): void {
    const refusal = channelRefusal(error);
    if (refusal === null) {
      log.warn(
        { channelId, error: loggable(error) },
        'could not send an alert; the bot retries while it still applies',
      );
      return;
    }
    const pause = pauseAfter(refusal, error, { ...options, monotonic: monotonic(), before });
    pauses.set(channelId, pause);
    if (refusals.get(channelId) === refusal) return;
    refusals.set(channelId, refusal);
    log.error({ channelId }, `alerts ${stoppedText(refusal, pause)}`);
  }

  /** Schedules of the servers that have a restart alert. */
  async function schedulesOf(
    { project: { client, ports }, servers }: ObservedProject,
    own: readonly AlertConfig[],
  ): Promise<SchedulesByServer> {
    const wanted = new Set(own.flatMap((config) => (config.restart === undefined ? [] : config.servers)));
    const ids = servers.map(({ id }) => id).filter((id) => wanted.has(id));
    return ids.length === 0 ? new Map() : await readSchedules(client, ports, ids);
  }

  /** The latest answer of each server that this process observed: the service's timestamp, and the same in steady time. */
  const answered = new Map<string, { checkedAt: string; at: number }>();

  /** When each offline server last answered, by the current wall clock. */
  async function lastAnswersOf({
    project: { ports },
    servers,
  }: ObservedProject): Promise<ReadonlyMap<string, number>> {
    const last = new Map<string, number>();
    for (const { id, status, checkedAt } of servers) {
      // Converted once, since the wall clock may be set before the next check.
      if (status === 'ONLINE' && checkedAt !== null && answered.get(id)?.checkedAt !== checkedAt) {
        answered.set(id, { checkedAt, at: steady() - Math.max(0, now() - Date.parse(checkedAt)) });
      }
      if (status !== 'OFFLINE') continue;
      const stored = (await ports.lastAnswerAt?.(id).catch(() => null)) ?? Infinity;
      const seenAt = answered.get(id)?.at ?? -Infinity;
      // A stored time in the future predates a step back of the wall clock.
      const latest = Math.max(stored <= now() ? stored : -Infinity, now() - (steady() - seenAt));
      if (Number.isFinite(latest)) last.set(id, latest);
    }
    return last;
  }

  /** The states of servers that were checked since a restore; null: none is to be checked. */
  let sinceRestore: Set<string> | null | undefined;

  async function checkedSinceRestore(): Promise<Set<string> | null> {
    if (sinceRestore === undefined) {
      const isRestored = (await keyv.get(restoredKey)) !== undefined;
      sinceRestore ??= isRestored ? new Set() : null;
    }
    return sinceRestore;
  }

  /** Ends what follows a restore once each of these states was checked. */
  async function endRestored(keys: readonly string[]): Promise<void> {
    if (!sinceRestore || keys.some((key) => sinceRestore?.has(key) !== true)) return;
    sinceRestore = null;
    await keyv.delete(restoredKey).catch((error: unknown) => {
      log.warn({ error: loggable(error) }, 'could not record that alerts were checked since the restore');
    });
  }

  /** Resolves with the milliseconds until the next alert of this server is due. */
  async function checkServer(
    config: AlertConfig,
    server: Server,
    { project, schedules, lastAnswers }: Known,
  ): Promise<number> {
    const key = stateKey(config, server.id);
    const before = await readState(key);
    if (isEarlier(server, before)) return Infinity;
    const save = async (state: AlertState): Promise<void> =>
      await saveState(key, {
        ...state,
        ...(server.checkedAt !== null && { checkedAt: Date.parse(server.checkedAt) }),
      });
    const observation = {
      server,
      nextRestart: nextRestart(schedules.get(server.id) ?? [], now()),
      lastAnswerAt: lastAnswers.get(server.id) ?? null,
      now: now(),
      steady: steady(),
    };
    const checked = await checkedSinceRestore();
    if (checked !== null && !checked.has(key)) {
      const state = allSent(config, observation);
      if (state !== null) await save(state);
      if (state !== null) checked.add(key);
      return Infinity;
    }
    const { nonces: earlier = {}, ...known } = before;
    let state: AlertState = known;
    // Members may have seen that the server was down, though this process or the one before does not know.
    if (state.down !== null && earlier.down !== undefined && server.status === 'ONLINE')
      state = { ...state, down: { ...state.down, sent: true } };
    // Kept until Discord has the alert, or what it says is over.
    const unsent: NonNullable<AlertState['nonces']> = { ...earlier };
    let dueInMs = Infinity;
    for (const evaluate of alertEvaluators) {
      const result = evaluate(config, state, observation);
      const { alert, over, roleId } = result;
      if (over !== undefined) delete unsent[over];
      dueInMs = Math.min(dueInMs, result.dueInMs ?? Infinity);
      const unsentState = result.unsentState ?? state;
      state = result.state;
      if (alert === null) continue;
      if (pausesIn(config.channelId)) {
        state = unsentState;
        continue;
      }
      const nonce = earlier[alert.kind] ?? randomBytes(12).toString('hex');
      unsent[alert.kind] = nonce;
      await save({ ...unsentState, nonces: { ...unsent } });
      const outcome = await send(config, project, server, { alert, roleId, nonce });
      // A refusal says nothing of an earlier attempt.
      if (outcome === 'sent' || (outcome === 'refused' && earlier[alert.kind] === undefined))
        delete unsent[alert.kind];
      if (outcome !== 'sent') state = unsentState;
    }
    if (Object.keys(unsent).length > 0) state = { ...state, nonces: unsent };
    if (!isDeepStrictEqual(state, before) && alerts.has(config.key)) await save(state);
    return dueInMs;
  }

  /** Checks the alerts of one project. Resolves with the milliseconds until the next alert is due. */
  async function checkProject(observed: ObservedProject, own: readonly AlertConfig[]): Promise<number> {
    const { project, servers } = observed;
    const schedules = await schedulesOf(observed, own);
    const known = { project, schedules, lastAnswers: await lastAnswersOf(observed) };
    const checkAlert = async (config: AlertConfig): Promise<number> => {
      let dueInMs = Infinity;
      for (const server of servers.filter(({ id }) => config.servers.includes(id))) {
        if (signal.aborted) return dueInMs;
        const due = await checkServer(config, server, known).catch((error: unknown) => {
          log.warn(
            { channelId: config.channelId, error: loggable(error) },
            "could not save the alert's state",
          );
          return Infinity;
        });
        dueInMs = Math.min(dueInMs, due);
      }
      return dueInMs;
    };
    // In parallel, so that a slow channel does not delay the others.
    return Math.min(...(await Promise.all(own.map(checkAlert))));
  }

  return {
    async check(observed) {
      const byProject = new Map<ObservedProject, AlertConfig[]>();
      let isUnread = false;
      for (const config of [...alerts.values()].filter(options.runs)) {
        const project = observed(config);
        if (project === null) isUnread = true;
        else byProject.set(project, [...(byProject.get(project) ?? []), config]);
      }
      const due = await Promise.all(Array.from(byProject, ([project, own]) => checkProject(project, own)));
      const checked = Array.from(byProject, ([{ servers }, own]) => {
        const known = new Set(servers.map(({ id }) => id));
        return own.flatMap((config) =>
          config.servers.filter((id) => known.has(id)).map((id) => stateKey(config, id)),
        );
      });
      if (!isUnread) await endRestored(checked.flat());
      return Math.min(Infinity, ...due);
    },
    add: (alert) => void alerts.set(alert.key, alert),
    async remove(key) {
      const config = alerts.get(key);
      if (config === undefined) return;
      alerts.delete(key);
      const keys = config.servers.map((serverId) => stateKey(config, serverId));
      for (const each of keys) states.delete(each);
      await keyv.deleteMany(keys).catch((error: unknown) => {
        log.warn(
          { channelId: config.channelId, error: loggable(error) },
          "could not delete the alert's state",
        );
      });
    },
    list: () => [...alerts.values()],
  };
}
