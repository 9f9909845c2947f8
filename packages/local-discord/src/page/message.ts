import { type Message, messageFlag } from '../discord-types.ts';
import { avatarOf, botAvatar } from './avatars.ts';
import { componentsNode, type Use } from './components.ts';
import { element, span } from './dom.ts';
import { attachmentNode, embedNode } from './embed.ts';
import type { Names } from './markdown-inline.ts';
import { markdown } from './markdown.ts';
import { clockTime, messageTime } from './time.ts';

const groupedWithinMs = 7 * 60_000;
/** Nothing but pictures: Discord draws those large. */
const pictograph = /^(?:\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f|\u200d)*\s*){1,27}$/u;

/** A message as the page shows it: the bot's, a member's, or a failure that only the viewer sees. */
export type ShownMessage = Message & { failure?: string };

/** What messages of a channel are drawn with. */
export interface Appearance {
  names: Names;
  /** Colours of names by user id. */
  colors: Record<string, string | null>;
  viewer: { id: string; roles: readonly string[] };
}

const avatar = ({ id, displayName, bot }: Message['author']): string =>
  bot ? botAvatar : avatarOf(id, displayName);

/** The command that a message answers; null where it is no first answer. */
const commandOf = ({ interaction, referenceId }: Message): string | null =>
  referenceId === null ? (interaction?.commandName ?? null) : null;

/** Whether Discord draws a message below the one before it without repeating its author. */
export function isGrouped(message: ShownMessage, previous: ShownMessage | undefined): boolean {
  return (
    previous !== undefined &&
    commandOf(message) === null &&
    message.referenceId === null &&
    previous.author.id === message.author.id &&
    previous.visibleTo === message.visibleTo &&
    message.createdAt - previous.createdAt < groupedWithinMs
  );
}

/** Whether a message pings the viewer: Discord marks it. */
function pings({ mentions }: ShownMessage, viewer: Appearance['viewer']): boolean {
  return (
    mentions.everyone ||
    mentions.users.includes(viewer.id) ||
    mentions.roles.some((role) => viewer.roles.includes(role))
  );
}

function thinking(name: string): HTMLElement {
  const dots = span('dots', element('i'), element('i'), element('i'));
  const properties = { className: 'thinking', 'data-testid': 'thinking' };
  return element('span', properties, dots, `${name} is thinking...`);
}

/**
 * Draws a message. `grouped`: without its author, below the message before it. `use` is called when a component is used,
 * `dismiss` when a private message is.
 */
export function messageNode(
  message: ShownMessage,
  appearance: Appearance,
  { grouped, use, dismiss }: { grouped: boolean; use: Use; dismiss: () => void },
): HTMLElement {
  const { colors, names, viewer } = appearance;
  const { author } = message;
  const { interaction } = message;
  const command = commandOf(message);
  const files = message.attachments.filter(({ embedded }) => !embedded);
  const embeds = message.flags & messageFlag.suppressEmbeds ? [] : message.embeds;
  const node = element(
    'discord-message',
    {
      author: author.displayName,
      avatar: avatar(author),
      bot: author.bot,
      'role-color': colors[author.id],
      timestamp: grouped ? clockTime(message.createdAt) : messageTime(message.createdAt),
      edited: message.editedAt !== null,
      ephemeral: message.visibleTo !== null,
      highlight: pings(message, viewer),
      'message-body-only': grouped,
      'data-testid': 'message',
      'data-message-id': message.id,
      'data-author': author.displayName,
    },
    command !== null && interaction
      ? element('discord-command', {
          slot: 'reply',
          author: interaction.user.displayName,
          avatar: avatar(interaction.user),
          'role-color': colors[interaction.user.id],
          command: `/${command}`,
        })
      : null,
    contentNode(message, names),
    files.length > 0 ? element('div', { slot: 'attachments' }, ...files.map(attachmentNode)) : null,
    ...embeds.map((embed) => embedNode(embed, names)),
    componentsNode(message.components, use),
  );
  return Object.assign(node, { dismissMessageClicked: dismiss });
}

function contentNode({ flags, author, failure, content }: ShownMessage, names: Names): HTMLElement | null {
  if (flags & messageFlag.loading) return thinking(author.displayName);
  if (failure) return span('failure', failure);
  if (content === '') return null;
  const className = pictograph.test(content) ? 'emoji-only' : 'content';
  return element('span', { className, 'data-testid': 'content' }, ...markdown(content, names));
}
