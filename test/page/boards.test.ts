import { describe, expect, it } from 'vitest';
import type { BoardRow, Period } from '../../src/embeds/top.ts';
import type { PageProject } from '../../src/page/project.ts';
import { leaderboard, now, player, reference } from '../embeds/contract-data.ts';
import { openPage, pageProject, publicUrl, visit } from './visited.ts';

const week: Period = {
  id: 'week',
  kind: 'week',
  name: null,
  from: now - 86_400_000,
  until: null,
  previous: null,
};
const season: Period = { ...week, id: 'season.1', kind: 'season', name: 'One', until: now - 3_600_000 };
const newcomer = reference({ steamId64: '76561198000000999', name: 'Newcomer' });
const row = (name: string, over: Partial<BoardRow> = {}): BoardRow => ({
  rank: 1,
  player: reference({ name }),
  value: 5,
  change: null,
  ...over,
});

const leaderboards = (['PLAYER_KILLS', 'DEATHS', 'ZOMBIE_KILLS', 'PLAYTIME'] as const).map((metric) =>
  leaderboard(['Anna', 'Bert', 'Carl', 'Dora'], { metric }),
);

function open(over: Partial<Omit<PageProject, 'client'>> = {}, boards: ('DEATHS' | 'KD')[] | null = null) {
  const project = pageProject(
    { listLeaderboards: () => ({ leaderboards }) },
    {
      boards: {
        // New ones each time, as those of the store.
        offered: () => Promise.resolve({ periods: [{ ...week }, { ...season }] }),
        read: ({ metric, period }) =>
          Promise.resolve({
            rows:
              metric === 'KD' ? [row('Ratio', { value: 2.5 })] : [row('', { player: newcomer, change: 3 })],
            since: period?.from ?? null,
            previous: [],
          }),
        changes: () => Promise.resolve(new Map()),
      },
      ...over,
    },
  );
  const page = openPage([project], boards === null ? {} : { boards });
  return {
    page,
    textOf: async (path: string): Promise<string> => (await visit(page, path))?.text ?? '',
    statusOf: async (path: string): Promise<number | undefined> => (await visit(page, path))?.status,
  };
}

/** Reads each value once, as for the minute in which a board is kept. */
function remembering(): PageProject['remember'] {
  const remembered = new Map<string, unknown>();
  return async <T>(key: readonly unknown[], read: () => Promise<T>): Promise<T> => {
    const text = JSON.stringify(key);
    if (!remembered.has(text)) remembered.set(text, await read());
    return remembered.get(text) as T;
  };
}

describe('the first page', () => {
  it('has the leaderboards that the owner chose, and leads to all', async () => {
    const titles = async (boards: ('DEATHS' | 'KD')[] | null): Promise<string[]> =>
      [...(await open({}, boards).textOf('/')).matchAll(/href="\/boards\/([\w-]+)">[^<]*<\/a><\/h3>/g)].map(
        ([, name = '']) => name,
      );
    expect(await titles(null)).toEqual(['player-kills', 'playtime']);
    expect(await titles(['KD', 'DEATHS'])).toEqual(['kd', 'deaths']);
    expect(await open().textOf('/')).toContain('<a href="/boards/player-kills">All leaderboards</a>');
  });
});

