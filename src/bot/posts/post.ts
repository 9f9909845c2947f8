import { randomBytes } from 'node:crypto';
import type { RawFile, REST } from '@discordjs/rest';
import { Routes, type APIMessage } from 'discord.js';
import type { Keyv } from 'keyv';
import type { PostFailure, PostStatus } from '../../commands/placements.ts';
import type { Language } from '../../locales/language.ts';
import { noMentions } from '../acknowledgement.ts';
import { channelRefusal, pauseAfter, refusalReasons } from '../channel-refusal.ts';
import { discordCode, discordErrors, loggable } from '../discord-error.ts';
import type { EditBudget } from './edit-budget.ts';
import type { PostConfig } from './post-config.ts';
import { digestOf } from './post-digest.ts';
import { pausedView, postView, type PostSource, type PostView } from './post-view.ts';

/** What the guild of a post decides. */
export interface PostPlace {
  language: Language;
  /** IANA zone of charts; left out: the server's. */
  timezone?: string | undefined;
  /** The guild is no home guild any more: the post says so and shows nothing else. */
  paused: boolean;
}

export interface PostOptions extends PostSource {
  rest: REST;
  monotonic: () => number;
  /** Must throw when it fails: that is not "absent". */
  keyv: Keyv;
  budget: EditBudget;
  placeOf: (post: PostConfig) => PostPlace;
  /** An unchanged message is edited again after this long, so that its age and chart are told anew. */
  heartbeatMs: number;
  /** After a refusal of the channel, the next attempt is made no sooner. */
  retryMs: number;
  signal: AbortSignal;
}

/** One message that is edited in place. */
export interface Post {
  /** Brings the message up to date; while it does so already, waits for that. Never rejects. */
  run(): Promise<void>;
  status(): PostStatus;
  /** Forgets its message, for good; deletes it too where that is asked for. Never rejects. */
  forget(options?: { deleting: boolean }): Promise<void>;
}

interface PostState {
  messageId: string;
  digest: string;
  /** Epoch milliseconds. */
  editedAt: number;
  /** When the service last answered, epoch milliseconds. */
  answeredAt: number | null;
}

