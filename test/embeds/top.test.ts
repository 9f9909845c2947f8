import { expect, it } from 'vitest';
import { playerKey, topEmbed, type RankChange } from '../../src/embeds/top.ts';
import { languageOf } from '../../src/locales/language.ts';
import * as data from './contract-data.ts';

const language = languageOf('en-US');
const legend = '▲ ▼ Places since last week';

function descriptionOf(changes: Readonly<Record<string, RankChange>>): string {
  const board = data.leaderboard(Object.keys(changes));
  const byPlayer = new Map(
    board.rows.map(({ player }) => [playerKey(player), changes[player.name ?? ''] ?? null]),
  );
  const view = { board, changes: byPlayer, receivedAt: data.now, stale: false };
  return topEmbed(language, null, view).description ?? '';
}

it('says who is new on a board, unless the board is new', () => {
  const one = descriptionOf({ Ann: 0, Bob: 'new', Cid: -1, Dan: 2 });
  expect(one.match(/🆕|[▲▼]\d/gu)).toEqual(['🆕', '▼1', '▲2']);
  expect(one).toContain(legend);
  const most = descriptionOf({ Ann: 'new', Bob: 'new', Cid: 1 });
  expect(most.match(/🆕|[▲▼]\d/gu)).toEqual(['▲1']);
  const all = descriptionOf({ Ann: 'new', Bob: 'new', Cid: 'new' });
  expect(all).not.toMatch(/🆕|▲|▼/u);
});
