import { follow, get, post } from './api.js';
import { avatarOf } from './avatars.js';
import { createComposer } from './composer.js';
import { drawChannels, drawGuilds, drawMembers, drawNotices } from './sidebar.js';
import { defineComponents } from './theme.js';
import { setTimeLocale } from './time.js';
import { createTimeline } from './timeline.js';

const byId = (id) => document.getElementById(id);

/** Languages in which Discord itself can be set, of those that a bot like this may speak. */
const locales = ['en-US', 'de', 'fr', 'es-ES', 'pt-BR', 'ru', 'uk', 'pl'];

let world;
let userId = '';
let locale = 'en-US';
let guildId = '';
let channelId = '';
let stopFollowing = () => {};
const unread = new Set();
/** Failures belong to whoever met them; they are drawn here and live as long as the page. */
let failures = 0;

const guild = () => world.guilds.find((one) => one.id === guildId) ?? world.guilds[0];
const channel = () => guild()?.channels.find((one) => one.id === channelId);
const sender = () => ({ userId, locale });

const timeline = createTimeline(byId('messages'), byId('scroller'), {
  async use(message, action, details) {
    try {
      await post(action, { ...sender(), messageId: message.id, ...details });
    } catch (error) {
      fail(error);
    }
  },
  dismiss(message) {
    if (message.failure) timeline.remove(message.id);
    else void post('remove', { ...sender(), channelId: message.channelId, messageId: message.id });
  },
});

const composer = createComposer(
  byId('composer'),
  () => ({
    guild: guild(),
    channel: channel(),
    users: world?.users ?? {},
    botName: world?.bot.name,
    userId,
    locale,
  }),
  {
    async onCommand(commandName, options) {
      const target = { guildId, channelId };
      try {
        await post('invoke', { ...sender(), ...target, commandName, options });
      } catch (error) {
        fail(error, commandName);
      }
    },
    async onText(content) {
      await post('send', { ...sender(), channelId, content }).catch(fail);
    },
  },
);

/** What Discord's client shows to the one member whose command or click went wrong. */
function fail(error, commandName) {
  const me = world.personas.find((one) => one.id === userId);
  timeline.put({
    id: `failure-${++failures}`,
    channelId,
    author: { id: world.bot.id, name: world.bot.name, bot: true },
    content: '',
    failure: error.message,
    embeds: [],
    components: [],
    attachments: [],
    ephemeral: true,
    loading: false,
    createdAt: Date.now(),
    editedAt: null,
    referenceId: null,
    command: commandName && me ? { name: commandName, user: { id: me.id, name: me.displayName } } : null,
  });
}

function look() {
  const here = guild();
  return {
    names: {
      users: world.users,
      roles: here?.roles ?? {},
      channels: Object.fromEntries((here?.channels ?? []).map((one) => [one.id, one.name])),
    },
    me: { id: userId, roles: here?.ownRoles ?? [] },
    colors: Object.fromEntries(world.personas.map((one) => [one.id, one.color])),
  };
}

async function openChannel(id) {
  channelId = id;
  unread.delete(id);
  drawSides();
  const here = channel();
  byId('channel-name').textContent = here?.name ?? '';
  byId('channel-topic').textContent = here?.topic ?? '';
  byId('welcome-title').textContent = here ? `Welcome to #${here.name}!` : '';
  byId('welcome-text').textContent = here ? `This is the start of the #${here.name} channel.` : '';
  document.title = here ? `#${here.name} | ${guild().name}` : world.title;
  composer.reset(here ? `Message #${here.name}, or type / for commands` : '');
  if (!here) return timeline.show([], look());
  const { messages } = await get('messages', { channel: id, user: userId });
  if (id === channelId) timeline.show(messages, look());
}

function openGuild(id) {
  guildId = id;
  return openChannel(guild()?.channels[0]?.id ?? '');
}

function drawSides() {
  drawGuilds(byId('guilds'), world.guilds, guildId, openGuild);
  byId('guild-name').textContent = guild()?.name ?? '';
  if (guild()) drawChannels(byId('channel-list'), guild(), channelId, unread, openChannel);
  drawMembers(byId('members'), world);
  drawNotices(byId('notices'), world);
}

/** Fetches everything but the messages; keeps the open channel when it is still there. */
async function refresh() {
  world = await get('state', { user: userId });
  userId ||= world.personas[0].id;
  if (!guild()) return;
  guildId = guild().id;
  if (!channel()) channelId = guild().channels[0]?.id ?? '';
  drawSides();
}

async function onEvent(event) {
  if (event.type === 'message') {
    const { message } = event;
    if (!(message.author.id in world.users)) await refresh();
    if (message.channelId === channelId) timeline.put(message);
    else if (event.change === 'created' && !unread.has(message.channelId)) {
      unread.add(message.channelId);
      drawSides();
    }
  } else if (event.type === 'messageDeleted') {
    if (event.channelId === channelId) timeline.remove(event.messageId);
  } else if (event.type === 'bot') {
    world.bot = { ...world.bot, online: event.online, status: event.status, activity: event.activity };
    drawMembers(byId('members'), world);
  } else {
    const before = channelId;
    await refresh();
    if (before !== channelId) await openChannel(channelId);
  }
}

async function become(id) {
  userId = id;
  const me = world.personas.find((one) => one.id === id);
  byId('me-avatar').src = avatarOf(me.id, me.displayName);
  stopFollowing();
  stopFollowing = follow(userId, onEvent, () => void refresh().then(() => openChannel(channelId)));
  await refresh();
  await openChannel(channelId);
  document.body.dataset.viewer = id;
}

function fillSelect(select, entries, value) {
  select.replaceChildren(...entries.map(([key, text]) => new Option(text, key, false, key === value)));
}

async function start() {
  await defineComponents();
  await refresh();
  const roles = world.personas.map((one) => [one.id, `${one.displayName} (${one.role})`]);
  fillSelect(byId('persona'), roles, userId);
  const names = new Intl.DisplayNames(['en'], { type: 'language' });
  fillSelect(
    byId('locale'),
    locales.map((one) => [one, names.of(one)]),
    locale,
  );
  byId('persona').addEventListener('change', (event) => void become(event.target.value));
  byId('locale').addEventListener('change', (event) => {
    locale = event.target.value;
    setTimeLocale(locale);
    void openChannel(channelId);
  });
  byId('toggle-side').addEventListener('click', (event) => {
    const side = byId('side');
    side.hidden = !side.hidden;
    event.currentTarget.setAttribute('aria-pressed', String(!side.hidden));
  });
  await become(userId);
  document.body.dataset.viewer = userId;
  document.body.dataset.ready = 'true';
}

await start();