/** Keeps one message up to date. */
export function createPost(config: PostConfig, options: PostOptions): Post {
  const { rest, keyv, now, monotonic, budget, signal } = options;
  const { channelId, key, content } = config;
  const log = options.log.child({ channelId });
  const name = `${content.kind} post`;
  let running: Promise<void> | null = null;
  /** Null: not read yet. Keyv is only there for the next process. */
  let kept: { state: PostState | undefined; saved: boolean } | null = null;
  let saveFailing = false;
  const answers = { at: null as number | null };
  /** By the monotonic clock, as the next two. */
  let pausedUntil = -Infinity;
  /** Without the right to attach files, a post does without its chart. */
  let withoutPictureUntil = -Infinity;
  /** Null: this process has not edited the message. */
  let editedAt: number | null = null;
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

  async function create(view: PostView): Promise<string> {
    const { body, files } = bodyOf(view);
    // A request that is repeated because its answer was lost posts no second message.
    const unique = { nonce: randomBytes(12).toString('hex'), enforce_nonce: true };
    const route = Routes.channelMessages(channelId);
    const message = (await rest.post(route, { body: { ...body, ...unique }, files, signal })) as APIMessage;
    return message.id;
  }

  /** Id of the message that shows `view` now: the same one, or a new one when it was deleted. */
  async function show(view: PostView, messageId: string | undefined): Promise<string> {
    await budget.turn(channelId, signal);
    if (messageId === undefined) return await create(view);
    try {
      await rest.patch(Routes.channelMessage(channelId, messageId), { ...bodyOf(view), signal });
      return messageId;
    } catch (error) {
      const code = discordCode(error);
      if (code !== discordErrors.unknownMessage && code !== discordErrors.otherAuthor) throw error;
      const why = code === discordErrors.unknownMessage ? 'was deleted' : "is another bot's";
      log.info(`${name}: its message ${why}, posting anew`);
      return await create(view);
    }
  }

  async function showWithPictureIfAllowed(view: PostView, messageId: string | undefined): Promise<string> {
    if (view.picture === null) return await show(view, messageId);
    const bare = { ...view, picture: null };
    if (monotonic() < withoutPictureUntil) return await show(bare, messageId);
    try {
      return await show(view, messageId);
    } catch (error) {
      if (discordCode(error) !== discordErrors.missingPermission) throw error;
      const shown = await show(bare, messageId);
      withoutPictureUntil = monotonic() + options.retryMs;
      log.warn(`${name} goes without its chart: the bot may not attach files in the channel`);
      return shown;
    }
  }

  function report(error: unknown): void {
    const refusal = channelRefusal(error);
    if (refusal !== null) {
      const pause = pauseAfter(refusal, error, options.retryMs);
      pausedUntil = monotonic() + pause;
      const text = `given up: ${refusalReasons[refusal]}; next attempt in ${Math.ceil(pause / 60_000)} minutes`;
      if (refusal === 'editedTooOften') log.warn(`${name} ${text}`);
      else log.error(`${name} ${text}`);
    } else if (failing === null) {
      log.warn({ error: loggable(error) }, `${name} could not be updated; it is tried again with every run`);
    }
    failing = refusal ?? 'other';
  }

  /** Writes down what the next process has to know. Until it works, it is tried with every run. */
  async function save(): Promise<void> {
    if (kept === null || kept.saved || forgotten) return;
    try {
      // Where nobody listens for its errors, it may also say false.
      kept.saved = await keyv.set(key, kept.state);
      if (!kept.saved) throw new Error('the value was not written');
      saveFailing = false;
    } catch (error) {
      if (!saveFailing) {
        log.warn(
          { error: loggable(error) },
          `${name}: the id of its message could not be kept; a restart now would post a second one`,
        );
      }
      saveFailing = true;
    }
  }

  function isHeartbeatDue(state: PostState): boolean {
    if (editedAt !== null) return monotonic() - editedAt >= options.heartbeatMs;
    // An earlier process edited it. A moment in the future is of a clock that was set back since.
    const age = now() - state.editedAt;
    return age < 0 || age >= options.heartbeatMs;
  }

  async function update(): Promise<void> {
    kept ??= { state: (await keyv.get(key)) as PostState | undefined, saved: true };
    await save();
    const { state } = kept;
    answers.at ??= state?.answeredAt ?? null;
    const place = options.placeOf(config);
    const view = place.paused
      ? pausedView(place.language)
      : await postView({ ...options, log }, content, { ...place, answers });
    if (view === null || signal.aborted || forgotten) return;
    const digest = digestOf(view.embeds, now());
    if (state?.digest === digest && !isHeartbeatDue(state)) return;
    const messageId = await showWithPictureIfAllowed(view, state?.messageId);
    if (failing !== null) log.info(`${name} works again`);
    failing = null;
    editedAt = monotonic();
    kept = { state: { messageId, digest, editedAt: now(), answeredAt: answers.at }, saved: false };
    await save();
  }

  async function attempt(): Promise<void> {
    try {
      await update();
    } catch (error) {
      if (!signal.aborted && !forgotten) report(error);
    }
  }

  return {
    async run() {
      if (monotonic() < pausedUntil || signal.aborted || forgotten) return;
      running ??= attempt().finally(() => (running = null));
      await running;
    },
    status() {
      if (failing !== null) return { state: 'failing', reason: failing };
      const messageId = kept?.state?.messageId;
      return messageId === undefined ? { state: 'waiting' } : { state: 'shown', messageId };
    },
    async forget({ deleting } = { deleting: false }) {
      forgotten = true;
      await running;
      const messageId = kept?.state?.messageId;
      if (deleting && messageId !== undefined) {
        await rest.delete(Routes.channelMessage(channelId, messageId), { signal }).catch((error: unknown) => {
          log.info({ error: loggable(error) }, `${name}: its message could not be deleted`);
        });
      }
      await keyv.delete(key).catch((error: unknown) => {
        log.warn({ error: loggable(error) }, `${name}: its message could not be forgotten`);
        return false;
      });
    },
  };
}
