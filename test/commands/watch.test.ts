import { PermissionFlagsBits } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/commands/index.ts';
import { refusalFor } from '../../src/commands/permission.ts';
import type { Placements } from '../../src/commands/interfaces/placements.ts';
import type { NewWatch, WatchList } from '../../src/commands/interfaces/watch-list.ts';
import type { WatchEntry } from '../../src/embeds/watch-list.ts';
import * as data from '../embeds/contract-data.ts';
import { expectSendable } from '../embeds/message-rules.ts';
import { asker, context } from './context.ts';

const entry: WatchEntry = {
  id: 7,
  about: 'player',
  subject: 'Anna *the* @everyone',
  reason: 'Cheats',
  expiresAt: data.now + 86_400_000,
  addedBy: '1100000000000000302',
  addedAt: data.now,
};

/** A watch list with one entry, and what was asked of it. */
function listed(over: Partial<WatchList> = {}) {
  const added: NewWatch[] = [];
  const removed: number[] = [];
  const watch: WatchList = {
    most: 500,
    list: async () => [entry],
    find: async (identifier) => (identifier === '76561198000000001' ? entry.id : null),
    async add(one) {
      added.push(one);
      return { about: 'name', subject: one.text, on: [] };
    },
    async remove(id) {
      removed.push(id);
      return entry;
    },
    ...over,
  };
  return { watch, added, removed };
}

const home = asker({ guildId: '11' });

const noPlacements: Placements = {
  list: async () => [],
  place: async () => ({ full: 0 }),
  remove: async () => null,
};

async function ask(subcommand: string, options: object, watch: WatchList, who = home) {
  const given = { options: { subcommand: `watch ${subcommand}`, ...options }, asker: who };
  const reply = await commands.outpost.run(context({ ...given, community: { watch } }));
  expectSendable(reply.embeds);
  expect(reply.visibility).toBe('private');
  const [embed] = reply.embeds;
  return `${embed?.title}\n${embed?.description}`;
}

describe('/outpost watch', () => {
  it('shows a player whose name nobody can see as all answers do', async () => {
    const { watch } = listed({ list: async () => [{ ...entry, subject: '\u3164' }] });
    expect(await ask('list', {}, watch)).toContain('**(no name)** · Cheats');
  });

  it('adds an identifier in whatever notation, or a name, with a reason and an end', async () => {
    const { watch, added } = listed();
    await ask('add', { identifier: 'STEAM_0:1:28429162', reason: ' Cheats ', days: 7 }, watch);
    expect(await ask('add', { identifier: 'Anna' }, watch)).toContain('Anna');
    expect(added).toEqual([
      { text: '76561198017124053', reason: 'Cheats', days: 7 },
      { text: 'Anna', reason: null, days: null },
    ]);
  });

  it('says on which servers the player is now', async () => {
    const on = ['northwood-1', 'gone'];
    const { watch } = listed({ add: async ({ text }) => ({ about: 'player', subject: text, on }) });
    const text = await ask('add', { identifier: 'Anna' }, watch);
    expect(text).toContain('🟢 On **Northwood | Chernarus** and **gone** right now.');
    expect(await ask('add', { identifier: 'Anna' }, listed().watch)).not.toContain('right now');
  });

  it('says which channels get the messages, or that none does', async () => {
    const { watch } = listed();
    const alerts = (channelId: string, rules: object) => {
      const content = { kind: 'alerts' as const, servers: ['northwood-1'], ...rules };
      return { id: null, channelId, content, status: null };
    };
    const added = async (placed: ReturnType<typeof alerts>[]) => {
      const placements = () => ({ ...noPlacements, list: async () => placed });
      const options = { subcommand: 'watch add', identifier: 'Anna' };
      const reply = await commands.outpost.run(
        context({ options, asker: home, community: { watch }, channels: { placements } }),
      );
      return reply.embeds[0]?.description;
    };
    const both = [alerts('77', { watched: {} }), alerts('77', { watched: {} }), alerts('78', { banned: {} })];
    expect(await added(both)).toContain('The messages come in <#77>.');
    expect(await added([alerts('78', { banned: {} })])).toContain('No channel of this Discord server');
  });

  it('lists whom it watches, why, until when and who wrote it', async () => {
    const text = await ask('list', {}, listed().watch);
    expect(text).toContain('Anna \\*the\\*');
    expect(text).toContain('Cheats · until');
    expect(text).toContain(`Added by <@${entry.addedBy}>`);
    expect(await ask('list', {}, listed({ list: async () => [] }).watch)).toContain('Nobody is watched.');
  });

  it('lists everybody in a file where the message cannot', async () => {
    const many = Array.from({ length: 500 }, (_, id): WatchEntry => ({
      ...entry,
      id,
      subject: `Player ${id}`,
    }));
    const filesOf = async (list: WatchEntry[]) => {
      const { watch } = listed({ list: async () => list });
      const given = { options: { subcommand: 'watch list' }, asker: home, community: { watch } };
      return (await commands.outpost.run(context(given))).files;
    };
    const [file] = (await filesOf(many)) ?? [];
    const lines = file?.data.toString('utf8').trim().split('\n');
    expect(lines).toHaveLength(500);
    expect(lines?.[499]).toMatch(/^Player 499 · Cheats · .* · 1100000000000000302$/);
    expect(await filesOf(many.slice(0, 5))).toBeUndefined();
  });

  it('removes an entry by its choice or by the name, and no other', async () => {
    const { watch, removed } = listed();
    await ask('remove', { entry: '7' }, watch);
    await ask('remove', { entry: entry.subject.toUpperCase() }, watch);
    expect(await ask('remove', { entry: '8' }, watch)).toContain('no longer on the watch list');
    await ask('remove', { entry: 'https://steamcommunity.com/profiles/76561198000000001' }, watch);
    expect(await ask('remove', { entry: '76561198000000002' }, watch)).toContain('no longer on');
    expect(removed).toEqual([7, 7, 7]);
  });

  it('removes the chosen entry, although another one is about a player with that number for a name', async () => {
    const seven: WatchEntry = { ...entry, id: 8, subject: '7' };
    const { watch, removed } = listed({ list: async () => [seven, entry] });
    await ask('remove', { entry: '7' }, watch);
    await ask('remove', { entry: '8' }, watch);
    expect(removed).toEqual([7, 8]);
  });

  it('asks who is meant where the text is blank', async () => {
    const { watch, added } = listed();
    const text = await ask('add', { identifier: '  ' }, watch);
    expect(text).toContain('Enter an identifier or the name of the player to watch.');
    expect(added).toEqual([]);
  });

  it('says that the list is full, or that a player is forgotten', async () => {
    const add = { identifier: 'Anna' };
    expect(await ask('add', add, listed({ add: async () => 'full' }).watch)).toContain('500');
    expect(await ask('add', add, listed({ add: async () => 'forgotten' }).watch)).toContain('forgotten');
  });

  it('is for who may manage the server or ban, and the rest of the command for managers alone', () => {
    const { BanMembers, ManageGuild } = PermissionFlagsBits;
    const isRefused = (permissions: bigint, subcommand: string) =>
      refusalFor(commands.outpost, context({ asker: { ...home, permissions } }), { subcommand }) !== null;
    expect(isRefused(ManageGuild, 'watch list')).toBe(false);
    expect(isRefused(BanMembers, 'watch list')).toBe(false);
    expect(isRefused(0n, 'watch list')).toBe(true);
    expect(isRefused(BanMembers, 'player forget')).toBe(true);
  });
});
