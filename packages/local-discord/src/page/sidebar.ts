import { acronym, avatarOf, botAvatar } from './avatars.ts';
import { div, element, link, span } from './dom.ts';
import type { GuildView, StateView } from './protocol.ts';

/** The list of servers, the channels and members of the open one, and the notices of whoever started this. */

type Open = (id: string) => void;

/** A button that opens a server or channel. */
function openButton(className: string, testid: string, text: string, isOpen: boolean, onclick: () => void) {
  const properties = { className, 'aria-current': String(isOpen), 'data-testid': testid };
  return element('button', { ...properties, onclick }, text);
}

export function drawGuilds(
  container: HTMLElement,
  guilds: readonly GuildView[],
  openId: string,
  onOpen: Open,
): void {
  const nodes = guilds.map(({ id, name }) => {
    const node = openButton('guild', `guild-${id}`, acronym(name), id === openId, () => onOpen(id));
    node.title = name;
    return node;
  });
  container.replaceChildren(...nodes);
}

export function drawChannels(
  container: HTMLElement,
  guild: GuildView,
  openId: string,
  unread: ReadonlySet<string>,
  onOpen: Open,
): void {
  const nodes = guild.channels.map(({ id, name }) => {
    const className = `channel${unread.has(id) ? ' unread' : ''}`;
    return openButton(className, `channel-${name}`, name, id === openId, () => onOpen(id));
  });
  container.replaceChildren(div('channel-category', 'Text channels'), ...nodes);
}

interface Member {
  name: string;
  avatar: string;
  status: string;
  activity: string | null;
  color?: string | null;
  isBot?: boolean;
}

function memberNode({ name, avatar, status, activity, color, isBot }: Member): HTMLElement {
  const style = color ? `color: ${color}` : null;
  return div(
    'member',
    div(
      'member-face',
      element('img', { src: avatar, alt: '' }),
      element('span', { className: `member-status ${status}`, title: status }),
    ),
    div(
      'member-text',
      element('div', { className: 'member-name', style }, name, isBot ? span('tag', 'App') : null),
      activity
        ? element('div', { className: 'member-activity', 'data-testid': 'bot-activity' }, activity)
        : null,
    ),
  );
}

export function drawMembers(container: HTMLElement, { bot, personas }: StateView): void {
  container.replaceChildren(
    element('h3', {}, `Online — ${personas.length + (bot.online ? 1 : 0)}`),
    memberNode({
      name: bot.displayName,
      avatar: botAvatar,
      status: bot.online ? bot.status : 'offline',
      activity: bot.activity ?? (bot.online ? null : 'Offline'),
      isBot: true,
    }),
    ...personas.map(({ id, displayName: name, role, color }) =>
      memberNode({ name, avatar: avatarOf(id, name), status: 'online', activity: role, color }),
    ),
  );
}

export function drawNotices(container: HTMLElement, { title, introduction, notices }: StateView): void {
  if (!introduction && notices.length === 0) return container.replaceChildren();
  container.replaceChildren(
    element('h3', {}, title),
    ...(introduction ? [element('p', {}, introduction)] : []),
    ...notices.map(({ label, text, copyable }, index) =>
      element(
        'div',
        { className: 'notice', 'data-testid': `notice-${index}` },
        div('notice-head', label, copyable ? copyButton(text) : null),
        copyable
          ? element('pre', { className: 'notice-text' }, text)
          : element('p', { className: 'notice-plain' }, link(text, 'md-link', text)),
      ),
    ),
  );
}

function copyButton(text: string): HTMLElement {
  const show = (label: string): void => {
    button.textContent = label;
    setTimeout(() => (button.textContent = 'Copy'), 1500);
  };
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => show('Copied'),
      () => show('Select and copy'),
    );
  };
  const button = element('button', { className: 'copy', onclick: copy }, 'Copy');
  return button;
}
