import { setTimeout } from 'node:timers/promises';
import { PermissionFlagsBits } from 'discord.js';
import { Keyv } from 'keyv';
import { describe, expect, it, vi } from 'vitest';
import type { Community } from '../../../../src/commands/interfaces/community.ts';
import { languageOf } from '../../../../src/locales/language.ts';
import type { Handlers } from '../../../commands/contract-client.ts';
import * as data from '../../../embeds/contract-data.ts';
import {
  channelId,
  guildId,
  isPost,
  member,
  startTimedWorld,
  until,
  useOutpost,
  type World,
  type DiscordInput,
} from '../../discord-world.ts';

const minute = 60_000;
const roleId = '1100000000000000701';
const guilds = [
  {
    id: guildId,
    name: 'Northwood',
    channels: [{ id: channelId, name: 'general' }],
    roles: [{ id: roleId, name: 'Regulars', mentionable: true }],
  },
];

/** A bot that checks its servers when the test says so. */
type AlertOptions = Partial<NonNullable<DiscordInput['alerts']>[number]>;

async function startAlerts(
  alert: AlertOptions,
  community: Partial<Community> = {},
  others: AlertOptions[] = [],
) {
  const handlers: Partial<Handlers> = { listSchedules: () => ({ schedules: [] }) };
  const alerts = [alert, ...others].map((each) => ({ channelId, servers: ['northwood-1'], ...each }));
  const bot = { community };
  const started = await startTimedWorld({ handlers, bot, config: { alerts }, discord: { guilds } });
  const { world, clock, run } = started;
  const see = (over: Parameters<typeof data.server>[0]) => {
    handlers.listServers = () => {
      const checkedAt = new Date(clock.now()).toISOString();
      return { servers: [data.server({ checkedAt, ...over })] };
    };
  };
  see({});
  await run();
  /** Looks once a minute. */
  const watch = async (minutes: number) => {
    for (let check = 0; check < minutes; check += 1) await run(minute);
  };
  return { world, clock, handlers, see, watch };
}

const sent = (world: World) => world.discord.messages(channelId).map(({ embeds }) => embeds[0]?.title);
/** At the first check. */
const lastAnswer = `It last responded <t:${data.now / 1000}:R>.`;
const offline = { status: 'OFFLINE', players: null } as const;

