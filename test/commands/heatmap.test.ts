import { describe, expect, it } from 'vitest';
import type { Reply } from '../../src/commands/command.ts';
import { commands } from '../../src/commands/index.ts';
import type { Community, HeatMap, HeatQuery, Pictures } from '../../src/commands/interfaces/community.ts';
import { terrainOf } from '../../src/embeds/maps.ts';
import { answerViolations } from '../harness/request-rules.ts';
import { componentsOf, press } from './components.ts';
import { asker, context, type PartialContext } from './context.ts';
import { contractClient } from './contract-client.ts';
import * as data from '../embeds/contract-data.ts';

const heat: HeatMap = {
  cells: [{ x: 51, z: 11, events: 41 }],
  leftOut: 7,
  terrain: terrainOf('chernarusplus'),
  since: data.now,
  delayMinutes: 1440,
  imagePath: '/maps/chernarus.png',
};
const week = { id: 'week', kind: 'week', name: null, from: 1, until: null, previous: null } as const;
const manager = asker({ permissions: 32n });

/** What the bot knows and draws, and what the command asked of it. */
function known(answer: HeatMap | 'off' | null = heat) {
  const asked: HeatQuery[] = [];
  const drawn: (string | null)[] = [];
  const community: Partial<Community> = {
    boards: {
      offered: async () => ({ periods: [week], weapons: ['M4A1', 'SVD'] }),
      read: async () => ({ rows: [], since: null, previous: [] }),
      changes: async () => new Map(),
    },
    async heatMap(query) {
      asked.push(query);
      return answer;
    },
  };
  const pictures: Partial<Pictures> = {
    async heatMap(_, imagePath) {
      drawn.push(imagePath);
      return { name: 'heat-map.png', data: Buffer.from('x'), alt: 'a map' };
    },
  };
  return { given: { community, pictures }, asked, drawn };
}

async function run(over: PartialContext = {}): Promise<Reply & { text: string }> {
  const options = { server: 'northwood-1', what: 'kills', ...over.options };
  const reply = await commands.heatmap.run(context({ visibility: 'private', ...over, options }));
  expect(answerViolations(reply)).toEqual([]);
  return { ...reply, text: `${reply.embeds[0]?.title}\n${reply.embeds[0]?.description}` };
}

describe('/heatmap', () => {
  it('shows the map of a server, with the picture of its owner below', async () => {
    const { given, asked, drawn } = known();
    const reply = await run({ ...given, options: { period: 'week', weapon: 'm4a1' } });
    expect(reply.text).toContain('⚔️ Kills · M4A1 · Northwood | Chernarus');
    expect(reply.text).toContain('This week · **41 kills**');
    expect(reply.embeds[0]?.image?.url).toBe('attachment://heat-map.png');
    expect(asked).toEqual([
      {
        serverId: 'northwood-1',
        map: 'chernarusplus',
        kind: 'kills',
        period: week,
        weapon: 'M4A1',
        isFresh: false,
      },
    ]);
    expect(drawn).toEqual(['/maps/chernarus.png']);
  });

  it('answers in words where no picture can be drawn', async () => {
    const { given } = known();
    const reply = await run({ ...given, pictures: { heatMap: async () => null } });
    expect(reply.text).toContain('Elektrozavodsk');
    expect(reply.files).toBeUndefined();
  });

  it('is newer only for who manages the guild, and only where nobody else sees it', async () => {
    const { given, asked } = known();
    await run({ ...given, asker: manager });
    await run({ ...given, asker: manager, visibility: 'public' });
    await run({ ...given });
    expect(asked.map(({ isFresh }) => isFresh)).toEqual([true, false, false]);
    const reply = await run({ ...given, asker: manager, mayShare: true });
    const share = componentsOf(reply).find(({ customId }) => customId.includes('share'))!;
    const over = { ...given, asker: manager };
    expect(commands.heatmap.components?.mode('share')).toBe('public');
    await press(share.customId, [], { ...over, visibility: 'public' });
    expect(asked.at(-1)).toMatchObject({ isFresh: false, kind: 'kills', serverId: 'northwood-1' });
  });

  it('changes what it shows and the period by its menus, and keeps the rest', async () => {
    const { given, asked } = known();
    const reply = await run({ ...given, options: { weapon: 'SVD' } });
    const [what, period] = componentsOf(reply);
    await press(what!.customId, ['shots'], { ...given, visibility: 'private' });
    expect(asked.at(-1)).toMatchObject({ kind: 'shots', weapon: 'SVD', period: null });
    await press(period!.customId, ['week'], { ...given, visibility: 'private' });
    expect(asked.at(-1)).toMatchObject({ kind: 'kills', weapon: 'SVD', period: week });
  });

  it('is shared and changed also where its server, season and weapon have long ids', async () => {
    const { given, asked } = known();
    const id = 'northwood-chernarus-hardcore-pvp';
    const weapon = 'SNAFU_Kriss_Vector_Black_Tan_Gun';
    const season = { ...week, id: 'season.1735689600', kind: 'season', name: 'Winter' } as const;
    const offered = async () => ({ periods: [season], weapons: [weapon, 'SVD'] });
    const client = contractClient({
      listServers: () => ({
        servers: data.servers.map((server, i) => (i === 0 ? { ...server, id } : server)),
      }),
    });
    const over = {
      client,
      ...given,
      community: { ...given.community, boards: { ...given.community.boards!, offered } },
      mayShare: true,
    };
    const reply = await run({ ...over, options: { server: id, period: season.id, weapon } });
    const parts = componentsOf(reply);
    await press(parts.find(({ customId }) => customId.includes('share'))!.customId, [], over);
    await press(parts[0]!.customId, ['shots'], over);
    const same = { serverId: id, period: season, weapon };
    expect(asked).toMatchObject([same, same, { ...same, kind: 'shots' }]);
  });

  it('says what is missing', async () => {
    const { given } = known();
    expect((await run({ ...known('off').given })).text).toContain('`killPositions: true`');
    expect((await run({ ...known(null).given })).text).toContain("doesn't read its logs");
    expect((await run({ ...given, options: { weapon: '*spoon*' } })).text).toContain('“\\*spoon\\*”');
    expect((await run({ ...given, options: { period: 'tomorrow' } })).text).toContain('Available');
    expect((await run({ ...given, options: { server: 'nowhere' } })).text).toContain('no server called');
  });

  it('completes servers, periods and weapons', async () => {
    const client = contractClient();
    const complete = async (name: string, value: string) => {
      const focused = { name, value };
      const choices = await commands.heatmap.autocomplete!({
        ...context({ client, ...known().given }),
        focused,
      });
      return choices.map((choice) => choice.value);
    };
    expect(await complete('server', 'livonia')).toEqual(['northwood-2']);
    expect(await complete('period', '')).toEqual(['all', 'week']);
    expect(await complete('weapon', 'm')).toEqual(['M4A1']);
  });
});
