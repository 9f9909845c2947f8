import { isDeepStrictEqual } from 'node:util';
import type { Server } from '../../../api/resources.ts';
import { joinButton } from '../../../commands/join-button.ts';
import type { PostStatus } from '../../../commands/ports/placements.ts';
import { readBranding } from '../../../commands/replies.ts';
import type { SchedulesByServer } from '../../../commands/ports/ports.ts';
import { readSchedules } from '../../../commands/read-schedules.ts';
import { buttonRow } from '../../../commands/view.ts';
import { alertEmbed, type Alert, type EndedAlert } from '../../../embeds/alert.ts';
import { fit } from '../../../embeds/limits.ts';
import { isAwayAsPlanned, nextRestart } from '../../../embeds/schedule-times.ts';
import type { Language } from '../../../locales/language.ts';
import { loggable } from '../../loggable.ts';
import type { BotProject } from '../../shown-project.ts';
import { discordCode, discordErrors } from '../../discord-error.ts';
import { channelRefusal } from '../channel-refusal.ts';
import type { JobOptions } from '../background-options.ts';
import type { ChannelMessage } from '../channel-message.ts';
import { nonceOf, Sender } from '../sender.ts';
import {
  alertEvaluators,
  endOf,
  type AlertConfig,
  type AlertState,
  type StandingAlert,
} from './alert-rules.ts';

type AlertsOptions = JobOptions & {
  languageOf: (alert: AlertConfig) => Promise<Language>;
  /** Whether alerts are sent. They are paused in a guild that is no longer a home guild, or has no project. */
  runs: (alert: AlertConfig) => boolean;
};

/** The servers of a project, as they are at a check. */
export interface ObservedProject {
  project: Pick<BotProject, 'client' | 'ports'>;
  servers: readonly Server[];
}

/** What the checks of one project's alerts share. */
interface ProjectCheck extends Pick<ObservedProject, 'project'> {
  schedules: SchedulesByServer;
  /** Epoch milliseconds, by server id. */
  lastAnswers: ReadonlyMap<string, number>;
}

/** Once Discord is reachable again, so long until every server was checked again. */
const recheckedMs = 60_000;

const stateKey = (config: AlertConfig, serverId: string): string => `${config.key}:${serverId}`;

/**
 * The alerts of all channels. An alert that cannot be sent is sent later, if it still applies. Discord takes the same one
 * once within a few minutes, by its nonce. The message of one that is over is edited to say so.
 */
export class Alerts {
  readonly #options: AlertsOptions;
  readonly #alerts = new Map<string, AlertConfig>();
  readonly #states = new Map<string, AlertState>();
  /** By channel. */
  readonly #senders = new Map<string, Sender>();
  /** The latest answer of each server that this process observed; epoch milliseconds. */
  readonly #answered = new Map<string, number>();
  /** When Discord's gateway was last seen away, by the monotonic clock. */
  #awayAt = -Infinity;

  constructor(options: AlertsOptions) {
    this.#options = options;
  }

