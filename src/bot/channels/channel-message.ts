import type { Outgoing } from './job.ts';
import { noMentions } from '../answers/acknowledgement.ts';

/** What a message says, whichever way it is delivered. */
export type ChannelMessage = Pick<Outgoing, 'embed' | 'links' | 'picture' | 'roleId'>;

/** The request for a message, as Discord takes it. */
export function requestOf({ embed, links = [], picture, roleId }: ChannelMessage) {
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
      embeds: [{ ...embed, image: { url: `attachment://${filename}` } }],
      attachments: [{ id: '0', filename, description }],
    },
    files: [{ name: filename, data, contentType: 'image/png' }],
  };
}
