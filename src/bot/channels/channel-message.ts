import type { APIEmbed } from 'discord.js';
import type { Row } from '../../commands/command.ts';
import type { Picture } from '../../commands/ports/ports.ts';
import { noMentions } from '../answers/acknowledgement.ts';

/** A message that the bot writes on its own. */
export interface ChannelMessage {
  /** At least one. */
  embeds: readonly APIEmbed[];
  /** Link buttons. */
  links?: readonly Row[] | undefined;
  /** Shown in the first embed, if the bot may attach files. */
  picture?: Picture | null | undefined;
  /** The only one whom the message mentions. */
  roleId?: string | undefined;
}

/** The request for a message, as Discord takes it. */
export function requestOf({ embeds: [first, ...others], links = [], picture, roleId }: ChannelMessage) {
  const mention =
    roleId === undefined
      ? // An edit without content would keep the names in it.
        { content: '', allowed_mentions: noMentions }
      : {
          // Notifications of phones leave embeds out.
          content: `<@&${roleId}> ${first?.title ?? ''}`,
          allowed_mentions: { parse: [], roles: [roleId] },
        };
  const body = { components: links, ...mention };
  if (!picture) return { body: { ...body, embeds: [first, ...others], attachments: [] }, files: [] };
  const { name: filename, data, alt: description = '' } = picture;
  const embeds = [{ ...first, image: { url: `attachment://${filename}` } }, ...others];
  const attachments = [{ id: '0', filename, description }];
  return {
    body: { ...body, embeds, attachments },
    files: [{ name: filename, data, contentType: 'image/png' }],
  };
}