  /**
   * Sends what has changed since the last check. Never rejects.
   * @param observed the project that an alert's guild shows; null: it could not be read
   */
  async check(observed: (alert: AlertConfig) => ObservedProject | null): Promise<void> {
    const byProject = new Map<ObservedProject, AlertConfig[]>();
    for (const config of this.list().filter(this.#options.runs)) {
      const project = observed(config);
      if (project !== null) byProject.set(project, [...(byProject.get(project) ?? []), config]);
    }
    await Promise.all(Array.from(byProject, (each) => this.#checkProject(...each)));
  }

  start(alert: AlertConfig): void {
    this.#alerts.set(alert.key, alert);
  }

  /** Ends the alerts and deletes their state. Never rejects. */
  async remove(key: string): Promise<void> {
    const config = this.#alerts.get(key);
    if (config === undefined) return;
    this.#alerts.delete(key);
    const keys = config.servers.map((serverId) => stateKey(config, serverId));
    for (const each of keys) this.#states.delete(each);
    const { keyv, log } = this.#options;
    await keyv.deleteMany(keys).catch((error: unknown) => {
      log.warn({ channelId: config.channelId, error: loggable(error) }, "could not delete the alert's state");
    });
  }

  list(): AlertConfig[] {
    return [...this.#alerts.values()];
  }

  /** Why no alert can be sent in a channel now. Null: none is known to fail. */
  status(channelId: string): PostStatus | null {
    const sender = this.#senders.get(channelId);
    const reason = sender?.isPaused() === true ? sender.failure : null;
    return reason === null ? null : { state: 'failing', reason };
  }

  async #checkProject(observed: ObservedProject, own: readonly AlertConfig[]): Promise<void> {
    const { log, signal } = this.#options;
    const { project, servers } = observed;
    const schedules = await schedulesOf(observed, own);
    const check = { project, schedules, lastAnswers: await this.#lastAnswersOf(observed) };
    const checkAlert = async (config: AlertConfig): Promise<void> => {
      await this.#findChannel(config.channelId);
      for (const server of servers.filter(({ id }) => config.servers.includes(id))) {
        if (signal.aborted) return;
        await this.#checkServer(config, server, check).catch((error: unknown) => {
          const { channelId } = config;
          log.warn({ channelId, error: loggable(error) }, "could not save the alert's state");
        });
      }
    };
    // In parallel, so that a slow channel does not delay the others.
    await Promise.all(own.map(checkAlert));
  }

  async #checkServer(config: AlertConfig, server: Server, check: ProjectCheck): Promise<void> {
    // Where this machine has no network, no server answers it.
    if (server.status === 'OFFLINE' && this.#isNetworkDoubtful()) return;
    const key = stateKey(config, server.id);
    const before = await this.#readState(key);
    const now = this.#options.now();
    const schedules = check.schedules.get(server.id) ?? [];
    const observation = {
      server,
      nextRestart: nextRestart(schedules, now)?.at ?? null,
      // Of no interest while the server answers, and it takes milliseconds for each schedule.
      isAwayAsPlanned: server.status === 'OFFLINE' && isAwayAsPlanned(schedules, now),
      lastAnswerAt: check.lastAnswers.get(server.id) ?? null,
      now,
    };
    let state = await this.#endStanding(config, check.project, before, observation);
    for (const evaluate of alertEvaluators) {
      const { alert, event = 0, roleId, ...result } = evaluate(config, state, observation);
      const unsentState = result.unsentState ?? state;
      state = result.state;
      if (alert === null) continue;
      const message = await this.#compose(config, check.project, server, { alert, roleId });
      const messageId = await this.#send(config.channelId, message, nonceOf(key, alert.kind, event));
      if (messageId === null) state = unsentState;
      else if (alert.kind !== 'up')
        state = {
          ...state,
          standing: { ...state.standing, [alert.kind]: { messageId, alert, sentAt: now, roleId } },
        };
    }
    if (!isDeepStrictEqual(state, before) && this.#alerts.has(config.key)) await this.#save(key, state);
  }

  /** Edits the messages of alerts that are over. @param before the state of the check before */
  async #endStanding(
    config: AlertConfig,
    project: ObservedProject['project'],
    before: AlertState,
    observation: { server: Server; now: number },
  ): Promise<AlertState> {
    const left = { ...before.standing };
    for (const [kind, one] of Object.entries(left) as [Alert['kind'], StandingAlert][]) {
      const ended = one.ended ?? endOf(one, config, before, observation);
      if (ended === null) continue;
      const { messageId, roleId } = one;
      const message = await this.#compose(config, project, observation.server, { alert: ended, roleId });
      if (await this.#edit(config.channelId, messageId, message)) delete left[kind];
      // The next check tries again.
      else left[kind] = { ...one, ended };
    }
    return before.standing === undefined ? before : { ...before, standing: left };
  }

  #isNetworkDoubtful(): boolean {
    const { gateway, monotonic } = this.#options;
    if (!gateway.isConnected()) this.#awayAt = monotonic();
    return monotonic() - this.#awayAt < recheckedMs;
  }

  async #compose(
    config: AlertConfig,
    { client, ports }: ObservedProject['project'],
    server: Server,
    { alert, roleId }: { alert: Alert | EndedAlert; roleId?: string | undefined },
  ): Promise<ChannelMessage> {
    const language = await this.#options.languageOf(config);
    const embeds = fit([alertEmbed(language, await readBranding(client), server, alert)]);
    const join = alert.kind === 'players' ? joinButton(language, ports.joinUrl?.(server.id)) : [];
    return { embeds, links: buttonRow(...join), roleId };
  }

  /** Returns the message's id; null: it was not sent. */
  async #send(channelId: string, message: ChannelMessage, nonce: string): Promise<string | null> {
    const sender = this.#senderIn(channelId);
    if (sender.isPaused()) return null;
    let messageId: string | null = null;
    await sender.attempt(async () => {
      await sender.turn('message');
      messageId = await sender.create(message, nonce);
    });
    return messageId;
  }

