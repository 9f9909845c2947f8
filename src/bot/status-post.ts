import { randomBytes } from 'node:crypto';
import type { REST } from '@discordjs/rest';
import { Routes, type APIEmbed, type APIMessage } from 'discord.js';
import type { Keyv } from 'keyv';
import type { Logger } from 'pino';
import type { Client } from '../api/client-types.ts';
import { readStatus } from '../commands/read-status.ts';
import { readBranding } from '../commands/replies.ts';
import { fit } from '../embeds/limits.ts';
import { statusEmbed, statusUnavailableEmbed } from '../embeds/status.ts';
import type { Language } from '../locales/language.ts';
import { noMentions } from './acknowledgement.ts';
import { discordCode, discordErrors, httpStatus, loggable } from './discord-error.ts';
import { digestOf } from './post-digest.ts';

export interface StatusPostOptions {
  rest: REST;
  client: Client;
  keyv: Keyv;
  log: Logger;
  now: () => number;
  language: Language;
  channelId: string;
  servers: readonly string[];
  /** Under which its message is kept over restarts. `keyv` must throw when it fails. */
  key: string;
  /** An unchanged message is edited again after this long, so that its age is told anew. */
  heartbeatMs: number;
  /** After a refusal of the channel, the next attempt is made no sooner. */
  retryMs: number;
  /** A kept answer of the service older than this is shown as "could not check". */
  staleAfterMs: number;
  signal: AbortSignal;
}

export interface StatusPost {
  /** Brings the message up to date; while it does so already, waits for that. Never rejects. */
  run(): Promise<void>;
}

interface PostState {
  messageId: string;
  digest: string;
  /** Epoch milliseconds, as all times here. */
  editedAt: number;
  /** When the service last answered. */
  answeredAt: number | null;
}

const refusals = new Map<number, string>([
  [discordErrors.unknownChannel, 'the channel does not exist'],
  [discordErrors.missingAccess, 'the bot may not see the channel'],
  [discordErrors.missingPermission, 'the bot may not send messages with embeds in the channel'],
]);

/** One message that tells the state of servers and is edited in place. */
export function createStatusPost(options: StatusPostOptions): StatusPost {
  const { rest, client, keyv, now, language, channelId, key, signal } = options;
  const log = options.log.child({ channelId });
  let running: Promise<void> | null = null;
  /** Null: not read yet. Keyv is only there for the next process. */
  let kept: { state: PostState | undefined; saved: boolean } | null = null;
  let saveFailing = false;
  let answeredAt: number | null = null;
  let pausedUntil = 0;
  let failing = false;

  /** Null: there is nothing better to show than what stands there. */
  async function render(state: PostState | undefined): Promise<APIEmbed[] | null> {
    const branding = await readBranding(client);
    const unavailable = () =>
      fit([statusUnavailableEmbed(language, branding, answeredAt ?? state?.answeredAt ?? null)]);
    try {
      const answer = await client.listServers();
      answeredAt = answer.receivedAt;
      if (answer.stale) return now() - answer.receivedAt > options.staleAfterMs ? unavailable() : null;
      const byId = new Map(answer.data.servers.map((server) => [server.id, server]));
      const servers = options.servers.map((id) => byId.get(id)).filter((server) => server !== undefined);
      const view = await readStatus(client, { ...answer, data: servers });
      const missing = options.servers.length - servers.length;
      return fit([statusEmbed(language, branding, { ...view, missing, updating: true }, now())]);
    } catch (error) {
      log.warn({ error: loggable(error) }, 'status post: the service gives no state of the servers');
      return unavailable();
    }
  }

  const bodyOf = (embeds: APIEmbed[]) => ({ embeds, allowed_mentions: noMentions });

  async function create(embeds: APIEmbed[]): Promise<string> {
    // A request that is repeated because its answer was lost posts no second message.
    const nonce = randomBytes(12).toString('hex');
    const body = { ...bodyOf(embeds), nonce, enforce_nonce: true };
    const message = (await rest.post(Routes.channelMessages(channelId), { body, signal })) as APIMessage;
    return message.id;
  }

  /** Id of the message that shows `embeds` now: the same one, or a new one when it was deleted. */
  async function show(embeds: APIEmbed[], messageId: string | undefined): Promise<string> {
    if (messageId === undefined) return await create(embeds);
    try {
      await rest.patch(Routes.channelMessage(channelId, messageId), { body: bodyOf(embeds), signal });
      return messageId;
    } catch (error) {
      if (discordCode(error) !== discordErrors.unknownMessage) throw error;
      log.info('status post: its message was deleted, posting anew');
      return await create(embeds);
    }
  }

  function report(error: unknown): void {
    const refusal = refusals.get(discordCode(error) ?? 0);
    if (refusal !== undefined || httpStatus(error) === 401) {
      pausedUntil = now() + options.retryMs;
      const minutes = Math.round(options.retryMs / 60_000);
      log.error(
        `status post given up: ${refusal ?? 'Discord refuses the token'}; next attempt in ${minutes} minutes`,
      );
    } else if (!failing) {
      log.warn(
        { error: loggable(error) },
        'status post could not be updated; it is tried again with every run',
      );
    }
    failing = true;
  }

  /** Writes down what the next process has to know. Until it works, it is tried with every run. */
  async function save(): Promise<void> {
    if (kept === null || kept.saved) return;
    try {
      // Where nobody listens for its errors, it may also say false.
      kept.saved = await keyv.set(key, kept.state);
      if (!kept.saved) throw new Error('the value was not written');
      saveFailing = false;
    } catch (error) {
      if (!saveFailing) {
        log.warn(
          { error: loggable(error) },
          'status post: the id of its message could not be kept; a restart now would post a second one',
        );
      }
      saveFailing = true;
    }
  }

  async function update(): Promise<void> {
    kept ??= { state: (await keyv.get(key)) as PostState | undefined, saved: true };
    await save();
    const { state } = kept;
    const embeds = await render(state);
    if (embeds === null || signal.aborted) return;
    const digest = digestOf(embeds, now());
    const due = state === undefined || now() - state.editedAt >= options.heartbeatMs;
    if (!due && state.digest === digest) return;
    const messageId = await show(embeds, state?.messageId);
    if (failing) log.info('status post works again');
    failing = false;
    kept = { state: { messageId, digest, editedAt: now(), answeredAt }, saved: false };
    await save();
  }

  async function attempt(): Promise<void> {
    try {
      await update();
    } catch (error) {
      if (!signal.aborted) report(error);
    }
  }

  return {
    async run() {
      if (now() < pausedUntil || signal.aborted) return;
      running ??= attempt().finally(() => (running = null));
      await running;
    },
  };
}