describe('an alert', () => {
  it('has a button that joins the server when many are playing, where there is an address to join', async () => {
    for (const joinUrl of [(id: string) => `https://example.org/join/${id}`, () => null]) {
      const players = { atLeast: 20, cooldownMinutes: 1 };
      const { world, see, watch } = await startAlerts({ players, down: { afterMinutes: 1 } }, { joinUrl });
      await using _ = world;
      see({ players: 5 });
      await watch(1);
      see({ players: 30 });
      await watch(1);
      const buttons = () =>
        world.discord.messages(channelId).map(({ components }) => JSON.stringify(components));
      const url = joinUrl('northwood-1');
      expect(buttons().map((each) => each.includes('Join'))).toEqual([url !== null]);
      if (url !== null) expect(buttons()[0]).toContain(url);
      see(offline);
      await watch(2);
      expect(buttons().filter((each) => each.includes('Join'))).toEqual([]);
    }
  });

  // Discord takes the mention, and drops the embed.
  it('mentions nobody without saying why, where the bot may not embed', async () => {
    const { world, see, watch } = await startAlerts({ down: { afterMinutes: 1, roleId } });
    await using _ = world;
    const deny = async (permissions: bigint) => {
      world.discord.denyBot(channelId, permissions);
      // The answer comes behind what the gateway says of the channel.
      await world.discord.invoke({ guildId, channelId, user: member, commandName: 'lookup' });
    };
    await deny(PermissionFlagsBits.EmbedLinks);
    see(offline);
    await watch(3);
    expect(world.discord.messages(channelId)).toEqual([]);
    await deny(0n);
    await watch(1);
    expect(sent(world)).toEqual(['🔴 Northwood | Chernarus is down']);
  });

  // discord.js forgets threads that have been archived for hours, and knows none that was archived before the start.
  it.each(['the config', 'a member'])(
    'placed by %s in a thread that is archived is in the language of its Discord server',
    async (placedBy) => {
      const [threadId, parentId, german] = [
        '1100000000000000290',
        '1100000000000000250',
        '1100000000000000150',
      ];
      const rules = { down: { afterMinutes: 1 } };
      const { world, see, watch } = await startAlerts({ ...rules, channelId: threadId });
      await using _ = world;
      const channels = [{ id: parentId, name: 'general' }];
      world.discord.addGuild({ id: german, name: 'Nordwald', locale: 'de', channels });
      world.discord.addThread(parentId, { id: threadId, name: 'alerts' });
      world.discord.setThread(threadId, { archived: true });
      if (placedBy === 'a member') {
        const content = { kind: 'alerts', servers: ['northwood-1'], ...rules };
        await world.keyv.set('placements', [{ id: 'a1', guildId: german, channelId: threadId, content }]);
        const config = { guildIds: [], guilds: [{ id: german }], statusPosts: [], presence: false };
        await world.restart({ config });
      } else await world.restart();
      see(offline);
      await watch(2);
      const server = data.server().name;
      const [message] = world.discord.messages(threadId);
      expect(message?.embeds[0]?.title).toBe(languageOf('de').t('alert.down', { server }));
    },
  );

  it('reports once that a server is down, and once that it is back, with the length of the outage', async () => {
    const { world, see, watch } = await startAlerts({ down: { afterMinutes: 3 } });
    await using _ = world;
    see(offline);
    await watch(10);
    expect(sent(world)).toEqual(['🔴 Northwood | Chernarus is down']);
    see({});
    await watch(3);
    expect(sent(world)).toEqual([
      '⚪ Northwood | Chernarus was down',
      '🟢 Northwood | Chernarus is back online',
    ]);
    expect(world.discord.messages(channelId)[1]?.embeds[0]?.description).toContain('11m');
  });

  it('does not come for a restart of the schedule, nor while the server takes long to start', async () => {
    const restart = { kind: 'RESTART', recurrence: 'DAILY', timezone: 'UTC' } as const;
    const { world, clock, see, watch, handlers } = await startAlerts({ down: { afterMinutes: 3 } });
    await using _ = world;
    const timeOfDay = new Date(clock.now() + 2 * minute).toISOString().slice(11, 16);
    handlers.listSchedules = () => ({ schedules: [data.schedule({ ...restart, timeOfDay })] });
    see(offline);
    await watch(15);
    expect(sent(world)).toEqual([]);
    await watch(3);
    expect(sent(world)).toEqual(['🔴 Northwood | Chernarus is down']);
  });

  it('does not come for an outage of the network of the bot itself, in which no server answers', async () => {
    const { world, clock, see, watch } = await startAlerts({ down: { afterMinutes: 3 } });
    await using _ = world;
    const { gateway } = world.discord;
    gateway.setAvailable(false);
    gateway.dropAll();
    await until(() => gateway.connected === 0 && !world.bot.gatewayMetrics().isConnected);
    see(offline);
    await watch(5);
    gateway.setAvailable(true);
    await until(() => world.bot.gatewayMetrics().isConnected);
    // The servers were not checked again yet.
    clock.advance(minute / 3);
    await world.bot.jobs?.run();
    see({});
    await watch(3);
    expect(sent(world)).toEqual([]);
    see(offline);
    await watch(4);
    expect(sent(world)).toEqual(['🔴 Northwood | Chernarus is down']);
  });

  it('says after an outage of Discord when a server last answered', async () => {
    const { world, see, watch } = await startAlerts({ down: { afterMinutes: 3 } });
    await using _ = world;
    see(offline);
    await watch(1);
    const end = world.discord.fail(
      { method: 'POST', path: /\/messages$/ },
      { status: 503, body: {} },
      Infinity,
    );
    await watch(4);
    end();
    await watch(1);
    expect(sent(world)).toEqual(['🔴 Northwood | Chernarus is down']);
    expect(world.discord.messages(channelId)[0]?.embeds[0]?.description).toContain(lastAnswer);
  });

  it('says right after a restart of the bot when the server last answered', async () => {
    const at = data.now - 5 * minute;
    const { world, see, watch } = await startAlerts(
      { down: { afterMinutes: 3 } },
      { lastAnswerAt: async () => at },
    );
    await using _ = world;
    see(offline);
    await world.restart({ keyv: new Keyv() });
    await watch(1);
    expect(world.discord.messages(channelId).map(({ embeds }) => embeds[0]?.description)).toEqual([
      `It last responded <t:${at / 1000}:R>.`,
    ]);
  });

  it('says nothing of the last answer where nobody knows it', async () => {
    const { world, see, watch } = await startAlerts({ down: { afterMinutes: 3 } });
    await using _ = world;
    see(offline);
    await world.restart({ keyv: new Keyv() });
    await watch(4);
    expect(world.discord.messages(channelId)[0]?.embeds[0]?.description).toBe("The server isn't responding.");
  });

  it('reaches a channel while another one keeps the bot waiting', async () => {
    const other = '1100000000000000299';
    const rules = { down: { afterMinutes: 1 } };
    const { world, see, clock } = await startAlerts(rules, {}, [{ ...rules, channelId: other }]);
    await using _ = world;
    world.discord.addChannel(guildId, { id: other, name: 'other' });
    // The answer comes behind what the gateway says of the channel.
    await world.discord.invoke({ guildId, channelId, user: member, commandName: 'lookup' });
    world.discord.fail({ path: `/channels/${channelId}/messages` }, { delayMs: 60_000 }, Infinity);
    see(offline);
    clock.advance(minute);
    void world.bot.jobs?.run();
    await until(() => world.discord.messages(other).length === 1);
    expect(sent(world)).toEqual([]);
  });

  it('is sent by the next process, which comes a minute later', async () => {
    const { world, see, watch } = await startAlerts({ down: { afterMinutes: 3 } });
    await using _ = world;
    see(offline);
    await watch(3);
    see({});
    const lift = world.discord.fail({ method: 'POST', path: /\/messages$/ }, { cut: true }, Infinity);
    await watch(1);
    lift();
    see({ status: 'UNKNOWN' });
    await world.restart();
    await watch(1);
    see({});
    await watch(2);
    expect(sent(world).filter((title) => title?.startsWith('🟢'))).toHaveLength(1);
  });

  it.each([
    ['a return', { down: { afterMinutes: 3 } }, offline, {}, ['⚪', '🟢']],
    ['a crowd', { players: { atLeast: 20, cooldownMinutes: 1 } }, { players: 5 }, { players: 30 }, ['👥']],
  ] as const)(
    'of %s is not sent twice when the next process sees an earlier state once more',
    async (...[, rule, before, after, expected]) => {
      const { world, clock, see, watch } = await startAlerts(rule);
      await using _ = world;
      see(before);
      await watch(5);
      const checkedAt = new Date(clock.now()).toISOString();
      clock.advance(30_000);
      const lift = world.discord.fail(
        { method: 'POST', path: /\/messages$/ },
        { cut: true, afterwards: true },
        Infinity,
      );
      see(after);
      await world.bot.jobs?.run();
      lift();
      see({ ...before, checkedAt });
      await world.restart();
      await world.bot.jobs?.run();
      see(after);
      await watch(3);
      expect(sent(world).map((title) => title?.split(' ')[0])).toEqual(expected);
    },
  );

  it('comes for the players who come after one whose message was in doubt until they left', async () => {
    const { world, see, watch } = await startAlerts({ players: { atLeast: 20, cooldownMinutes: 1 } });
    await using _ = world;
    see({ players: 5 });
    await watch(1);
    see({ players: 30 });
    const lift = world.discord.fail({ method: 'POST', path: /\/messages$/ }, { cut: true }, Infinity);
    await watch(1);
    lift();
    see({ players: 5 });
    await watch(5);
    see({ players: 30 });
    await watch(1);
    expect(sent(world)).toEqual([expect.stringContaining('30')]);
  });

  it('comes once where its message was in doubt when the server could not be checked for a while', async () => {
    const { world, see, watch } = await startAlerts({ down: { afterMinutes: 3 } });
    await using _ = world;
    const lift = world.discord.fail(isPost, { cut: true, afterwards: true }, Infinity);
    see(offline);
    await watch(3);
    lift();
    see({ status: 'UNKNOWN', players: null });
    await watch(6);
    see(offline);
    await watch(2);
    expect(sent(world)).toEqual(['🔴 Northwood | Chernarus is down']);
  });

  it('waits while the bot may not post in the channel, and stores nothing meanwhile', async () => {
    const { world, see, watch } = await startAlerts({ down: { afterMinutes: 3 } });
    await using _ = world;
    world.discord.denyBot(channelId, PermissionFlagsBits.SendMessages);
    see(offline);
    await watch(5);
    const writes = vi.spyOn(world.keyv, 'set');
    await watch(5);
    expect(writes).not.toHaveBeenCalled();
    expect(sent(world)).toEqual([]);
    world.discord.denyBot(channelId, 0n);
    // Discord tells the bot of it.
    while (sent(world).length === 0) {
      await setTimeout(5);
      await watch(1);
    }
    expect(sent(world)).toEqual(['🔴 Northwood | Chernarus is down']);
  });

  it('mentions its role and nobody else, and says in a phone’s notification what it is about', async () => {
    const { world, see, watch } = await startAlerts({
      players: { atLeast: 40, cooldownMinutes: 60, roleId },
    });
    await using _ = world;
    see({ players: 41, name: '@everyone discord.gg/northwood 1PP/3PP **1**' });
    await watch(3);
    const name = '@\u200beveryone discord\\.gg/northwood 1PP/3PP \\*\\*1\\*\\*';
    expect(sent(world)).toEqual([`👥 41 players on ${name}`]);
    const [message] = world.discord.messages(channelId);
    // Discord shows the card of an invitation that is written out.
    expect(message?.content).toBe(`<@&${roleId}> 👥 41 players on ${name}`);
    const request = world.discord.requests.find(
      ({ path, method }) => method === 'POST' && path.endsWith('/messages'),
    );
    expect(request?.body).toMatchObject({ allowed_mentions: { parse: [], roles: [roleId] } });
  });

  it('comes before each restart, in its language', async () => {
    const { world, clock, handlers, watch } = await startAlerts({
      restart: { minutesBefore: 15 },
      locale: 'de',
    });
    await using _ = world;
    const at = new Date(clock.now() + 20 * minute).toISOString().slice(11, 16);
    handlers.listSchedules = () => ({
      schedules: [data.schedule({ kind: 'RESTART', recurrence: 'DAILY', timeOfDay: at, timezone: 'UTC' })],
    });
    await watch(19);
    const server = 'Northwood | Chernarus';
    expect(sent(world)).toEqual([languageOf('de').t('alert.restart', { server })]);
    const restartAt = (data.now + 20 * minute) / 1000;
    expect(world.discord.messages(channelId)[0]?.embeds[0]?.description).toContain(
      `<t:${restartAt}:R>** (<t:${restartAt}:t>)`,
    );
  });

  it('is forgotten with its guild', async () => {
    const { world, see, watch } = await startAlerts({ down: { afterMinutes: 3 } });
    await using _ = world;
    world.discord.removeGuild(guildId);
    await until(() => world.lines.some(({ msg }) => msg.includes('left the guild')));
    see(offline);
    await watch(10);
    expect(world.lines.filter(({ level }) => level >= 40)).toEqual([]);
  });

  it('is not sent for an old change', async () => {
    const { world, clock, handlers, watch } = await startAlerts({ down: { afterMinutes: 1 } });
    await using _ = world;
    handlers.listServers = () => ({
      data: { servers: [data.server(offline)] },
      receivedAt: clock.now() - 5 * minute,
      stale: true,
    });
    await watch(10);
    expect(sent(world)).toEqual([]);
  });
});

