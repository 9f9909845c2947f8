import { avatarOf, botAvatar } from './avatars.js';
import { componentsNode } from './components.js';
import { element } from './dom.js';
import { attachmentNode, embedNode } from './embed.js';
import { markdown } from './markdown.js';
import { clockTime, messageTime } from './time.js';

const groupedWithinMs = 7 * 60_000;
/** Nothing but pictures: Discord draws those large. */
const pictograph = /^(?:\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f|\u200d)*\s*){1,27}$/u;

export function face(user) {
  return user.bot ? botAvatar : avatarOf(user.id, user.name);
}

/** Whether Discord draws a message below the one before it without repeating its author. */
export function isGrouped(message, previous) {
  return (
    previous !== undefined &&
    message.command === null &&
    message.referenceId === null &&
    previous.author.id === message.author.id &&
    previous.ephemeral === message.ephemeral &&
    message.createdAt - previous.createdAt < groupedWithinMs
  );
}

/** Whether a message pings the viewer: Discord marks it. */
function pings({ mentions }, me) {
  if (!mentions) return false;
  return (
    mentions.everyone ||
    mentions.users.includes(me.id) ||
    mentions.roles.some((role) => me.roles.includes(role))
  );
}

function thinking(name) {
  const dots = element(
    'span',
    { className: 'dots', 'aria-hidden': 'true' },
    element('i'),
    element('i'),
    element('i'),
  );
  return element(
    'span',
    { className: 'thinking', 'data-testid': 'thinking' },
    dots,
    `${name} is thinking...`,
  );
}

/**
 * Draws a message. `actions`: use(action, details) for components, dismiss() for a private one.
 * `look`: names of mentions, colours of users, whether it is grouped below the one before.
 */
export function messageNode(message, look, actions) {
  const { author } = message;
  const node = element('discord-message', {
    author: author.name,
    avatar: face(author),
    bot: author.bot,
    'role-color': look.colors[author.id],
    timestamp: look.grouped ? clockTime(message.createdAt) : messageTime(message.createdAt),
    edited: message.editedAt !== null,
    ephemeral: message.ephemeral,
    highlight: pings(message, look.me),
    'message-body-only': look.grouped,
    'data-testid': 'message',
    'data-message-id': message.id,
    'data-author': author.name,
  });
  node.dismissMessageClicked = actions.dismiss;
  if (message.command) {
    node.append(
      element('discord-command', {
        slot: 'reply',
        author: message.command.user.name,
        avatar: avatarOf(message.command.user.id, message.command.user.name),
        'role-color': look.colors[message.command.user.id],
        command: `/${message.command.name}`,
      }),
    );
  }
  if (message.loading) node.append(thinking(author.name));
  else if (message.failure) node.append(element('span', { className: 'failure' }, message.failure));
  else if (message.content !== '') {
    const className = pictograph.test(message.content) ? 'emoji-only' : 'content';
    node.append(
      element('span', { className, 'data-testid': 'content' }, ...markdown(message.content, look.names)),
    );
  }
  if (message.attachments.length > 0) {
    node.append(element('div', { slot: 'attachments' }, ...message.attachments.map(attachmentNode)));
  }
  for (const embed of message.embeds) node.append(embedNode(embed, look.names));
  const components = componentsNode(message.components, actions.use, look.names);
  if (components) node.append(components);
  return node;
}
