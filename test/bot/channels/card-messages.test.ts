import { afterEach, describe, expect, it } from 'vitest';
import type { Invocation, Message } from 'local-discord';
import type { Ports } from '../../../src/commands/ports/ports.ts';
import { componentsOf, labelled } from '../../commands/components.ts';
import { contractClient, serviceError, type Handlers } from '../../commands/contract-client.ts';
import * as data from '../../embeds/contract-data.ts';
import { channelId, guildId, startWorld, type World } from '../discord-world.ts';

const mod = { id: '1100000000000000302', username: 'mod', permissions: (1n << 11n) | (1n << 13n) };
const tom = { id: '1100000000000000303', username: 'tom', permissions: 1n << 11n };
const identifier = '76561198000000001';
const png = { name: 'player.png', data: Buffer.from('png'), alt: 'Survivor · Player kills: 1,234' };

let world: World;
let isHidden = false;
let revision = 0;
afterEach(async () => {
  isHidden = false;
  await world[Symbol.asyncDispose]();
});

async function start(over: Ports = {}): Promise<void> {
  const handlers: Partial<Handlers> = {
    getPlayer: () => {
      if (isHidden) return Promise.reject(serviceError('not_found'));
      return { player: data.player({ steamId64: identifier }) };
    },
    listLeaderboards: () => ({ leaderboards: [data.leaderboard(['Ann', 'Bob'])] }),
  };
  const ports = { cards: { draw: async () => png }, unlisted: { revision: () => revision }, ...over };
  world = await startWorld({ client: contractClient(handlers, Date.now), bot: { ports } });
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
const hide = () => {
  isHidden = true;
  revision += 1;
};

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
  const share = async (): Promise<Message> =>
    (await click(await use('lookup', { identifier }), 'Share in channel')).message!;

  it('is removed once its player is hidden or forgotten, and no other is', async () => {
    await start();
    const { id } = await share();
    revision += 1;
    await expect.poll(async () => JSON.stringify(await world.keyv.get('cards'))).toContain(id);
    expect(shown(id)?.attachments).toHaveLength(1);
    hide();
    await expect.poll(() => shown(id)?.attachments).toEqual([]);
    expect(JSON.stringify(shown(id))).not.toContain('Survivor');
    expect(shown(id)?.embeds[0]?.description).toBe("This player's card is no longer shown.");
    await expect.poll(async () => await world.keyv.get('cards')).toEqual([]);
  });

  it('is removed at the next start if that happened while the bot was away', async () => {
    await start();
    const { id } = await share();
    await expect.poll(async () => JSON.stringify(await world.keyv.get('cards'))).toContain(id);
    isHidden = true;
    await world.restart();
    await expect.poll(() => shown(id)?.attachments).toEqual([]);
  });

  it('of a message that was deleted is forgotten, with a line in the log', async () => {
    await start();
    const { id } = await share();
    await expect.poll(async () => JSON.stringify(await world.keyv.get('cards'))).toContain(id);
    world.discord.deleteMessage(channelId, id);
    hide();
    await expect.poll(async () => await world.keyv.get('cards')).toEqual([]);
    expect(world.lines.filter(({ msg }) => msg.includes('cannot be edited; delete it'))).toHaveLength(1);
  });

  it('is kept by the ref that the store has for the player, not by an identifier', async () => {
    await start({ standing: async () => ({ ref: 'stored.7', ranks: {}, activity: null }) });
    await share();
    await expect.poll(async () => JSON.stringify(await world.keyv.get('cards'))).toContain('stored.7');
    expect(JSON.stringify(await world.keyv.get('cards'))).not.toContain(identifier);
  });
});