  /** Returns false if another attempt may succeed. */
  async #edit(channelId: string, messageId: string, message: ChannelMessage): Promise<boolean> {
    const sender = this.#senderIn(channelId);
    if (sender.isPaused()) return false;
    const failure = await sender.attempt(async () => {
      await sender.turn('edit');
      await sender.edit(messageId, message).catch((error: unknown) => {
        // A member deleted it.
        if (discordCode(error) !== discordErrors.unknownMessage) throw error;
      });
    });
    return failure === null || failure === 'refused';
  }

  /** Alerts are rare: without this, the first one that is missed would be the first to notice that its channel is gone. */
  async #findChannel(channelId: string): Promise<void> {
    const { gateway, signal } = this.#options;
    if (gateway.guildOf(channelId) !== null || gateway.isUnavailable()) return;
    await this.#senderIn(channelId).run(async () => {
      await gateway.findGuildOf(channelId, signal).catch((error: unknown) => {
        if (channelRefusal(error) !== null) throw error;
      });
    });
  }

  #senderIn(channelId: string): Sender {
    const known = this.#senders.get(channelId);
    if (known !== undefined) return known;
    const failed = 'could not send an alert; the bot retries while it still applies';
    const log = this.#options.log.child({ channelId });
    const sender = new Sender({ ...this.#options, channelId, name: 'sending alerts', failed, log });
    this.#senders.set(channelId, sender);
    return sender;
  }

  async #readState(key: string): Promise<AlertState> {
    const stored = this.#states.get(key) ?? (await this.#options.keyv.get<AlertState>(key));
    return stored ?? { down: null, players: null, restart: null };
  }

  async #save(key: string, state: AlertState): Promise<void> {
    this.#states.set(key, state);
    // Without an error listener, Keyv may return false instead of throwing.
    if (!(await this.#options.keyv.set(key, state))) throw new Error('the state was not written');
  }

  /** When each offline server last answered. */
  async #lastAnswersOf({ project, servers }: ObservedProject): Promise<ReadonlyMap<string, number>> {
    const now = this.#options.now();
    const last = new Map<string, number>();
    for (const { id, status, checkedAt } of servers) {
      if (status === 'ONLINE' && checkedAt !== null) this.#answered.set(id, Date.parse(checkedAt));
      if (status !== 'OFFLINE') continue;
      const stored = (await project.ports.lastAnswerAt?.(id).catch(() => null)) ?? -Infinity;
      // A time in the future is from before the clock was set.
      const past = [stored, this.#answered.get(id) ?? -Infinity].filter((at) => at <= now);
      const latest = Math.max(...past);
      if (Number.isFinite(latest)) last.set(id, latest);
    }
    return last;
  }
}

/** Schedules of the servers that have a restart alert, and of those that are down. */
async function schedulesOf(
  { project: { client, ports }, servers }: ObservedProject,
  own: readonly AlertConfig[],
): Promise<SchedulesByServer> {
  const isWanted = ({ id, status }: Server): boolean =>
    own.some(
      ({ servers: ids, restart, down }) =>
        ids.includes(id) && (restart !== undefined || (down !== undefined && status === 'OFFLINE')),
    );
  const ids = servers.filter(isWanted).map(({ id }) => id);
  return ids.length === 0 ? new Map() : await readSchedules(client, ports, ids);
}
