import { type LocalEvent, emptyMessage } from '../discord-types.ts';
import { fetchMessages, fetchState, follow, post } from './api.ts';
import { avatarOf } from './avatars.ts';
import { createComposer } from './composer.ts';
import { byId } from './dom.ts';
import type { Appearance } from './message.ts';
import type { GuildView, StateView } from './protocol.ts';
import { drawChannels, drawGuilds, drawMembers, drawNotices } from './sidebar.ts';
import { applyTheme } from './theme.ts';
import { setTimeLocale } from './time.ts';
import { createTimeline } from './timeline.ts';

/** Some of the languages in which Discord itself can be set. */
const locales = ['en-US', 'de', 'fr', 'es-ES', 'pt-BR', 'ru', 'uk', 'pl'];

/** Who views what in this tab. A reload goes on with it; another tab may act as somebody else. */
const stored = sessionStorage.getItem('local-discord') ?? '{}';
const before = JSON.parse(stored) as Partial<Record<'userId' | 'locale' | 'guildId' | 'channelId', string>>;
let userId = '';
let locale = locales.find((one) => one === before.locale) ?? 'en-US';
let { guildId = '', channelId = '' } = before;
let stopFollowing = (): void => {};
const unread = new Set<string>();
type MessageEvent = Extract<LocalEvent, { type: 'message' | 'messageDeleted' }>;
/** The events of the open channel that came while it was loading; null when it is shown. */
let missed: MessageEvent[] | null = null;
/** Failures are drawn for the viewer who met them, and are gone when the page is. */
let failures = 0;

applyTheme();
let state: StateView = await fetchState(userId);

const guild = (): GuildView | undefined => state.guilds.find((one) => one.id === guildId) ?? state.guilds[0];
const channel = () => guild()?.channels.find((one) => one.id === channelId);
const viewer = () => state.personas.find((one) => one.id === userId);
const sender = () => ({ userId, locale });

const timeline = createTimeline(byId('messages'), byId('scroller'), {
  use(message, action, details) {
    post(action, { ...sender(), messageId: message.id, ...details }).catch((error: unknown) =>
      showFailure(error, message.channelId),
    );
  },
  dismiss(message) {
    if (message.failure !== undefined) timeline.remove(message.id);
    else void post('remove', { ...sender(), channelId: message.channelId, messageId: message.id });
  },
});

const composer = createComposer(byId('composer'), {
  scene: () => ({
    guild: guild(),
    channelId,
    users: state.users,
    botName: state.bot.displayName,
    ...sender(),
  }),
  onCommand(commandName, options) {
    const body = { ...sender(), guildId, channelId, commandName, options };
    post('invoke', body).catch((error: unknown) => showFailure(error, body.channelId, commandName));
  },
  onText(content) {
    const body = { ...sender(), channelId, content };
    post('send', body).catch((error: unknown) => showFailure(error, body.channelId));
  },
});

/** What Discord's client shows to the one member whose command or click went wrong, unless another channel is open now. */
function showFailure(error: unknown, where: string, commandName?: string): void {
  if (where !== channelId) return;
  const user = { id: userId, username: '', displayName: viewer()?.displayName ?? '', bot: false };
  timeline.put({
    ...emptyMessage,
    id: `failure-${++failures}`,
    channelId,
    guildId,
    author: state.bot,
    failure: error instanceof Error ? error.message : String(error),
    visibleTo: userId,
    createdAt: Date.now(),
    interaction: commandName ? { id: '', type: 2, user, commandName } : null,
  });
}

function appearance(): Appearance {
  const here = guild();
  return {
    names: {
      users: state.users,
      roles: here?.roles ?? {},
      channels: Object.fromEntries((here?.channels ?? []).map((one) => [one.id, one.name])),
    },
    colors: Object.fromEntries(state.personas.map((one) => [one.id, one.color])),
    viewer: { id: userId, roles: here?.ownRoles ?? [] },
  };
}

