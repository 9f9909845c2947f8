import { createHash } from 'node:crypto';
import type { RawFile, REST } from '@discordjs/rest';
import { Routes, type APIMessage } from 'discord.js';
import type { Keyv } from 'keyv';
import type { PostFailure, PostStatus } from '../../../commands/placements.ts';
import type { Language } from '../../../locales/language.ts';
import { noMentions } from '../../answers/acknowledgement.ts';
import { channelRefusal, isPaused, pauseAfter, stoppedText, type ChannelPause } from '../channel-refusal.ts';
import { discordCode, discordErrors } from '../../discord-error.ts';
import { loggable } from '../../loggable.ts';
import type { BotProject } from '../../shown-project.ts';
import type { EditBudget } from '../edit-budget.ts';
import type { PostConfig } from './post-config.ts';
import { digestOf } from './post-digest.ts';
import { pausedView, postView, type PostSource, type PostView } from './post-view.ts';

/** What a post takes from its guild. */
export interface PostPlace {
  language: Language;
  /** IANA zone of charts; left out: the server's. */
  timezone?: string | undefined;
  isHome: boolean;
  /** The guild is no longer a home guild; the post shows only that. */
  paused: boolean;
  /** The post's servers belong to another project, so nothing is posted. */
  isForeign: boolean;
  /** The project that the guild shows. */
  project: Pick<BotProject, 'client' | 'ports'>;
}

export interface PostOptions extends Omit<PostSource, 'client' | 'ports'> {
  rest: REST;
  monotonic: () => number;
  /** Must throw on failure, so that a failure is not read as "absent". */
  keyv: Keyv;
  budget: EditBudget;
  /** Null: the guild is not available yet, so the language is unknown. */
  placeOf: (post: PostConfig) => PostPlace | null;
  /** An unchanged message is edited after this time, to refresh its age and chart. */
  heartbeatMs: number;
  /** How long to wait after Discord refused a message in the channel. */
  retryMs: number;
  /** Describes the bot's access to a channel. The text changes when the access does. */
  accessOf: (channelId: string) => string;
  /** First delay before a deleted message is posted again. It doubles with each deletion. */
  repostMs: number;
  signal: AbortSignal;
}

/** One message that is edited in place. */
export interface Post {
  /** Updates the message, or waits for a running update. Never rejects. */
  run(): Promise<void>;
  status(): PostStatus;
  /** Whether a post that was refused, or that waited for its guild, can be tried again now. */
  canRetry(): boolean;
  /** Reports deleted messages. If this post's message is among them, resolves with the delay before it is posted again, else null. */
  deleted(messageIds: readonly string[]): Promise<{ waitMs: number } | null>;
  /** The message may be gone. The next run edits it, or posts it again. */
  markUnverified(): void;
  /** Ends the post and deletes its state, with `deleting` its message too. Never rejects. */
  forget(options?: { deleting: boolean }): Promise<void>;
}

interface PostState {
  messageId: string;
  digest: string;
  /** When the service last answered, epoch milliseconds. */
  answeredAt: number | null;
}

