import { expect, it } from 'vitest';
import type { Reply } from '../../src/commands/command.ts';
import { commands } from '../../src/commands/index.ts';
import type { Community, StoredPlayer } from '../../src/commands/interfaces/community.ts';
import { noCommunity } from '../../src/community/no-community.ts';
import * as data from '../embeds/contract-data.ts';
import { componentsOf, press } from './components.ts';
import { asker, context, type PartialContext } from './context.ts';
import { contractClient } from './contract-client.ts';

const banned = '76561198000000001';
const other = '76561198000000002';
const moderator = asker({ permissions: 4n });
const client = contractClient({
  getPlayer: ({ identifier }) => ({ player: data.player({ steamId64: identifier, battleyeGuid: null }) }),
  listBanlists: () => ({ banlists: [data.banlist({ banCount: 1 })] }),
  listBans: () => ({
    bans: [
      data.ban({ player: { ...data.ban().player, name: 'Old name', steamId64: banned, battleyeGuid: null } }),
    ],
  }),
});

const stored = (ref: string, name: string, steamId64: string): StoredPlayer => ({
  ref,
  player: data.player({ name, steamId64, battleyeGuid: null }),
});

function knowing(...players: readonly StoredPlayer[]): Partial<Community> {
  return {
    players: {
      ...noCommunity.players,
      named: async (name) => players.filter(({ player }) => player.name === name),
      get: async (ref) => players.find((one) => one.ref === ref)?.player ?? null,
    },
  };
}

const asked = (over: PartialContext): PartialContext => ({
  client,
  asker: moderator,
  visibility: 'private',
  ...over,
});
const textOf = ({ embeds: [embed] }: Reply): string => `${embed?.title}\n${embed?.description}`;

async function check(identifier: string, community: Partial<Community>): Promise<Reply> {
  return await commands.bans.run(context(asked({ community, options: { identifier } })));
}

it('checks the player whom a moderator names', async () => {
  const community = knowing(stored('1', 'Anna', banned), stored('2', 'Boris', other));
  expect(textOf(await check('Anna', community))).toContain('is on **1** ban list');
  expect(textOf(await check('Boris', community))).toContain('has no active bans');
});

it('asks which of several is meant, and checks the one who is chosen', async () => {
  const community = knowing(stored('1', 'Anna', banned), stored('2', 'Anna', other));
  const reply = await check('Anna', community);
  expect(textOf(reply)).toContain('matches several players');
  const [menu] = componentsOf(reply);
  expect(textOf((await press(menu!.customId, ['1'], asked({ community })))!)).toContain(
    'is on **1** ban list',
  );
  expect(textOf((await press(menu!.customId, ['2'], asked({ community })))!)).toContain('has no active bans');
});

it('says of a name that nobody has what it takes, and not that nobody is banned', async () => {
  const text = textOf(await check('Nobody', knowing()));
  expect(text).toContain('No player called “Nobody” is known here');
  expect(text).toContain('choose one of the suggestions as you type, or enter a SteamID64');
  // What /bans does not have.
  expect(text).not.toMatch(/leaderboard/);
  expect(textOf(await check('7656119800000000', knowing()))).toContain("isn't a valid player identifier");
});

it('does not call a player free of bans while a ban file cannot be read, and says so of the list', async () => {
  const community = { unreadBanlists: async () => new Set([data.banlist().id]) };
  const file = "its ban file can't be read";
  const unsure = textOf(await check(other, community));
  expect(unsure).toContain(file);
  expect(unsure).not.toContain('has no active bans');
  expect(textOf(await check(banned, community))).toContain('is on **1** ban list');
  expect(textOf(await commands.bans.run(context(asked({ community }))))).toContain(file);
  const away = { unreadBanlists: async () => await Promise.reject(new Error('away')) };
  expect(textOf(await check(other, away))).toContain('has no active bans');
});
