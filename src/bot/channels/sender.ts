import { createHash } from 'node:crypto';
import {
  MessageFlags,
  RESTJSONErrorCodes as ErrorCodes,
  Routes,
  type APIEmbed,
  type APIMessage,
} from 'discord.js';
import { fit } from '../../embeds/limits.ts';
import { noMentions } from '../answers/acknowledgement.ts';
import type { BotContext } from '../bot-options.ts';
import { discordCode } from '../discord-error.ts';
import { notOfDiscord } from '../loggable.ts';
import { lacks, permissionsIn, type MessagePermission } from './channel-permissions.ts';
import type { Message } from './job.ts';
import { EmbedsForbiddenError } from './refusal.ts';

/** The same nonce for the same parts. Discord takes at most 25 characters, and remembers a nonce for a few minutes. */
export function nonceOf(...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 24);
}

export type Sender = ReturnType<typeof createSender>;

/**
 * Writes messages in channels. REST keeps to Discord's limits for a channel: it reads them from the headers of each answer,
 * and lets the requests of a channel wait for one another. All methods throw the client's errors.
 * @param signal ends requests
 */
export function createSender({ rest, gateway }: Pick<BotContext, 'rest' | 'gateway'>, signal: AbortSignal) {
  /** Does what Discord refuses in an archived thread, and reopens that for it. */
  async function inOpenThread(channelId: string, work: () => Promise<unknown>): Promise<unknown> {
    try {
      return await work();
    } catch (error) {
      if (discordCode(error) !== ErrorCodes.InvalidActionOnArchivedThread) throw error;
      await rest.patch(Routes.channel(channelId), { body: { archived: false }, signal }).catch(() => {
        // The thread is locked. Report that it is closed, not the missing permission to reopen it.
        throw error;
      });
      return await work();
    }
  }

  /** The request for a message, without its picture where the bot may not attach files. */
  function requestIn(channelId: string, message: Message): ReturnType<typeof requestOf> {
    const granted = permissionsIn(gateway.channel(channelId));
    const isDenied = (name: MessagePermission): boolean =>
      granted !== null && lacks(granted.permissions, name);
    // Discord would take the message and drop its embed: an alert would be a mention without words, a post only a button.
    if (isDenied('Embed Links')) throw new EmbedsForbiddenError('the bot lacks Embed Links in the channel');
    return requestOf(isDenied('Attach Files') ? { ...message, picture: null } : message);
  }

  return {
    /** Returns the message's id. While Discord remembers the nonce, a second attempt posts no second message. */
    async create(channelId: string, message: Message, nonce: string): Promise<string> {
      const { body, files } = requestIn(channelId, message);
      const unique = { ...body, nonce, enforce_nonce: true };
      return idOf(await rest.post(Routes.channelMessages(channelId), { body: unique, files, signal }));
    },
    async edit(channelId: string, messageId: string, message: Message): Promise<void> {
      const route = Routes.channelMessage(channelId, messageId);
      const request = { ...requestIn(channelId, message), signal };
      idOf(await inOpenThread(channelId, () => rest.patch(route, request)));
    },
    /** Deletes a message, if it is still there. */
    async delete(channelId: string, messageId: string): Promise<void> {
      const route = Routes.channelMessage(channelId, messageId);
      await inOpenThread(channelId, () => rest.delete(route, { signal })).catch((error: unknown) => {
        if (discordCode(error) !== ErrorCodes.UnknownMessage) throw error;
      });
    },
  };
}

/** @throws where something else than Discord answered */
function idOf(answer: unknown): string {
  const { id } = Object(answer) as Partial<APIMessage>;
  if (typeof id !== 'string') throw new Error(notOfDiscord);
  return id;
}

function requestOf({ embed: whole, links = [], picture, shows, roleId }: Message) {
  const [embed] = fit([whole]) as [APIEmbed];
  if (shows === 'text') {
    const text = { content: embed.description, flags: MessageFlags.SuppressEmbeds };
    return { body: { ...text, components: links, allowed_mentions: noMentions }, files: [] };
  }
  const mention =
    roleId === undefined
      ? // An edit without content would keep the names in it.
        { content: '', allowed_mentions: noMentions }
      : {
          // Notifications of phones leave embeds out.
          content: `<@&${roleId}> ${embed.title ?? ''}`,
          allowed_mentions: { parse: [], roles: [roleId] },
        };
  const body = { components: links, ...mention };
  if (!picture) return { body: { ...body, embeds: [embed], attachments: [] }, files: [] };
  const { name: filename, data, alt: description = '' } = picture;
  return {
    body: {
      ...body,
      embeds: shows === 'picture' ? [] : [{ ...embed, image: { url: `attachment://${filename}` } }],
      attachments: [{ id: '0', filename, description }],
    },
    files: [{ name: filename, data, contentType: 'image/png' }],
  };
}
