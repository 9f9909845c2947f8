import { describe, expect, it } from 'vitest';
import type { PlayerAlertRules } from '../../../../src/config/schema/channel-jobs.ts';
import type { Arrivals, StoredArrival } from '../../../../src/commands/interfaces/watch-list.ts';
import * as data from '../../../embeds/contract-data.ts';
import { createTestClock } from '../../../harness/clock.ts';
import { createLedger } from '../test-ledger.ts';
import { channelId, choose, guildId, isPost, startTimedWorld, useOutpost } from '../../discord-world.ts';

const minute = 60_000;
const roles = { watched: '1100000000000000901', banned: '1100000000000000902' };
const entry = { reason: 'Cheats', addedBy: '1100000000000000302', addedAt: data.now - minute };
const anArrival: StoredArrival = {
  id: 1,
  serverId: 'northwood-1',
  name: 'Anna',
  identifier: '76561198000000001',
  at: data.now,
  storedAt: data.now,
  lateByMs: 0,
  isOver: false,
  isContinued: false,
  isHidden: false,
  isNew: false,
  players: [1],
  watched: null,
  namesakeOf: null,
  nameBefore: null,
  bans: [],
  kills: null,
};
const ban = { list: 'Northwood', reason: 'Duping', expiresAt: null };

interface Options {
  rules?: PlayerAlertRules & { servers?: string[] };
  past?: Partial<StoredArrival>[];
  /** How often the bot polls by itself. */
  pollMs?: number;
}

/** A bot that posts who comes on when the test says so. */
async function startAlerts({ rules, past = [], pollMs = 3_600_000 }: Options = {}) {
  const all: StoredArrival[] = [];
  const clock = createTestClock(data.now);
  const come = (over: Partial<StoredArrival>) => {
    const moment = { at: clock.now(), storedAt: clock.now() };
    all.push({ ...anArrival, ...moment, id: all.length + 1, ...over });
  };
  for (const over of past) come(over);
  const ledger = createLedger();
  const arrivals: Arrivals = {
    latest: async () => all.at(-1)?.id ?? 0,
    async after(serverIds, id, limit) {
      const page = all.filter((one) => one.id > id).slice(0, limit);
      const found = page.filter(({ serverId }) => serverIds.includes(serverId));
      return { arrivals: found, through: page.at(-1)?.id ?? id, isLast: page.length < limit };
    },
    get: async (id) => all.find((one) => one.id === id) ?? null,
  };
  const watched = { watched: { roleId: roles.watched } };
  const alerts = [{ channelId, servers: ['northwood-1'], ...(rules ?? watched) }];
  const timed = await startTimedWorld({
    clock,
    bot: { community: { arrivals }, records: { ledger, unlistedRevision: ledger.revision } },
    config: { locale: 'en-US', guilds: [{ id: guildId }], alerts },
    timing: { feedPollMs: pollMs },
  });
  const { world } = timed;
  return {
    ...timed,
    all,
    come,
    messages: () => world.discord.messages(channelId),
    ledger,
    titles: () => world.discord.messages(channelId).map(({ embeds }) => embeds[0]?.title),
  };
}

