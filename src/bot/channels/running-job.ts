import type { Logger } from 'pino';
import type { PostStatus } from '../../commands/interfaces/placements.ts';
import { pausedEmbed } from '../../embeds/placements.ts';
import { backOffMs } from '../../process/back-off.ts';
import { ProblemLog } from '../../process/problem-log.ts';
import { failureLevel, loggable } from '../loggable.ts';
import type { GuildContext } from './guild-contexts.ts';
import type { JobConfig, JobContext, Next } from './job.ts';
import { JobMessages, type SharedByJobs } from './job-messages.ts';
import { jobOf, type KnownJob } from './kinds/kinds.ts';
import { Pause } from './pause.ts';
import { failureOf } from './refusal.ts';

/**
 * One job that runs. At each run it asks its kind what the channel is to have, brings the channel there, and stores the new
 * state. Its states:
 *
 * - waits: its guild is not available, or the bot has left it. A change on Discord runs it again.
 * - runs: the kind is asked.
 * - paused: the guild is no home guild. Its kept message says so.
 * - otherProject: its servers belong to another project than the guild shows. It has no kept message.
 */
export class RunningJob {
  readonly config: JobConfig;
  readonly #job: KnownJob;
  readonly #shared: SharedByJobs;
  readonly #log: Logger;
  readonly #pause: Pause;
  readonly #messages: JobMessages;
  #mode: 'waits' | 'runs' | 'paused' | 'otherProject' = 'runs';
  readonly #problems = new ProblemLog();
  /** Recent deletions. A moderation bot may delete every new message. */
  #deletions = { count: 0, at: -Infinity };
  #running: Promise<void> | null = null;
  #again: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor(config: JobConfig, shared: SharedByJobs) {
    const job = jobOf(config.kind);
    const { name } = job;
    const { channelId } = config;
    const log = shared.log.child({ channelId });
    const backsOff = job.every !== undefined;
    const pause = new Pause({ ...shared, channelId, name, backsOff, log });
    this.config = config;
    this.#job = job;
    this.#shared = shared;
    this.#log = log;
    this.#pause = pause;
    this.#messages = new JobMessages({ ...shared, config, name, pause, log });
  }

  /** Does what is due, or waits for a running call. Never rejects. */
  async run(): Promise<void> {
    if (this.#isOver() || this.#pause.leftMs > 0) return;
    this.#running ??= this.#attempt().finally(() => (this.#running = null));
    await this.#running;
  }

  /** Null: it works, and has no message of its own. */
  status(): PostStatus | null {
    const { isPost } = this.#job;
    const { failure, leftMs } = this.#pause;
    if (this.#mode === 'paused') return { state: 'paused' };
    if (this.#mode === 'otherProject') return { state: 'failing', reason: 'otherProject' };
    // Without a message to edit, nobody knows whether what failed once would fail now.
    if (failure !== null && (isPost || leftMs > 0)) return { state: 'failing', reason: failure };
    if (!isPost) return null;
    const messageId = this.#messages.shownId;
    return messageId === null ? { state: 'waiting' } : { state: 'shown', messageId };
  }

  /** Whether a change on Discord may help. */
  isBlocked(): boolean {
    return this.#mode !== 'runs' || this.#pause.failure !== null;
  }

  /** Messages were deleted. A kept one among them is made again, later each time. */
  async deleted(messageIds: readonly string[]): Promise<void> {
    // A running call may have noticed the deletion and made the message again.
    await this.#running;
    if (!this.#messages.noticeDeleted(messageIds)) return;
    const { monotonic, retryMs, repostMs, heartbeatMs } = this.#shared;
    const isRecent = monotonic() - this.#deletions.at < retryMs;
    this.#deletions = { count: isRecent ? this.#deletions.count + 1 : 1, at: monotonic() };
    const waitMs = backOffMs(this.#deletions.count, repostMs, heartbeatMs);
    this.#pause.start(waitMs);
    this.#runAgainIn(waitMs);
    const seconds = Math.ceil(waitMs / 1000);
    this.#log.info(`${this.#job.name}: its message was deleted; posting it again in ${seconds} s`);
  }

  /** A kept message may be gone. The next run edits it, or makes it again. */
  markUnverified(): void {
    this.#messages.markUnverified();
  }

  /** Starts nothing new. Resolves when what runs has ended. */
  async stop(): Promise<void> {
    this.#isEnded = true;
    clearTimeout(this.#again);
    await this.#running;
  }

  /** Deletes the kept message of a job that was stopped. @throws where Discord does not answer, so that it may still be there */
  async deleteMessage(): Promise<void> {
    await this.#messages.read();
    await this.#messages.deleteKept().catch((error: unknown) => {
      this.#log.warn({ error: loggable(error) }, `${this.#job.name}: could not delete its message`);
      if (failureOf(error) !== 'refused') throw error;
    });
  }

  #isOver(): boolean {
    return this.#isEnded || this.#shared.signal.aborted;
  }

  #runAgainIn(ms: number): void {
    clearTimeout(this.#again);
    // By the monotonic clock, a timer may fire a little early.
    this.#again = setTimeout(() => void this.run(), ms + 5).unref();
  }

  async #attempt(): Promise<void> {
    clearTimeout(this.#again);
    const access = this.#pause.access();
    try {
      await this.#work();
    } catch (error) {
      if (!this.#isOver()) this.#runAgainIn(this.#pause.report(error, access));
    }
  }

  async #work(): Promise<void> {
    await this.#messages.read();
    const { contexts } = this.#shared;
    const context = await contexts.of(this.config);
    this.#mode = typeof context === 'string' ? context : 'runs';
    if (context === 'waits') return;
    if (context === 'otherProject') return await this.#messages.deleteKept();
    if (context === 'paused') {
      await this.#messages.showInstead(pausedEmbed(contexts.languageIn(this.config)));
      return await this.#saveKept();
    }
    if (this.#job.needsLogs && !context.project.community.hasStore) {
      const text = 'off: the bot reads a service elsewhere, which does not have what it needs';
      return this.#report('store', `${this.#job.name}: ${text}`);
    }
    // What was sent while the store was away.
    if (!this.#job.isPost) await this.#messages.storeSent();
    while (!this.#isOver() && (await this.#step(context))) {
      // There may be more.
    }
  }

  /** @returns whether to ask the kind again */
  async #step(context: GuildContext): Promise<boolean> {
    const next = await this.#next(this.#seen(context));
    if (next === null || this.#isOver()) return false;
    const { message, state } = next;
    if (message === null) await this.#messages.save({ state, ...(!next.keepsDoubt && { inDoubt: null }) });
    else if (message.as === 'end') await this.#messages.end(message, next);
    else if (message.as !== 'kept') await this.#messages.send(message, next);
    else {
      await this.#messages.show(message, state);
      await this.#saveKept();
    }
    return message !== null && message.as !== 'kept';
  }

  /** Null: nothing changes. */
  async #next(seen: JobContext): Promise<Next<unknown> | null> {
    const { state } = this.#messages;
    const next = this.#job.next(seen, this.config.options, state);
    if (!this.#job.isPost) return await next;
    try {
      const read = await next;
      this.#report('service', null);
      return read;
    } catch (error) {
      const described = loggable(error);
      const what = String(described.code ?? Object(error).name);
      const problem = `${this.#job.name}: could not read the service (${what})`;
      this.#report('service', problem, { error: described }, failureLevel(error));
      const content = await this.#job.unavailable?.(seen, state);
      return content ? { state, message: { ...content, as: 'kept' } } : null;
    }
  }

  /** The message is in the channel, so the job goes on with its id in memory. The next run tries to store it again. */
  async #saveKept(): Promise<void> {
    try {
      await this.#messages.save();
      this.#report('store', null);
    } catch (error) {
      const problem = 'could not save the message id; a restart now would post a second message';
      this.#report('store', `${this.#job.name}: ${problem}`, { error: loggable(error) });
    }
  }

  #seen(context: GuildContext): JobContext {
    const { now, servers, pictures } = this.#shared;
    return {
      ...context,
      servers,
      pictures,
      inDoubt: this.#messages.inDoubt,
      now,
      log: this.#log,
      report: (id, text, details, level) => this.#report(id, text, details, level),
    };
  }

  #report(id: string, text: string | null, details: object = {}, level: 'debug' | 'warn' = 'warn'): void {
    const { error } = this.#problems.update(id, text);
    if (error !== undefined) this.#log[level](details, error);
  }
}