describe('a leaderboard', () => {
  it('has tabs for what else there is, and keeps the period where it can', async () => {
    const { textOf } = open({ remember: remembering() });
    const text = await textOf('/boards/player-kills/week?lang=en');
    expect(text).toContain('<h1>Player kills · This week</h1>');
    expect(text).toMatch(/href="\/boards\/deaths\/week\?lang=en">💀 Deaths/);
    expect(text).toMatch(/href="\/boards\/zombie-kills\?lang=en">🧟 Infected killed/);
    expect(text).not.toContain('/boards/longest-life');
    expect(text).toMatch(/href="\/boards\/player-kills\?lang=en">All time/);
    expect(text).toMatch(/href="\/boards\/player-kills\/season.1\?lang=en">Season One/);
    expect(text.match(/aria-current="page"/g)).toHaveLength(2);
    const german = await textOf('/boards/player-kills/week?lang=de');
    expect(german.match(/aria-current="page"/g)).toHaveLength(2);
    expect(text).toContain('href="/boards/player-kills/week?lang=de"');
  });

  it('says since when it counts, until when, how old it is, and who went up', async () => {
    const plain = async (path: string): Promise<string> =>
      (await open().textOf(path)).replace(/<\/?(?:time|li)[^>]*>/g, '');
    const running = await plain('/boards/player-kills/week');
    expect(running).toContain('Counted from the server logs since Thu, Nov 19, 7:30 PM');
    expect(running).toContain('Updated Fri, Nov 20, 7:30 PM');
    expect(running).toContain('▲3');
    expect(running).toContain('▲ ▼ Places since last week');
    const ended = await plain('/boards/player-kills/season.1');
    expect(ended).toContain('logs, Thu, Nov 19, 7:30 PM to Fri, Nov 20, 6:30 PM');
    expect(await plain('/boards/player-kills')).not.toMatch(/Counted|▲/);
    expect(await plain('/boards/kd')).toMatch(/Ratio.*2\.5.*at least 5 kills/);
  });

  it('gives no medals for dying', async () => {
    const { textOf } = open();
    expect(await textOf('/boards/player-kills')).toContain('🥇');
    expect(await textOf('/boards/deaths')).not.toContain('🥇');
  });

  it('is not there for a period that has not begun, or of which nobody counts it', async () => {
    const { statusOf } = open();
    expect(await statusOf('/boards/player-kills/week')).toBe(200);
    for (const path of ['/boards/player-kills/wipe', '/boards/zombie-kills/week', '/boards/nothing/week'])
      expect(await statusOf(path), path).toBe(404);
  });
});

describe("a player's page", () => {
  const standing = {
    player: player({ name: 'Newcomer' }),
    ranks: { PLAYER_KILLS: 2 },
    activity: [0, 3_600, 0],
    kills: { favouriteWeapon: { name: 'BK-18', kills: 9 } },
  };

  it('is the card of who is on a board of a period, with a picture for links', async () => {
    const { page, textOf } = open({
      player: ({ name }) => Promise.resolve(name === 'Newcomer' ? standing : null),
    });
    const [, path = ''] =
      /href="(\/players\/[\w-]{16})"/.exec(await textOf('/boards/player-kills/week')) ?? [];
    const text = await textOf(path);
    expect(text).toMatch(/<h1><bdi>Newcomer<\/bdi><\/h1>/);
    expect(text).toMatch(/<a href="\/boards\/player-kills">Player kills<\/a> <strong>#2<\/strong>/);
    expect(text).toMatch(/K\/D ratio.*Favorite weapon.*BK.18.*Last 3 days.*played on 1 day · 1h/);
    expect(text.match(/<rect class="(?:taken|slots)"/g)).toHaveLength(3);
    const [, image = ''] = /property="og:image" content="([^"]*)"/.exec(text) ?? [];
    expect(image).toMatch(new RegExp(`^${publicUrl}${path}/card\\.png\\?lang=en&amp;v=[\\w-]{12}$`));
    const picture = await visit(page, image.replace('&amp;', '&'));
    expect([picture?.type, picture?.body.subarray(1, 4).toString()]).toEqual(['image/png', 'PNG']);
    expect(text).toContain('<meta property="og:title" content="Newcomer"/>');
  });

  it('is searched for without counting any leaderboard twice in a minute', async () => {
    const counted: string[] = [];
    const { statusOf } = open({
      boards: {
        offered: () => Promise.resolve({ periods: [week] }),
        read(board) {
          counted.push(JSON.stringify(board));
          return Promise.resolve({ rows: [], since: null, previous: [] });
        },
        changes: () => Promise.resolve(new Map()),
      },
      remember: remembering(),
    });
    for (const key of ['AAAAAAAAAAAAAAAA', 'BBBBBBBBBBBBBBBB', 'no-key'])
      expect(await statusOf(`/players/${key}`)).toBe(404);
    expect(counted).toContainEqual(expect.stringContaining('"metric":"KD","period":null'));
    expect(new Set(counted).size).toBe(counted.length);
  });

  it('is not there for who is on no board, or was hidden since', async () => {
    const { textOf, statusOf } = open();
    const [, path = ''] =
      /href="(\/players\/[\w-]{16})"/.exec(await textOf('/boards/player-kills/week')) ?? [];
    expect(await statusOf(path)).toBe(404);
    expect(await statusOf(`${path}/card.png`)).toBe(404);
    expect(await statusOf('/players/AAAAAAAAAAAAAAAA')).toBe(404);
  });
});