describe('an alert of watched players', () => {
  it('says who came on, why and by whom they are watched, and pings its role only', async () => {
    const alerts = await startAlerts({ past: [{ watched: entry }] });
    await using _ = alerts.world;
    expect(alerts.titles()).toEqual([]);
    alerts.come({ name: 'Bert' });
    alerts.come({ watched: entry, nameBefore: 'Annie', bans: [ban] });
    alerts.come({ watched: entry, serverId: 'northwood-2' });
    await alerts.run();
    expect(alerts.titles()).toEqual(['👁️ Anna is on Northwood | Chernarus']);
    const [{ content, embeds } = { content: '', embeds: [] }] = alerts.messages();
    expect(content).toBe(`<@&${roles.watched}> 👁️ Anna is on Northwood | Chernarus`);
    expect(embeds[0]?.description).toContain('Watched: Cheats');
    expect(embeds[0]?.description).toContain(`Added by <@${entry.addedBy}>`);
    expect(embeds[0]?.description).toContain('Was called Annie before.');
    expect(embeds[0]?.description).toContain('`76561198000000001`');
    expect(embeds[0]?.fields?.[0]?.value).toContain('Northwood · Duping · permanent');
    const sent = alerts.world.discord.requests.findLast(({ method }) => method === 'POST');
    expect(sent?.body).toMatchObject({ allowed_mentions: { parse: [], roles: [roles.watched] } });
  });

  it('can be placed by a member, who is warned where everyone sees it, and removed', async () => {
    const alerts = await startAlerts({ rules: { newPlayers: {} } });
    await using _ = alerts.world;
    const { world, come, run, titles } = alerts;
    const descriptionOf = ({ message }: Awaited<ReturnType<typeof choose>>) =>
      message?.embeds[0]?.description;
    const placeIn = async (options: Record<string, boolean>, usedIn = channelId) =>
      descriptionOf(await choose(world, await useOutpost(world, 'alert', options, usedIn)));
    const placed = await placeIn({ watched: true, banned: true });
    expect(placed).toContain('- when a player on the watch list comes on\n- when a banned player comes on');
    expect(placed).toContain('⚠️ Everyone can see this channel.');
    expect(await placeIn({ watched: true })).toContain('already gets');
    await run();
    come({ watched: entry });
    await run();
    expect(titles()).toEqual(['👁️ Anna is on Northwood | Chernarus']);
    await world.restart();
    // Its first run is over.
    await run();
    come({ bans: [ban] });
    await run();
    expect(titles()).toHaveLength(2);
    await choose(world, await useOutpost(world, 'posts'));
    come({ watched: entry });
    await run();
    expect(titles()).toHaveLength(2);
    const threadId = '1100000000000000291';
    world.discord.addThread(channelId, { id: threadId, name: 'moderators', isPrivate: true });
    const inThread = await placeIn({ watched: true }, threadId);
    expect(inThread).toContain('- when a player on the watch list comes on');
    expect(inThread).not.toContain('Everyone can see');
  });

  it('is posted again in the same stay for a new name only', async () => {
    const alerts = await startAlerts();
    await using _ = alerts.world;
    alerts.come({ watched: entry });
    alerts.come({ watched: entry, isContinued: true });
    alerts.come({ watched: entry, isContinued: true, name: 'Eve', nameBefore: 'Anna' });
    await alerts.run();
    expect(alerts.titles()).toEqual([
      '👁️ Anna is on Northwood | Chernarus',
      '👁️ Eve is on Northwood | Chernarus',
    ]);
  });

  it('names somebody new under a watched name, and hidden players, whom moderators still see', async () => {
    const alerts = await startAlerts();
    await using _ = alerts.world;
    alerts.come({ namesakeOf: entry, isContinued: true });
    alerts.come({ watched: entry, isHidden: true });
    await alerts.run();
    expect(alerts.titles()).toEqual([
      '🎭 Another Anna is on Northwood | Chernarus',
      '👁️ Anna is on Northwood | Chernarus',
    ]);
  });

  it('is not posted for who came on more than an hour ago', async () => {
    const late = await startAlerts();
    await using _ = late.world;
    late.come({ watched: entry });
    await late.run(61 * minute);
    late.come({ watched: entry, name: 'Bert' });
    await late.run();
    expect(late.titles()).toEqual(['👁️ Bert is on Northwood | Chernarus']);
  });

  it('pings nobody about who came on more than a quarter of an hour ago', async () => {
    const alerts = await startAlerts();
    await using _ = alerts.world;
    const refuse = alerts.world.discord.fail(
      ({ method, path }) => method === 'POST' && path.endsWith('/messages'),
      { status: 403, body: { code: 50013, message: 'Missing Permissions' } },
      Infinity,
    );
    alerts.come({ watched: entry });
    await alerts.run();
    alerts.clock.advance(20 * minute);
    alerts.come({ watched: entry, name: 'Bert' });
    refuse();
    // The hour of the refusal, without waiting for it.
    await alerts.world.restart();
    await alerts.run();
    expect(alerts.messages().map(({ content, embeds }) => [embeds[0]?.title, content.split(' ')[0]])).toEqual(
      [
        ['👁️ Anna is on Northwood | Chernarus', ''],
        ['👁️ Bert is on Northwood | Chernarus', `<@&${roles.watched}>`],
      ],
    );
  });

  it('takes who came on and left while the log was not read for as late as that was', async () => {
    const alerts = await startAlerts();
    await using _ = alerts.world;
    const came = (minutesAgo: number, over: Partial<StoredArrival>) =>
      alerts.come({ watched: entry, isOver: true, at: alerts.clock.now() - minutesAgo * minute, ...over });
    came(61, { name: 'Late' });
    came(300, { name: 'Adam', isOver: false });
    came(20, { name: 'Bert' });
    // Some hosts hand over their logs half an hour late.
    came(40, { name: 'Cleo', lateByMs: 30 * minute });
    // Its clock is ahead.
    came(-300, { name: 'Dora' });
    await alerts.run();
    expect(alerts.messages().map(({ content, embeds }) => [embeds[0]?.title, content.split(' ')[0]])).toEqual(
      [
        ['👁️ Adam is on Northwood | Chernarus', `<@&${roles.watched}>`],
        ['👁️ Bert is on Northwood | Chernarus', ''],
        ['👁️ Cleo is on Northwood | Chernarus', `<@&${roles.watched}>`],
        ['👁️ Dora is on Northwood | Chernarus', `<@&${roles.watched}>`],
      ],
    );
    const warnings = alerts.world.lines.filter(({ msg }) => msg.includes('came on more than an hour before'));
    expect(warnings).toHaveLength(1);
  });

  it.each([true, false])(
    'comes once where the answer of Discord is lost (it arrived: %s)',
    async (arrived) => {
      const alerts = await startAlerts();
      await using _ = alerts.world;
      const lose = async (): Promise<void> => {
        const lift = alerts.world.discord.fail(isPost, { cut: true, afterwards: arrived }, Infinity);
        await alerts.run();
        lift();
      };
      alerts.come({ watched: entry });
      await lose();
      await alerts.world.restart();
      await alerts.run(2_000);
      expect(alerts.titles()).toHaveLength(1);
      alerts.come({ watched: entry, name: 'Bert' });
      await lose();
      await alerts.world.bot.stop();
      alerts.clock.advance(2 * minute);
      await alerts.world.restart();
      await alerts.run();
      await alerts.run(11_000);
      expect(alerts.titles()).toEqual([
        '👁️ Anna is on Northwood | Chernarus',
        '👁️ Bert is on Northwood | Chernarus',
      ]);
    },
  );
});

