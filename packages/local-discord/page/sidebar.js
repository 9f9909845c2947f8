import { acronym, avatarOf, botAvatar } from './avatars.js';
import { element } from './dom.js';

/** The server's rail, its channels, its members, and what the demo has to tell. */

export function drawGuilds(container, guilds, openId, onOpen) {
  container.replaceChildren(
    ...guilds.map((guild) =>
      element(
        'button',
        {
          className: 'guild',
          type: 'button',
          title: guild.name,
          'aria-current': String(guild.id === openId),
          'data-testid': `guild-${guild.id}`,
          onclick: () => onOpen(guild.id),
        },
        acronym(guild.name),
      ),
    ),
  );
}

export function drawChannels(container, guild, openId, unread, onOpen) {
  container.replaceChildren(
    element('div', { className: 'channel-category' }, 'Text channels'),
    ...guild.channels.map((channel) =>
      element(
        'button',
        {
          className: `channel${unread.has(channel.id) ? ' unread' : ''}`,
          type: 'button',
          'aria-current': String(channel.id === openId),
          'data-testid': `channel-${channel.name}`,
          onclick: () => onOpen(channel.id),
        },
        channel.name,
      ),
    ),
  );
}

function member(name, avatar, status, activity, color, isBot) {
  return element(
    'div',
    { className: 'member' },
    element(
      'div',
      { className: 'member-face' },
      element('img', { src: avatar, alt: '' }),
      element('span', { className: `member-status ${status}`, title: status }),
    ),
    element(
      'div',
      { className: 'member-text' },
      element(
        'div',
        { className: 'member-name', style: color ? `color: ${color}` : null },
        name,
        isBot ? element('span', { className: 'tag' }, 'App') : null,
      ),
      activity
        ? element('div', { className: 'member-activity', 'data-testid': 'bot-activity' }, activity)
        : null,
    ),
  );
}

export function drawMembers(container, world) {
  const { bot, personas } = world;
  container.replaceChildren(
    element('h3', {}, `Online — ${personas.length + (bot.online ? 1 : 0)}`),
    member(
      bot.name,
      botAvatar,
      bot.online ? bot.status : 'offline',
      bot.activity ?? (bot.online ? null : 'Offline'),
      null,
      true,
    ),
    ...personas.map((one) =>
      member(one.displayName, avatarOf(one.id, one.displayName), 'online', one.role, one.color, false),
    ),
  );
}

export function drawNotices(container, world) {
  if (!world.introduction && world.notices.length === 0) return container.replaceChildren();
  container.replaceChildren(
    element('h3', {}, world.title),
    ...(world.introduction ? [element('p', {}, world.introduction)] : []),
    ...world.notices.map((notice, index) =>
      element(
        'div',
        { className: 'notice', 'data-testid': `notice-${index}` },
        element(
          'div',
          { className: 'notice-head' },
          notice.label,
          notice.copyable ? copyButton(notice.text) : null,
        ),
        element(
          notice.copyable ? 'pre' : 'p',
          { className: notice.copyable ? 'notice-text' : 'notice-plain' },
          notice.text,
        ),
      ),
    ),
  );
}

function copyButton(text) {
  const button = element('button', {
    className: 'copy',
    type: 'button',
    onclick: async () => {
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = 'Copied';
      } catch {
        button.textContent = 'Select and copy';
      }
      setTimeout(() => (button.textContent = 'Copy'), 1500);
    },
  });
  button.textContent = 'Copy';
  return button;
}
