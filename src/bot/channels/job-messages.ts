import { createHash } from 'node:crypto';
import { RESTJSONErrorCodes as ErrorCodes, type APIEmbed } from 'discord.js';
import type { BotContext } from '../bot-options.ts';
import type { NamingMessage } from '../bot-records.ts';
import { discordCode } from '../discord-error.ts';
import { nonceTrustMs } from '../limits.ts';
import { loggable } from '../loggable.ts';
import type { GuildContexts } from './guild-contexts.ts';
import type { EndMessage, JobConfig, KeptContent, Message, Next, OnceMessage } from './job.ts';
import type { NameRemoval } from './name-removal.ts';
import type { Pause } from './pause.ts';
import { channelRefusal, failureOf } from './refusal.ts';
import { nonceOf, type Sender } from './sender.ts';
import type { ServerReader } from './server-reader.ts';

/** What is stored of a job. */
interface JobRecord {
  /** The kind's own. Left out: it has none yet. */
  state?: unknown;
  /** The message that is kept up to date, and a hash of what it shows. */
  kept: { messageId: string; digest: string } | null;
  /** The standing messages' ids on Discord, by the ids that the kind gave them. */
  standing: Readonly<Record<string, string>>;
  /** The message that is being sent, stored before each attempt. */
  inDoubt: InDoubt | null;
}

interface InDoubt {
  id: string;
  event: number;
  /** The time of the first attempt, epoch milliseconds. */
  since: number;
  /** Whom any attempt named: one of them may be hidden or forgotten by now, and the first attempt be the one that arrived. */
  players: readonly number[];
}

/** What all jobs share. */
export interface SharedByJobs extends BotContext {
  contexts: GuildContexts;
  servers: ServerReader;
  sender: Sender;
  removal: NameRemoval;
  /** Ends requests. */
  signal: AbortSignal;
}

/**
 * The messages of one job, and its record. One message may be kept up to date. A message that is sent once goes through these
 * states:
 *
 * - new: nothing of it is stored.
 * - in doubt: stored with the time of the first attempt, which goes out next. It is in doubt until Discord answers. Each attempt
 *   has the same nonce, so Discord posts it once.
 * - sent: it is in the ledger if it names players, and the state after it is stored.
 * - left out: Discord refused what it says, or gave no answer for three minutes. The state after it is stored.
 *
 * Where Discord refuses the channel, or does not take the message now, it is new again, and the job pauses. All methods that write
 * throw the client's errors, and those of the store.
 * @param name for log lines
 */