it('repeats a message in doubt that stands behind many who are not watched', async () => {
  const alerts = await startAlerts();
  await using _ = alerts.world;
  for (let count = 0; count < 250; count += 1) alerts.come({});
  alerts.come({ watched: entry, name: 'Bert' });
  const lift = alerts.world.discord.fail(isPost, { cut: true }, Infinity);
  await alerts.run();
  lift();
  await alerts.run(11_000);
  expect(alerts.titles()).toEqual(['👁️ Bert is on Northwood | Chernarus']);
});

it('goes on after a message in doubt whose player was forgotten meanwhile', async () => {
  const alerts = await startAlerts();
  await using _ = alerts.world;
  const lift = alerts.world.discord.fail(isPost, { cut: true }, Infinity);
  alerts.come({ watched: entry });
  await alerts.run();
  lift();
  alerts.all.length = 0;
  alerts.come({ id: 2, watched: entry, name: 'Bert' });
  await alerts.run(11_000);
  await alerts.run(11_000);
  expect(alerts.titles()).toEqual(['👁️ Bert is on Northwood | Chernarus']);
});

describe('alerts of the config', () => {
  it('are posted without being asked for', async () => {
    const alerts = await startAlerts({ pollMs: 20 });
    await using _ = alerts.world;
    alerts.come({ watched: entry });
    await expect.poll(alerts.titles).toEqual(['👁️ Anna is on Northwood | Chernarus']);
  });
});

