import type { Logger } from 'pino';
import type { PostStatus } from '../../commands/ports/placements.ts';
import { pausedEmbed } from '../../embeds/setup.ts';
import { backOffMs } from '../../process/back-off.ts';
import { loggable } from '../loggable.ts';
import type { JobOptions } from './background-options.ts';
import type { GuildContext, GuildContexts } from './guild-contexts.ts';
import type { AnyJob, JobConfig, JobContext } from './job.ts';
import { JobMessages } from './job-messages.ts';
import { StoredRecord } from './job-record.ts';
import type { NameRemoval } from './name-removal.ts';
import { failureOf } from './pause.ts';
import { Sender } from './sender.ts';
import type { ServerReader } from './server-reader.ts';

export type RunningJobOptions = JobOptions & {
  contexts: GuildContexts;
  servers: ServerReader;
  removal: NameRemoval;
};

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
  readonly #job: AnyJob;
  readonly #options: RunningJobOptions;
  readonly #log: Logger;
  readonly #sender: Sender;
  readonly #record: StoredRecord;
  readonly #messages: JobMessages;
  #mode: 'waits' | 'runs' | 'paused' | 'otherProject' = 'runs';
  /** Logged last; null: it is resolved. */
  #problem: string | null = null;
  readonly #warned = new Set<string>();
  /** Recent deletions. A moderation bot may delete every new message. */
  #deletions = { count: 0, at: -Infinity };
  #running: Promise<void> | null = null;
  #again: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor(config: JobConfig, job: AnyJob, options: RunningJobOptions) {
    const { channelId, key } = config;
    const { name, keepsMessage } = job;
    const log = options.log.child({ channelId });
    const backsOff = 'everyMs' in job.when(config.options, options);
    this.config = config;
    this.#job = job;
    this.#options = options;
    this.#log = log;
    this.#sender = new Sender({ ...options, channelId, name, backsOff, log });
    this.#record = new StoredRecord({ key, name, keepsMessage, keyv: options.keyv, log });
    const parts = { sender: this.#sender, record: this.#record };
    this.#messages = new JobMessages({ ...options, ...parts, config, name, keepsMessage, log });
  }

  /** Does what is due, or waits for a running call. Never rejects. */
  async run(): Promise<void> {
    if (this.#isOver() || this.#sender.pause.leftMs > 0) return;
    this.#running ??= this.#attempt().finally(() => (this.#running = null));
    await this.#running;
  }

  /** Null: it works, and has no message of its own. */
  status(): PostStatus | null {
    const { keepsMessage } = this.#job;
    const { pause } = this.#sender;
    if (this.#mode === 'paused') return { state: 'paused' };
    if (this.#mode === 'otherProject') return { state: 'failing', reason: 'otherProject' };
    // Without a message to edit, nobody knows whether what failed once would fail now.
    if (pause.failure !== null && (keepsMessage || pause.leftMs > 0))
      return { state: 'failing', reason: pause.failure };
    if (!keepsMessage) return null;
    const messageId = this.#messages.shownId;
    return messageId === null ? { state: 'waiting' } : { state: 'shown', messageId };
  }

  /** Whether a change on Discord may help. */
  isBlocked(): boolean {
    return this.#mode !== 'runs' || this.#sender.pause.failure !== null;
  }

  /** Messages were deleted. A kept one among them is made again, later each time. */
  async deleted(messageIds: readonly string[]): Promise<void> {
    // A running call may have noticed the deletion and made the message again.
    await this.#running;
    if (!this.#messages.noticeDeleted(messageIds)) return;
    const { monotonic, retryMs, repostMs, heartbeatMs } = this.#options;
    const isRecent = monotonic() - this.#deletions.at < retryMs;
    this.#deletions = { count: isRecent ? this.#deletions.count + 1 : 1, at: monotonic() };
    const waitMs = backOffMs(this.#deletions.count, repostMs, heartbeatMs);
    this.#sender.pause.start(waitMs);
    this.#runAgainIn(waitMs);
    const seconds = Math.ceil(waitMs / 1000);
    this.#log.info(`${this.#job.name}: its message was deleted; posting it again in ${seconds} s`);
  }

  /** Kept messages may be gone. The next run edits them, or makes them again. */
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
  async deleteMessages(): Promise<void> {
    await this.#record.read();
    await this.#messages.withdraw().catch((error: unknown) => {
      this.#log.warn({ error: loggable(error) }, `${this.#job.name}: could not delete its message`);
      if (failureOf(error) !== 'refused') throw error;
    });
  }

  #isOver(): boolean {
    return this.#isEnded || this.#options.signal.aborted;
  }

  #runAgainIn(ms: number): void {
    clearTimeout(this.#again);
    // By the monotonic clock, a timer may fire a little early.
    this.#again = setTimeout(() => void this.run(), ms + 5).unref();
  }

  async #attempt(): Promise<void> {
    clearTimeout(this.#again);
    const { pause } = this.#sender;
    const access = pause.access();
    try {
      await this.#work();
    } catch (error) {
      if (this.#isOver()) return;
      pause.report(error, access);
      this.#runAgainIn(pause.againMs);
    }
  }

  async #work(): Promise<void> {
    await this.#record.read();
    const { contexts } = this.#options;
    const context = await contexts.of(this.config);
    this.#mode = typeof context === 'string' ? context : 'runs';
    if (context === 'waits') return;
    if (context === 'otherProject') return await this.#messages.withdraw();
    if (context === 'paused')
      return await this.#messages.showInstead(pausedEmbed(contexts.languageIn(this.config)));
    if (this.#job.needsStore && !context.project.community.hasStore) {
      const text = 'off: the bot reads a service elsewhere, which does not have what it needs';
      return this.#report(`${this.#job.name}: ${text}`);
    }
    while (!this.#isOver() && (await this.#step(context))) {
      // There may be more.
    }
  }

  /** @returns whether a message was sent, so that there may be another one */
  async #step(context: GuildContext): Promise<boolean> {
    const record = this.#record;
    const { state: before, inDoubt } = record.value;
    const next = await this.#job.next(this.#seen(context), this.config.options, before);
    if (next === null || this.#isOver()) return false;
    let outcome: 'sent' | 'leftOut' | null = null;
    try {
      for (const message of next.messages) outcome = (await this.#messages.deliver(message, next)) ?? outcome;
    } catch (error) {
      await record.save({ state: next.unsent ?? before });
      throw error;
    }
    const state = outcome === 'leftOut' ? (next.leftOut ?? next.state) : next.state;
    await record.save({ state, inDoubt: outcome === null ? inDoubt : null });
    return outcome !== null;
  }

  #seen(context: GuildContext): JobContext {
    const { now, servers, pictures } = this.#options;
    return {
      ...context,
      servers,
      pictures,
      inDoubt: this.#record.value.inDoubt,
      now,
      log: this.#log,
      problem: (text, details, level) => this.#report(text, details, level),
      warnOnce: (id, text) => {
        if (!this.#warned.has(id)) this.#log.warn(text);
        this.#warned.add(id);
      },
    };
  }

  #report(text: string | null, details: object = {}, level: 'debug' | 'warn' = 'warn'): void {
    if (text !== null && text !== this.#problem) this.#log[level](details, text);
    this.#problem = text;
  }
}