/** Creates a post. Nothing happens before the first `run()`. */
export function createPost(config: PostConfig, options: PostOptions): Post {
  const { rest, keyv, now, monotonic, budget, signal } = options;
  const { channelId, key, content } = config;
  const log = options.log.child({ channelId });
  const name = `${content.kind} post`;
  let running: Promise<void> | null = null;
  /** Null: not read yet. It is stored for the next process only. */
  let kept: { state: PostState | undefined; saved: boolean } | null = null;
  let saveFailing = false;
  const answers = { at: null as number | null };
  let pause: ChannelPause | null = null;
  /** Set while the post goes without its chart, because the bot may not attach files. */
  let pictureless: ChannelPause | null = null;
  /** By the monotonic clock. Null: the message may be gone. */
  let editedAt: number | null = null;
  let isDeleted = false;
  /** Recent deletions. A moderation bot may delete every new message. */
  let deletions = { count: 0, at: -Infinity };
  let waitsForGuild = false;
  let failing: PostFailure | null = null;
  let forgotten = false;

  function bodyOf({ embeds: [first, ...others], picture, links: components }: PostView): {
    body: object;
    files: RawFile[];
  } {
    const body = { components, allowed_mentions: noMentions };
    if (picture === null)
      return { body: { ...body, embeds: [first, ...others], attachments: [] }, files: [] };
    const { name: filename, data, alt: description = '' } = picture;
    const embeds = [{ ...first, image: { url: `attachment://${filename}` } }, ...others];
    const attachments = [{ id: '0', filename, description }];
    return {
      body: { ...body, embeds, attachments },
      files: [{ name: filename, data, contentType: 'image/png' }],
    };
  }

  /**
   * The nonce of the message that follows another one. It is the same for a retry, and for the next process where this one is
   * killed before it stores the message's id: while Discord remembers it, no second message is posted.
   */
  const nonceAfter = (previousId = ''): string =>
    createHash('sha256').update(`${key} ${previousId}`).digest('hex').slice(0, 24);

  async function create(view: PostView): Promise<string> {
    const { body, files } = bodyOf(view);
    const unique = { nonce: nonceAfter(kept?.state?.messageId), enforce_nonce: true };
    const route = Routes.channelMessages(channelId);
    const message = (await rest.post(route, { body: { ...body, ...unique }, files, signal })) as APIMessage;
    return message.id;
  }

  /** Edits the message. Reopens an archived thread first. */
  async function edit(view: PostView, messageId: string): Promise<void> {
    const patch = () => rest.patch(Routes.channelMessage(channelId, messageId), { ...bodyOf(view), signal });
    try {
      await patch();
    } catch (error) {
      if (discordCode(error) !== discordErrors.threadArchived) throw error;
      await rest.patch(Routes.channel(channelId), { body: { archived: false }, signal }).catch(() => {
        // The thread is locked. Report that it is closed, not the missing permission to reopen it.
        throw error;
      });
      await patch();
    }
  }

  /** Shows `view` and returns the message's id: the same one, or a new one if the message was deleted. */
  async function show(view: PostView, messageId: string | undefined): Promise<string> {
    await budget.turn(channelId, signal);
    if (messageId === undefined) return await create(view);
    try {
      await edit(view, messageId);
      return messageId;
    } catch (error) {
      const code = discordCode(error);
      if (code !== discordErrors.unknownMessage && code !== discordErrors.otherAuthor) throw error;
      const why = code === discordErrors.unknownMessage ? 'was deleted' : 'belongs to another bot';
      log.info(`${name}: its message ${why}; posting it again`);
      return await create(view);
    }
  }

  async function showWithPictureIfAllowed(view: PostView, messageId: string | undefined): Promise<string> {
    if (view.picture === null) return await show(view, messageId);
    const bare = { ...view, picture: null };
    const before = options.accessOf(channelId);
    if (isPaused(pictureless, monotonic(), () => before)) return await show(bare, messageId);
    try {
      return await show(view, messageId);
    } catch (error) {
      if (discordCode(error) !== discordErrors.missingPermission) throw error;
      const shown = await show(bare, messageId);
      pictureless = pauseAfter('noPermission', error, { ...options, monotonic: monotonic(), before });
      log.warn(`${name} has no chart: the bot may not attach files in the channel`);
      return shown;
    }
  }

  function report(error: unknown, before: string): void {
    const refusal = channelRefusal(error);
    if (refusal !== null) {
      pause = pauseAfter(refusal, error, { ...options, monotonic: monotonic(), before });
      const text = `${name} ${stoppedText(refusal, pause)}`;
      if (failing === refusal) log.debug(text);
      else if (refusal === 'editedTooOften') log.warn(text);
      else log.error(text);
    } else if (failing === null) {
      log.warn({ error: loggable(error) }, `could not update the ${name}; the bot retries with every run`);
    }
    failing = refusal ?? 'other';
  }

  /** Stores the state for the next process. A failed save is retried with every run. */
  async function save(): Promise<void> {
    if (kept === null || kept.saved || forgotten) return;
    try {
      // Without an error listener, Keyv may return false instead of throwing.
      kept.saved = await keyv.set(key, kept.state);
      if (!kept.saved) throw new Error('the value was not written');
      saveFailing = false;
    } catch (error) {
      if (!saveFailing) {
        log.warn(
          { error: loggable(error) },
          `${name}: could not save the message id; a restart now would post a second message`,
        );
      }
      saveFailing = true;
    }
  }

  /** Takes the message away: what it shows is none of this guild's. */
  async function withdraw(messageId: string | undefined): Promise<void> {
    failing = 'otherProject';
    if (messageId === undefined || isDeleted) return;
    await budget.turn(channelId, signal);
    await rest.delete(Routes.channelMessage(channelId, messageId), { signal }).catch((error: unknown) => {
      if (discordCode(error) !== discordErrors.unknownMessage) throw error;
    });
    isDeleted = true;
    editedAt = null;
  }

  const isHeartbeatDue = (): boolean => editedAt === null || monotonic() - editedAt >= options.heartbeatMs;

  async function update(): Promise<void> {
    kept ??= { state: (await keyv.get(key)) as PostState | undefined, saved: true };
    await save();
    const { state } = kept;
    answers.at ??= state?.answeredAt ?? null;
    const place = options.placeOf(config);
    waitsForGuild = place === null;
    if (place === null) return;
    if (place.isForeign) return await withdraw(state?.messageId);
    const view = place.paused
      ? pausedView(place.language)
      : await postView({ ...options, ...place.project, log }, content, { ...place, answers });
    if (view === null || signal.aborted || forgotten) return;
    const digest = digestOf(view.embeds, now());
    if (state?.digest === digest && !isHeartbeatDue()) return;
    const previousId = isDeleted ? undefined : state?.messageId;
    isDeleted = false;
    const messageId = await showWithPictureIfAllowed(view, previousId).catch((error: unknown) => {
      isDeleted ||= previousId === undefined;
      throw error;
    });
    if (failing !== null) log.info(`${name} works again`);
    failing = null;
    editedAt = monotonic();
    kept = { state: { messageId, digest, answeredAt: answers.at }, saved: false };
    await save();
  }

  const pauses = (): boolean => isPaused(pause, monotonic(), () => options.accessOf(channelId));

  async function attempt(): Promise<void> {
    const before = options.accessOf(channelId);
    try {
      await update();
    } catch (error) {
      if (!signal.aborted && !forgotten) report(error, before);
    }
  }

  return {
    async run() {
      if (pauses() || signal.aborted || forgotten) return;
      running ??= attempt().finally(() => (running = null));
      await running;
    },
    status() {
      if (failing !== null) return { state: 'failing', reason: failing };
      const messageId = kept?.state?.messageId;
      if (messageId === undefined || editedAt === null) return { state: 'waiting' };
      return { state: 'shown', messageId };
    },
    canRetry: () => waitsForGuild || (pause !== null && failing !== null && !pauses()),
    async deleted(messageIds) {
      // A running update may have noticed the deletion and posted the message again.
      await running;
      const messageId = kept?.state?.messageId;
      if (isDeleted || messageId === undefined || !messageIds.includes(messageId)) return null;
      isDeleted = true;
      editedAt = null;
      const isRecent = monotonic() - deletions.at < options.retryMs;
      deletions = { count: isRecent ? deletions.count + 1 : 1, at: monotonic() };
      const waitMs = Math.min(options.repostMs * 2 ** (deletions.count - 1), options.heartbeatMs);
      pause = { ms: waitMs, until: monotonic() + waitMs, access: null };
      log.info(`${name}: its message was deleted; posting it again in ${Math.ceil(waitMs / 1000)} s`);
      return { waitMs };
    },
    markUnverified() {
      editedAt = null;
    },
    async forget({ deleting } = { deleting: false }) {
      forgotten = true;
      await running;
      const messageId = kept?.state?.messageId;
      if (deleting && messageId !== undefined) {
        await rest.delete(Routes.channelMessage(channelId, messageId), { signal }).catch((error: unknown) => {
          log.info({ error: loggable(error) }, `${name}: could not delete its message`);
        });
      }
      await keyv.delete(key).catch((error: unknown) => {
        log.warn({ error: loggable(error) }, `${name}: could not delete its state`);
        return false;
      });
    },
  };
}
