import type { PostStatus } from '../../commands/interfaces/placements.ts';
import { pausedEmbed } from '../../embeds/placements.ts';
import { backOffMs } from '../../process/back-off.ts';
import { ProblemLog } from '../../process/problem-log.ts';
import { failureLevel, loggable } from '../loggable.ts';
import type { GuildContext, JobConfig, JobContext, Next } from './job.ts';
import { createJobMessages, type SharedByJobs } from './job-messages.ts';
import { jobOf } from './kinds/kinds.ts';
import { createPause } from './pause.ts';
import { failureOf } from './refusal.ts';

export type RunningJob = ReturnType<typeof createRunningJob>;

/**
 * One job that runs. At each run it asks its kind what the channel is to have, brings the channel there, and stores the new
 * state. Its states:
 *
 * - waits: its guild is not available, or the bot has left it. A change on Discord runs it again.
 * - runs: the kind is asked.
 * - paused: the guild is no home guild. Its kept message says so.
 * - otherProject: its servers belong to another project than the guild shows. It has no kept message.
 */
export function createRunningJob(config: JobConfig, shared: SharedByJobs) {
  const { contexts, servers, pictures, now, monotonic, signal } = shared;
  const job = jobOf(config.kind);
  const { name, isPost } = job;
  const log = shared.log.child({ channelId: config.channelId });
  const pause = createPause(shared, config.channelId, name, { backsOff: job.every !== undefined });
  const messages = createJobMessages(shared, pause, config, name);
  const problems = new ProblemLog();
  let mode: 'waits' | 'runs' | 'paused' | 'otherProject' = 'runs';
  /** Recent deletions. A moderation bot may delete every new message. */
  let deletions = { count: 0, at: -Infinity };
  let running: Promise<void> | null = null;
  let again: NodeJS.Timeout | undefined;
  let isEnded = false;

  const isOver = (): boolean => isEnded || signal.aborted;

  /** Does what is due, or waits for a running call. Never rejects. */
  async function run(): Promise<void> {
    if (isOver() || pause.leftMs() > 0) return;
    running ??= attempt().finally(() => (running = null));
    await running;
  }

  function runAgainIn(ms: number): void {
    clearTimeout(again);
    // By the monotonic clock, a timer may fire a little early.
    again = setTimeout(() => void run(), ms + 5).unref();
  }

  async function attempt(): Promise<void> {
    clearTimeout(again);
    const access = pause.access();
    try {
      await work();
    } catch (error) {
      if (!isOver()) runAgainIn(pause.report(error, access));
    }
  }

  async function work(): Promise<void> {
    await messages.read();
    const context = await contexts.of(config);
    mode = typeof context === 'string' ? context : 'runs';
    if (context === 'waits') return;
    if (context === 'otherProject') return await messages.deleteKept();
    if (context === 'paused') {
      const hasMessage = messages.record().kept !== null;
      if (hasMessage) await messages.show({ embed: pausedEmbed(contexts.languageIn(config)) });
      return await saveKept();
    }
    if (job.needsLogs && !context.project.community.hasStore) {
      const text = 'off: the bot reads a service elsewhere, which does not have what it needs';
      return report('store', `${name}: ${text}`);
    }
    // What was sent while the store was away.
    if (!isPost) await messages.storeSent();
    while (!isOver() && (await step(context))) {
      // There may be more.
    }
  }

  /** @returns whether to ask the kind again */
  async function step(context: GuildContext): Promise<boolean> {
    const { inDoubt } = messages.record();
    const next = await nextOf({ ...context, servers, pictures, inDoubt, now, log, report });
    if (next === null || isOver()) return false;
    const { message, state } = next;
    if (message === null) await messages.save({ state, ...(!next.keepsDoubt && { inDoubt: null }) });
    else if (message.as === 'end') await messages.end(message, next);
    else if (message.as !== 'kept') await messages.send(message, next);
    else {
      await messages.show(message, state);
      await saveKept();
    }
    return message !== null && message.as !== 'kept';
  }

  /** Null: nothing changes. */
  async function nextOf(seen: JobContext): Promise<Next<unknown> | null> {
    const { state } = messages.record();
    const next = job.next(seen, config.options, state);
    if (!isPost) return await next;
    try {
      const read = await next;
      report('service', null);
      return read;
    } catch (error) {
      const described = loggable(error);
      const what = String(described.code ?? Object(error).name);
      const problem = `${name}: could not read the service (${what})`;
      report('service', problem, { error: described }, failureLevel(error));
      const content = await job.unavailable?.(seen, state);
      return content ? { state, message: { ...content, as: 'kept' } } : null;
    }
  }

  /** The message is in the channel, so the job goes on with its id in memory. The next run tries to store it again. */
  async function saveKept(): Promise<void> {
    try {
      await messages.save();
      report('store', null);
    } catch (error) {
      const problem = 'could not save the message id; a restart now would post a second message';
      report('store', `${name}: ${problem}`, { error: loggable(error) });
    }
  }

  function report(
    id: string,
    text: string | null,
    details: object = {},
    level: 'debug' | 'warn' = 'warn',
  ): void {
    const { error } = problems.update(id, text);
    if (error !== undefined) log[level](details, error);
  }

  return {
    config,
    run,
    /** Null: it works, and has no message of its own. */
    status(): PostStatus | null {
      const failure = pause.failure();
      if (mode === 'paused') return { state: 'paused' };
      if (mode === 'otherProject') return { state: 'failing', reason: 'otherProject' };
      // Without a message to edit, nobody knows whether what failed once would fail now.
      if (failure !== null && (isPost || pause.leftMs() > 0)) return { state: 'failing', reason: failure };
      if (!isPost) return null;
      const messageId = messages.shownId();
      return messageId === null ? { state: 'waiting' } : { state: 'shown', messageId };
    },
    /** Whether a change on Discord may help. */
    isBlocked: (): boolean => mode !== 'runs' || pause.failure() !== null,
    /** Messages were deleted. A kept one among them is made again, later each time. */
    async deleted(messageIds: readonly string[]): Promise<void> {
      // A running call may have noticed the deletion and made the message again.
      await running;
      if (!messages.noticeDeleted(messageIds)) return;
      const isRecent = monotonic() - deletions.at < shared.retryMs;
      deletions = { count: isRecent ? deletions.count + 1 : 1, at: monotonic() };
      const waitMs = backOffMs(deletions.count, shared.repostMs, shared.heartbeatMs);
      pause.start(waitMs);
      runAgainIn(waitMs);
      log.info(`${name}: its message was deleted; posting it again in ${Math.ceil(waitMs / 1000)} s`);
    },
    /** A kept message may be gone. The next run edits it, or makes it again. */
    markUnverified: messages.markUnverified,
    /** Starts nothing new. Resolves when what runs has ended. */
    async stop(): Promise<void> {
      isEnded = true;
      clearTimeout(again);
      await running;
    },
    /** Deletes the kept message of a job that was stopped. @throws where Discord does not answer, so that it may still be there */
    async deleteMessage(): Promise<void> {
      await messages.read();
      await messages.deleteKept().catch((error: unknown) => {
        log.warn({ error: loggable(error) }, `${name}: could not delete its message`);
        if (failureOf(error) !== 'refused') throw error;
      });
    },
  };
}