export function createJobMessages(
  shared: SharedByJobs,
  pause: Pause,
  { key, channelId }: JobConfig,
  name: string,
) {
  const { keyv, now, monotonic, heartbeatMs, sender, removal } = shared;
  const log = shared.log.child({ channelId });
  /** It says what the channel shows, even where it could not be stored. */
  let record: JobRecord = { kept: null, standing: {}, inDoubt: null };
  /** The record as it is stored. Null: not read yet. */
  let stored: string | null = null;
  /** When the kept message was last seen in the channel, by the monotonic clock. */
  let seenAt = -Infinity;
  /** A kept message that was deleted, and not made again yet. */
  let goneId: string | null = null;
  /** A message that was sent, and is not in the ledger yet. */
  let unlisted: NamingMessage | null = null;

  /** Reads the record, once. */
  async function read(): Promise<void> {
    if (stored !== null) return;
    const before = await keyv.get<JobRecord>(key);
    record = { ...record, ...before };
    stored = JSON.stringify(before ?? record);
  }

  /** Stores what has changed, and this, which does not count where that fails. */
  async function save(changed: Partial<JobRecord> = {}): Promise<void> {
    const next = { ...record, ...changed };
    const text = JSON.stringify(next);
    if (text !== stored) {
      // Without an error listener, Keyv may return false instead of throwing.
      if (!(await keyv.set(key, next))) throw new Error('the state was not written');
      stored = text;
    }
    record = next;
  }

  /**
   * Edits the kept message if its content changed or a heartbeat is due, and makes it where there is none. Stores nothing.
   * @param state after it; left out: as before
   */
  async function show({ draw, ...content }: KeptContent, state = record.state): Promise<void> {
    const digest = digestOf(content.embed, now());
    const isFresh = monotonic() - seenAt < heartbeatMs;
    if (record.kept?.digest !== digest || !isFresh) {
      const message: Message = { ...content, picture: (await draw?.()) ?? null };
      const messageId = (await editKept(message)) ?? (await makeKept(message));
      pause.end();
      seenAt = monotonic();
      change({ kept: { messageId, digest } });
    }
    change({ state });
  }

  async function deleteKept(): Promise<void> {
    if (record.kept === null) return;
    await sender.delete(channelId, record.kept.messageId);
    seenAt = -Infinity;
    await save({ kept: null });
  }

  /** Messages were deleted. @returns whether the kept one is newly among them */
  function noticeDeleted(messageIds: readonly string[]): boolean {
    const id = record.kept?.messageId;
    if (id === undefined || id === goneId || !messageIds.includes(id)) return false;
    goneId = id;
    seenAt = -Infinity;
    return true;
  }

  async function send(message: OnceMessage, { state, unsent = record.state }: Next<unknown>): Promise<void> {
    const { id, event, players = [], forModerators = false } = message;
    const before = record.inDoubt;
    const doubt = before?.id === id && before.event === event ? before : null;
    const named = [...new Set([...(doubt?.players ?? []), ...players])];
    let messageId: string | null = null;
    if (doubt !== null && now() - doubt.since > nonceTrustMs)
      log.warn(`${name}: Discord gave no answer for a message; it may have arrived, so it is not sent again`);
    else {
      const inDoubt = { id, event, since: doubt?.since ?? now(), players: named };
      await save({ state: unsent, inDoubt });
      messageId = await attempt(message, doubt === null);
    }
    if (messageId !== null && named.length > 0)
      unlisted = { channelId, messageId, players: named, forModerators };
    if (messageId !== null && message.as === 'standing')
      change({ standing: { ...record.standing, [id]: messageId } });
    change({ state, inDoubt: null });
    await storeSent();
  }

  /** Edits a standing message a last time, if it is still there. */
  async function end(message: EndMessage, { state, unsent = record.state }: Next<unknown>): Promise<void> {
    const { [message.id]: messageId, ...standing } = record.standing;
    const edit = async (): Promise<void> => {
      if (messageId === undefined) return;
      await sender.edit(channelId, messageId, message).catch((error: unknown) => {
        if (discordCode(error) !== ErrorCodes.UnknownMessage) throw error;
      });
    };
    try {
      await unlessRefused(edit, `${name}: could not edit a message that is over`);
    } catch (error) {
      await save({ state: unsent });
      throw error;
    }
    change({ state, standing });
    await storeSent();
  }

  /** Stores what was sent: first the message in the ledger, then the state after it. */
  async function storeSent(): Promise<void> {
    if (unlisted !== null) await removal.add(unlisted);
    unlisted = null;
    await save();
  }

  function change(changed: Partial<JobRecord>): void {
    record = { ...record, ...changed };
  }

  /** @returns the message's id; null: it is left out */
  async function attempt(message: OnceMessage, isFirst: boolean): Promise<string | null> {
    const nonce = nonceOf(key, message.id, message.event);
    try {
      const create = async (): Promise<string> => await sender.create(channelId, message, nonce);
      return await unlessRefused(create, `Discord refused a message of the ${name}; it is left out`);
    } catch (error) {
      // This attempt did not arrive. An earlier one may have.
      if (failureOf(error) !== 'unknown' && isFirst) await save({ inDoubt: null });
      throw error;
    }
  }

  /** Null: Discord refused what the message says, which is logged. */
  async function unlessRefused<T>(write: () => Promise<T>, problem: string): Promise<T | null> {
    try {
      const written = await write();
      pause.end();
      return written;
    } catch (error) {
      if (failureOf(error) !== 'refused' || channelRefusal(error) !== null) throw error;
      log.warn({ error: loggable(error) }, problem);
      return null;
    }
  }

  /** @returns the message's id; null: there is none to edit */
  async function editKept(message: Message): Promise<string | null> {
    const { messageId } = record.kept ?? {};
    if (messageId === undefined || messageId === goneId) return null;
    try {
      await sender.edit(channelId, messageId, message);
      return messageId;
    } catch (error) {
      const code = discordCode(error);
      if (code !== ErrorCodes.UnknownMessage && code !== ErrorCodes.CannotEditMessageAuthoredByAnotherUser)
        throw error;
      const why = code === ErrorCodes.UnknownMessage ? 'was deleted' : 'belongs to another bot';
      log.info(`${name}: its message ${why}; posting it again`);
      goneId = messageId;
      return null;
    }
  }

  async function makeKept(message: Message): Promise<string> {
    // It is the same for another attempt, and for the next process, if this one ends before it has stored the message's id.
    const nonce = nonceOf(key, record.kept?.messageId ?? '');
    const messageId = await sender.create(channelId, message, nonce);
    goneId = null;
    return messageId;
  }

  return {
    /** As it was last read or changed. */
    record: (): Readonly<JobRecord> => record,
    /** The kept message; null: there is none, or it may be gone. */
    shownId: (): string | null => (seenAt === -Infinity ? null : (record.kept?.messageId ?? null)),
    read,
    save,
    show,
    deleteKept,
    noticeDeleted,
    /** The kept message may be gone. The next `show` edits it, or makes it again. */
    markUnverified: () => void (seenAt = -Infinity),
    send,
    end,
    storeSent,
  };
}

const relativeTime = /<t:(\d+):R>/g;

/**
 * A hash of an embed that ignores relative times in the past: Discord updates these on screen by itself, so they need no edit.
 * Times in the future, such as the next restart, count.
 */
function digestOf(embed: APIEmbed, now: number): string {
  const text = JSON.stringify(embed).replace(relativeTime, (whole, seconds: string) =>
    Number(seconds) * 1000 <= now ? '<age>' : whole,
  );
  return createHash('sha256').update(text).digest('base64url');
}
