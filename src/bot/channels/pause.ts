import { RateLimitError } from '@discordjs/rest';
import type { PostFailure } from '../../embeds/placements.ts';
import { backOffMs } from '../../process/back-off.ts';
import { count } from '../../process/count.ts';
import type { BotContext } from '../bot-options.ts';
import { jobRetry, oldEditsMs, tokenRetryMs } from '../limits.ts';
import { loggable } from '../loggable.ts';
import { lacks, permissionsIn, type MessagePermission } from './channel-permissions.ts';
import { channelRefusal, type ChannelRefusal } from './refusal.ts';

/** For the log. */
const reasons = {
  channelGone: 'the channel does not exist',
  noAccess: 'the bot cannot see the channel',
  noPermission: 'the bot may not send messages with embeds in the channel',
  threadClosed:
    'the thread is archived or locked, and the bot may not reopen it; reopen it, or give the bot Manage Threads',
  notText:
    'no message can be sent to the channel, as to forums and categories; name a text channel or a thread',
  token: 'Discord rejects the token',
  editedTooOften: 'Discord limits edits of messages in the channel',
} as const satisfies Record<ChannelRefusal, string>;

export type Pause = ReturnType<typeof createPause>;

/**
 * What a job does after a failure.
 *
 * - works: the last message or edit was accepted, or there was none yet.
 * - paused until a time: after a rate limit, or a failure that is no refusal.
 * - paused until a time, or until the bot's access to the channel changes: after a refusal.
 *
 * @param name for log lines: "{name} stopped: …", "{name} works again"
 * @param backsOff whether failures that are no refusals pause, too, and not only have another attempt made
 */
export function createPause(
  shared: Pick<BotContext, 'gateway' | 'monotonic' | 'retryMs' | 'log'>,
  channelId: string,
  name: string,
  { backsOff }: { backsOff: boolean },
) {
  const { gateway, monotonic, retryMs } = shared;
  const log = shared.log.child({ channelId });
  /** By the monotonic clock. */
  let until = -Infinity;
  /** The pause also ends when the bot's access differs from this; null: access does not matter. */
  let pausedAccess: string | null = null;
  let failure: PostFailure | null = null;
  /** In a row, without refusals. */
  let failures = 0;

  /**
   * The bot's permissions in the channel and whether the thread is open, as text to compare. To be read before an attempt: it
   * may change during that.
   */
  function access(): string {
    const channel = gateway.channel(channelId);
    const thread = channel?.isThread() ? `${channel.archived} ${channel.locked}` : '';
    return `${channel === undefined ? 'unknown' : (permissionsIn(channel)?.permissions ?? null)} ${thread}`;
  }

  function start(ms: number, untilOther: string | null = null): void {
    until = monotonic() + ms;
    pausedAccess = untilOther;
  }

  function limited({ global: isGlobal }: RateLimitError, ms: number): number {
    start(ms);
    // A channel that is busy for a moment is no failure.
    if (!isGlobal) return ms;
    const seconds = Math.ceil(ms / 1_000);
    if (failure === null) log.warn(`${name} waits: Discord takes no requests of the bot for ${seconds} s`);
    failure = 'other';
    return ms;
  }

  function failed(error: unknown): number {
    if (failure === null)
      log.warn({ error: loggable(error) }, `${name}: could not write a message; the bot keeps trying`);
    failure = 'other';
    failures += 1;
    const ms = backOffMs(failures, jobRetry.firstMs, jobRetry.longestMs);
    if (backsOff) start(ms);
    return ms;
  }

  function refused(refusal: ChannelRefusal, limitMs: number | null, accessBefore: string): number {
    const isTimed = refusal === 'editedTooOften' || refusal === 'token';
    const ms = !isTimed ? retryMs : refusal === 'token' ? tokenRetryMs : (limitMs ?? oldEditsMs);
    start(ms, isTimed ? null : accessBefore);
    const next = `next attempt in ${count(Math.ceil(ms / 60_000), 'minute')}`;
    const orSooner = isTimed ? '' : ', or as soon as that changes';
    const level = failure === refusal ? 'debug' : refusal === 'editedTooOften' ? 'warn' : 'error';
    log[level](`${name} stopped: ${reasonOf(refusal)}; ${next}${orSooner}`);
    failure = refusal;
    return ms;
  }

  /** Names all permissions that are missing: who grants the first one alone would only find out about the next. */
  function reasonOf(refusal: ChannelRefusal): string {
    const granted = permissionsIn(gateway.channel(channelId));
    if (granted === null || (refusal !== 'noAccess' && refusal !== 'noPermission')) return reasons[refusal];
    const send = granted.isThread ? 'Send Messages in Threads' : 'Send Messages';
    const needed: MessagePermission[] = ['View Channel', send, 'Embed Links'];
    const missing = needed.filter((permission) => lacks(granted.permissions, permission));
    return missing.length === 0
      ? reasons[refusal]
      : `the bot lacks ${new Intl.ListFormat('en').format(missing)} in the channel`;
  }

  return {
    access,
    start,
    /** Why messages fail; null: the last one did not. */
    failure: (): PostFailure | null => failure,
    /** Milliseconds until the next attempt; 0: nothing is paused. */
    leftMs(): number {
      const hasOtherAccess = pausedAccess !== null && pausedAccess !== access();
      return hasOtherAccess ? 0 : Math.max(0, until - monotonic());
    },
    /** Discord accepted something. */
    end(): void {
      if (failure !== null) log.info(`${name} works again`);
      failure = null;
      failures = 0;
    },
    /**
     * Logs why an attempt failed, once, and pauses.
     * @param accessBefore from before the attempt
     * @returns in how many milliseconds the next attempt is due
     */
    report(error: unknown, accessBefore: string): number {
      const limitMs = error instanceof RateLimitError ? Math.max(error.retryAfter, error.timeToReset) : null;
      const refusal = channelRefusal(error);
      if (refusal !== null) return refused(refusal, limitMs, accessBefore);
      return limitMs === null ? failed(error) : limited(error as RateLimitError, limitMs);
    },
  };
}
