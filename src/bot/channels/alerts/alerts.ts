import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Server } from '../../../api/resources.ts';
import { joinButton } from '../../../commands/join-button.ts';
import type { PostStatus } from '../../../commands/ports/placements.ts';
import { readBranding } from '../../../commands/replies.ts';
import type { SchedulesByServer } from '../../../commands/ports/ports.ts';
import { readSchedules } from '../../../commands/read-schedules.ts';
import { buttonRow } from '../../../commands/view.ts';
import { alertEmbed, type Alert } from '../../../embeds/alert.ts';
import { fit } from '../../../embeds/limits.ts';
import { isAwayAsPlanned, nextRestart } from '../../../embeds/schedule-times.ts';
import type { Language } from '../../../locales/language.ts';
import { loggable } from '../../loggable.ts';
import type { BotProject } from '../../shown-project.ts';
import { channelRefusal, type AttemptFailure } from '../channel-refusal.ts';
import type { JobOptions } from '../background-options.ts';
import type { ChannelMessage } from '../channel-message.ts';
import { Sender } from '../sender.ts';
import { contentOf, findSent, isNonceKnown } from '../sent-messages.ts';
import {
  alertEvaluators,
  isEarlier,
  type AlertAttempt,
  type AlertConfig,
  type AlertState,
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

/** Of attempts whose outcome is unknown, the latest: the length of an outage, which a text may name, changes. */
const mostContents = 10;

/** Alerts of one kind have the same text again and again, minutes apart. Where the clock is off by more, one may come twice. */
const clockSlackMs = 30_000;

/** Once Discord is reachable again, so long until every server was checked again. */
const recheckedMs = 60_000;

const stateKey = (config: AlertConfig, serverId: string): string => `${config.key}:${serverId}`;

/** The alerts of all channels. An alert that cannot be sent is sent later, if it still applies. */
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
    if (isEarlier(server, before)) return;
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
    const { attempts: earlier = {}, ...known } = before;
    let state: AlertState = known;
    // Members may have seen that the server was down, though this process or the one before does not know.
    if (state.down !== null && earlier.down !== undefined && server.status === 'ONLINE')
      state = { ...state, down: { ...state.down, sent: true } };
    // Kept until Discord has the alert, or what it says is over.
    const unsent: NonNullable<AlertState['attempts']> = { ...earlier };
    for (const evaluate of alertEvaluators) {
      const result = evaluate(config, state, observation);
      const { alert, over, roleId } = result;
      if (over !== undefined) delete unsent[over];
      const unsentState = result.unsentState ?? state;
      state = result.state;
      if (alert === null) continue;
      if (this.#senderIn(config.channelId).isPaused()) {
        state = unsentState;
        continue;
      }
      const first = earlier[alert.kind];
      const message = await this.#compose(config, check.project, server, { alert, roleId });
      const contents = [...new Set([...(first?.contents ?? []), contentOf(message.embeds[0]!)])];
      const attempt = {
        nonce: first?.nonce ?? randomBytes(12).toString('hex'),
        contents: contents.slice(-mostContents),
        unknownSince: first?.unknownSince ?? now,
      };
      unsent[alert.kind] = attempt;
      await this.#save(key, server, { ...unsentState, attempts: { ...unsent } });
      const failure = await this.#send(config.channelId, message, attempt, first);
      // A refusal says nothing of an earlier attempt.
      if (failure === null || (failure !== 'unknown' && first === undefined)) delete unsent[alert.kind];
      if (failure !== null) state = unsentState;
    }
    if (Object.keys(unsent).length > 0) state = { ...state, attempts: unsent };
    if (!isDeepStrictEqual(state, before) && this.#alerts.has(config.key))
      await this.#save(key, server, state);
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
    { alert, roleId }: { alert: Alert; roleId?: string | undefined },
  ): Promise<ChannelMessage> {
    const language = await this.#options.languageOf(config);
    const embeds = fit([alertEmbed(language, await readBranding(client), server, alert)]);
    const join = alert.kind === 'players' ? joinButton(language, ports.joinUrl?.(server.id)) : [];
    return { embeds, links: buttonRow(...join), roleId };
  }

  /**
   * @param first an earlier attempt, which may have succeeded
   * @returns null: the alert is in the channel
   */
  async #send(
    channelId: string,
    message: ChannelMessage,
    { nonce }: AlertAttempt,
    first: AlertAttempt | undefined,
  ): Promise<AttemptFailure | null> {
    const sender = this.#senderIn(channelId);
    return await sender.attempt(async () => {
      if (first !== undefined && !isNonceKnown(first.unknownSince, this.#options.now())) {
        const found = await findSent(channelId, first, this.#options, clockSlackMs);
        // An alert that comes twice is better than none.
        if (typeof found === 'object') return;
      }
      await sender.turn('message');
      await sender.create(message, nonce);
    });
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

  async #save(key: string, { checkedAt }: Server, state: AlertState): Promise<void> {
    const saved = { ...state, ...(checkedAt !== null && { checkedAt: Date.parse(checkedAt) }) };
    this.#states.set(key, saved);
    // Without an error listener, Keyv may return false instead of throwing.
    if (!(await this.#options.keyv.set(key, saved))) throw new Error('the state was not written');
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
