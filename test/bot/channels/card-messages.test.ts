import { noCommunity } from '../../../src/community/no-community.ts';
import { afterEach, describe, expect, it } from 'vitest';
import type { Invocation, Message } from 'local-discord';
import { componentsOf, labelled } from '../../commands/components.ts';
import { contractClient, type Handlers } from '../../commands/contract-client.ts';
import * as data from '../../embeds/contract-data.ts';
import { channelId, guildId, startWorld, type World } from '../discord-world.ts';
import { createLedger, type TestLedger } from './test-ledger.ts';

const mod = { id: '1100000000000000302', username: 'mod', permissions: (1n << 11n) | (1n << 13n) };
const tom = { id: '1100000000000000303', username: 'tom', permissions: 1n << 11n };
const identifier = '76561198000000001';
const png = { name: 'player.png', data: Buffer.from('png'), alt: 'Survivor · Player kills: 1,234' };

let world: World;
let ledger: TestLedger;
afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

async function start(): Promise<void> {
  ledger = createLedger();
  const handlers: Partial<Handlers> = {
    getPlayer: () => ({ player: data.player({ steamId64: identifier }) }),
    listLeaderboards: () => ({ leaderboards: [data.leaderboard(['Ann', 'Bob'])] }),
  };
  const details = async () => ({ playerId: 7, gameId: null, kills: null, ranks: {}, activity: null });
  world = await startWorld({
    client: contractClient(handlers, Date.now),
    bot: {
      community: { players: { ...noCommunity.players, details } },
      pictures: { card: async () => png },
      records: { ledger, unlistedRevision: ledger.revision },
    },
  });
  await world.bot.ready;
}

const use = async (commandName: string, options: Record<string, string> = {}): Promise<Message> => {
  const where = { guildId, channelId, user: mod };
  return (await world.discord.invoke({ ...where, commandName, options })).message!;
};
const click = async (message: Message, label: string, user = mod): Promise<Invocation> => {
  const { customId } = labelled(message as never, label);
  return await world.discord.click({ messageId: message.id, customId, user });
};
const shown = (id: string) => world.discord.messages(channelId).find((message) => message.id === id);

describe('a card', () => {
  it('comes with /lookup, as a picture with its words as alternative text', async () => {
    await start();
    const { attachments, embeds } = await use('lookup', { identifier });
    expect(attachments.map(({ filename, description }) => [filename, description])).toEqual([
      ['player.png', png.alt],
    ]);
    expect(JSON.stringify(embeds)).not.toContain('Player kills');
  });

  it('opens from the menu of /top for any member, who alone sees it, and changes nothing', async () => {
    await start();
    const board = await use('top', { metric: 'PLAYER_KILLS' });
    const { customId, choices } = labelled(board as never, "Show a player's card");
    expect(choices).toHaveLength(2);
    const values = [choices[1]!];
    const opened = await world.discord.select({ messageId: board.id, customId, values, user: tom });
    expect(opened.message?.visibleTo).toBe(tom.id);
    expect(opened.message?.attachments).toHaveLength(1);
    expect(componentsOf(opened.message as never)).toEqual([]);
    expect(shown(board.id)?.components).toEqual(board.components);
  });

  it('is shared with everyone, without what was unfolded beside it', async () => {
    await start();
    const lookup = await use('lookup', { identifier });
    const unfolded = (await click(lookup, 'IDs and names')).message!;
    expect(JSON.stringify(unfolded.embeds)).toContain(identifier);
    const shared = (await click(unfolded, 'Share in channel')).message!;
    expect(shared.visibleTo).toBeNull();
    expect(shared.attachments).toHaveLength(1);
    expect(JSON.stringify(shared)).not.toContain(identifier);
  });
});

describe('a shared card', () => {
  it('is deleted once its player is hidden or forgotten, and no other answer is', async () => {
    await start();
    const board = await use('top', { metric: 'PLAYER_KILLS' });
    const lookup = await use('lookup', { identifier });
    const { id } = (await click(lookup, 'Share in channel')).message!;
    await expect
      .poll(() => ledger.messages)
      .toEqual([{ channelId, messageId: id, players: [7], forModerators: false }]);
    expect(shown(id)?.attachments).toHaveLength(1);
    ledger.hide(7);
    await expect.poll(() => shown(id)).toBeUndefined();
    expect(shown(board.id)).toBeDefined();
    await expect.poll(() => ledger.messages).toEqual([]);
  });
});