async function openChannel(id: string): Promise<void> {
  channelId = id;
  sessionStorage.setItem('local-discord', JSON.stringify({ userId, locale, guildId, channelId }));
  unread.delete(id);
  drawSides();
  const here = channel();
  byId('channel-name').textContent = here?.name ?? '';
  byId('channel-topic').textContent = here?.topic ?? '';
  byId('welcome-title').textContent = here ? `Welcome to #${here.name}!` : '';
  byId('welcome-text').textContent = here ? `This is the start of the #${here.name} channel.` : '';
  document.title = here ? `#${here.name} | ${guild()?.name}` : state.title;
  composer.reset(here ? `Message #${here.name}, or type / for commands` : '');
  missed = null;
  delete document.body.dataset['channel'];
  if (!here) return timeline.show([], appearance());
  const loading: MessageEvent[] = [];
  missed = loading;
  const messages = await fetchMessages(id, userId);
  // A newer load shows the channel instead.
  if (missed !== loading) return;
  missed = null;
  timeline.show(messages, appearance());
  loading.forEach(change);
  document.body.dataset['channel'] = here.name;
}

/** Shows an event of the open channel. While that loads, its answer may be older than the event, which waits. */
function change(event: MessageEvent): void {
  if (missed !== null) missed.push(event);
  else if (event.type === 'message') timeline.put(event.message);
  else timeline.remove(event.messageId);
}

async function openGuild(id: string): Promise<void> {
  guildId = id;
  await openChannel(guild()?.channels[0]?.id ?? '');
}

function drawSides(): void {
  const here = guild();
  drawGuilds(byId('guilds'), state.guilds, guildId, (id) => void openGuild(id));
  byId('guild-name').textContent = here?.name ?? '';
  if (here) drawChannels(byId('channel-list'), here, channelId, unread, (id) => void openChannel(id));
  drawMembers(byId('members'), state);
  drawNotices(byId('notices'), state);
}

/** Fetches everything but the messages; keeps the open channel when it is still there. */
async function fetchAll(): Promise<void> {
  state = await fetchState(userId);
  const here = guild();
  if (here) {
    guildId = here.id;
    if (!channel()) channelId = here.channels[0]?.id ?? '';
    drawSides();
  }
  composer.showOffers();
}

let refreshing = Promise.resolve();

/** One after another: an answer that comes late, to another persona at that, never replaces a newer one. */
function refresh(): Promise<void> {
  const refreshed = refreshing.then(fetchAll);
  refreshing = refreshed.catch(() => {});
  return refreshed;
}

async function onEvent(event: LocalEvent): Promise<void> {
  switch (event.type) {
    case 'message': {
      const { message } = event;
      if (!(message.author.id in state.users)) await refresh();
      if (message.channelId === channelId) change(event);
      else if (event.change === 'created' && !unread.has(message.channelId)) {
        unread.add(message.channelId);
        drawSides();
      }
      return;
    }
    case 'messageDeleted':
      if (event.channelId === channelId) change(event);
      return;
    case 'bot': {
      const { type: _, ...status } = event;
      state.bot = { ...state.bot, ...status };
      drawMembers(byId('members'), state);
      return;
    }
    default: {
      const before = channelId;
      await refresh();
      if (before !== channelId) await openChannel(channelId);
    }
  }
}

function actAs(id: string): void {
  userId = id;
  byId('me-avatar').setAttribute('src', avatarOf(id, viewer()?.displayName ?? ''));
  stopFollowing();
  // Loaded once the events come, so that no change falls between the two.
  stopFollowing = follow(
    userId,
    (event) => void onEvent(event),
    () => void load(id),
  );
}

async function load(viewerId: string): Promise<void> {
  await refresh();
  if (userId === viewerId) await openChannel(channelId);
  if (userId !== viewerId) return;
  document.body.dataset['viewer'] = viewerId;
  document.body.dataset['ready'] = 'true';
}

function fillSelect(
  id: string,
  options: readonly HTMLOptionElement[],
  onChange: (value: string) => void,
): void {
  const select = byId(id) as HTMLSelectElement;
  select.replaceChildren(...options);
  select.addEventListener('change', () => onChange(select.value));
}

const persona = state.personas.find(({ id }) => id === before.userId) ?? state.personas[0];
const personas = state.personas.map(
  ({ id, displayName, role }) => new Option(`${displayName} (${role})`, id, false, id === persona?.id),
);
fillSelect('persona', personas, actAs);

const nameOf = new Intl.DisplayNames(['en'], { type: 'language' });
const languages = locales.map((one) => new Option(nameOf.of(one), one, false, one === locale));
fillSelect('locale', languages, (value) => {
  locale = value;
  setTimeLocale(locale);
  void openChannel(channelId);
});

byId('toggle-side').addEventListener('click', () => {
  const side = byId('side');
  side.hidden = !side.hidden;
  byId('toggle-side').setAttribute('aria-pressed', String(!side.hidden));
});

setTimeLocale(locale);
actAs(persona?.id ?? '');