describe('alerts of banned and of new players', () => {
  it('say the list and the reason once a stay, and ping the role of the rule', async () => {
    const alerts = await startAlerts({ rules: { banned: { roleId: roles.banned } } });
    await using _ = alerts.world;
    alerts.come({ bans: [ban], watched: entry });
    alerts.come({ bans: [ban], isContinued: true, name: 'Eve' });
    alerts.come({ isNew: true });
    await alerts.run();
    expect(alerts.titles()).toEqual(['🚫 Anna is banned, but on Northwood | Chernarus']);
    expect(alerts.messages()[0]?.content).toMatch(`<@&${roles.banned}> 🚫 Anna is banned`);
    // The channel gets no alerts of the watch list.
    expect(JSON.stringify(alerts.messages())).not.toContain('Cheats');
  });

  it('say nothing of a new player but the name and the server, and of many in one message', async () => {
    const alerts = await startAlerts({ rules: { newPlayers: {} } });
    await using _ = alerts.world;
    alerts.come({ isNew: true, watched: entry, bans: [ban] });
    alerts.come({ isNew: true, name: 'Hid', isHidden: true });
    await alerts.run();
    expect(alerts.titles()).toEqual(['👋 Anna is new on Northwood | Chernarus']);
    expect(JSON.stringify(alerts.messages())).not.toMatch(/Cheats|Duping|76561198000000001|Hid/);
    for (const name of ['A', 'B', 'C', 'D', 'E']) alerts.come({ isNew: true, name });
    await alerts.run();
    expect(alerts.titles().slice(1)).toEqual(['👋 5 new players · Northwood | Chernarus']);
    expect(alerts.messages()[1]?.embeds[0]?.description).toMatch(/^A · <t:\d+:R>\nB · /);
  });

  it('say of each new player where, if several came on different servers', async () => {
    const alerts = await startAlerts({
      rules: { newPlayers: {}, servers: ['northwood-1', 'northwood-2'] },
    });
    await using _ = alerts.world;
    for (const name of ['A', 'B', 'C']) alerts.come({ isNew: true, name });
    alerts.come({ isNew: true, name: 'D', serverId: 'northwood-2' });
    await alerts.run();
    expect(alerts.titles()).toEqual(['👋 4 new players']);
    expect(alerts.messages()[0]?.embeds[0]?.description).toMatch(/D on Northwood \| Livonia <t:\d+:R>$/);
  });
});

describe('an alert that was posted', () => {
  it('is in the ledger with all whom it names, and who may read of them', async () => {
    const alerts = await startAlerts({ rules: { watched: {}, newPlayers: {} } });
    await using _ = alerts.world;
    // The second has killed the first.
    alerts.come({ watched: entry, name: 'Ann', players: [1, 2] });
    alerts.come({ isNew: true, name: 'Bob', players: [3, 7] });
    await alerts.run();
    const [first, second] = alerts.messages();
    expect(alerts.ledger.messages).toEqual([
      { channelId, messageId: first!.id, players: [1, 2], forModerators: true },
      { channelId, messageId: second!.id, players: [3], forModerators: false },
    ]);
    alerts.ledger.hide(3);
    await expect.poll(() => alerts.titles()).toEqual(['👁️ Ann is on Northwood | Chernarus']);
  });
});