describe('alerts that reach nobody', () => {
  it.each(['while the bot runs', 'before it starts'])(
    'are named by /outpost posts once their channel was deleted %s',
    async (when) => {
      const alertsId = '1100000000000000210';
      const { world, watch } = await startAlerts({ restart: { minutesBefore: 15 } });
      await using _ = world;
      world.discord.addChannel(guildId, { id: alertsId, name: 'alerts' });
      await useOutpost(world, 'alert', { down: true }, alertsId);
      const listed = async () => (await useOutpost(world, 'posts')).message?.embeds[0]?.description;
      await watch(1);
      expect(await listed()).toContain('active');
      world.discord.deleteChannel(alertsId);
      if (when === 'before it starts') await world.restart();
      // The answer comes behind what the gateway says of the channel.
      await listed();
      await watch(3);
      expect(await listed()).toContain('The channel no longer exists.');
      expect(world.lines.filter(({ level }) => level >= 50)).toHaveLength(1);
    },
  );
});

describe('the message of an alert that is over', () => {
  const described = (world: World) =>
    world.discord.messages(channelId).map(({ embeds }) => [embeds[0]?.title, embeds[0]?.description]);
  const at = (minutes: number, style: string) => `<t:${(data.now + minutes * minute) / 1000}:${style}>`;

  it('says when the server restarted, also after a restart of the bot', async () => {
    const { world, clock, handlers, watch } = await startAlerts({ restart: { minutesBefore: 15, roleId } });
    await using _ = world;
    const timeOfDay = new Date(clock.now() + 20 * minute).toISOString().slice(11, 16);
    handlers.listSchedules = () => ({
      schedules: [data.schedule({ kind: 'RESTART', recurrence: 'DAILY', timeOfDay, timezone: 'UTC' })],
    });
    await watch(19);
    expect(described(world)[0]?.[1]).toContain('Get to a safe place');
    await world.restart();
    await watch(2);
    const title = '🔄 Northwood | Chernarus has restarted';
    expect(described(world)).toEqual([[title, `Restarted at **${at(20, 't')}**.`]]);
    expect(world.discord.messages(channelId)[0]?.content).toBe(`<@&${roleId}> ${title}`);
  });

  it.each([
    ['fewer play', { players: 5 }],
    ['the server is down', offline],
  ])('says until when it was a good time to join: until %s', async (...[, after]) => {
    const { world, see, watch } = await startAlerts({ players: { atLeast: 20, cooldownMinutes: 60 } });
    await using _ = world;
    see({ players: 5 });
    await watch(1);
    see({ players: 30 });
    await watch(3);
    expect(described(world)[0]?.[1]).toContain('A good time to join!');
    see(after);
    await watch(2);
    expect(described(world)).toEqual([
      ['👥 30 players were on Northwood | Chernarus', `**${at(2, 't')} – ${at(5, 't')}**`],
    ]);
  });

  it('says from when to when the server was down', async () => {
    const { world, see, watch } = await startAlerts({ down: { afterMinutes: 3 } });
    await using _ = world;
    see(offline);
    await watch(5);
    see({});
    await watch(1);
    expect(described(world)[0]).toEqual([
      '⚪ Northwood | Chernarus was down',
      `**${at(0, 't')} – ${at(6, 't')}**`,
    ]);
  });

  it('is edited once Discord takes it, with the end that it had', async () => {
    const { world, see, watch } = await startAlerts({ down: { afterMinutes: 3 } });
    await using _ = world;
    see(offline);
    await watch(5);
    const end = world.discord.fail(
      { method: 'PATCH', path: /\/messages\// },
      { status: 503, body: {} },
      Infinity,
    );
    see({});
    await watch(3);
    expect(described(world)[0]?.[0]).toContain('is down');
    end();
    await watch(1);
    expect(described(world)[0]?.[1]).toBe(`**${at(0, 't')} – ${at(6, 't')}**`);
  });

  it('is left alone where a member deleted it, without a line in the log', async () => {
    const { world, see, watch } = await startAlerts({ down: { afterMinutes: 3 } });
    await using _ = world;
    see(offline);
    await watch(5);
    world.discord.deleteMessage(channelId, world.discord.messages(channelId)[0]!.id);
    see({});
    await watch(2);
    expect(sent(world)).toEqual(['🟢 Northwood | Chernarus is back online']);
    expect(world.lines.filter(({ level }) => level >= 40)).toEqual([]);
  });
});
