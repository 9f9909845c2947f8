import { describe, expect, it } from 'vitest';
import { onlineEmbed } from '../../src/embeds/online.ts';
import { pagesOf } from '../../src/embeds/pages.ts';
import type { Session } from '../../src/embeds/sessions.ts';
import { languageOf } from '../../src/locales/language.ts';
import * as data from './contract-data.ts';

const language = languageOf('en-US');
const { now } = data;

function online(sessions: readonly Session[], observedAt = now, result = {}) {
  const count = sessions.length;
  const silent = data.online([], {
    online: count,
    listedPlayers: count,
    incompletePlayers: count,
    ...result,
  });
  return onlineEmbed(language, null, {
    server: data.server(),
    result: silent,
    live: { sessions, observedAt },
    receivedAt: now,
    stale: false,
  });
}

describe('/online with a query that tells more than the service', () => {
  it('shows names with how long each has been on, in alphabetical order', () => {
    const embed = online([
      { name: 'zoe', seconds: 60 },
      { name: 'Anna', seconds: 3_725 },
      { name: 'Bert', seconds: null },
    ]);
    expect(embed.fields?.[0]?.value).toBe('Anna · 1h 2m\nBert\nzoe · 1m');
    expect(embed.description).not.toContain('not who they are');
    expect(embed.description).not.toContain('came without');
  });

  it('shows how long the nameless have been on, the longest first, and says that it does not know who', () => {
    const embed = online([30, 7_200, 3_600].map((seconds) => ({ name: null, seconds })));
    expect(embed.description).toContain('not who they are');
    expect(embed.fields).toEqual([{ name: 'On the server for', value: '2h\u00a00m · 1h\u00a00m · 30s' }]);
  });

  it('says how many more there are than it shows', () => {
    const embed = online(Array.from({ length: 60 }, (_, seconds) => ({ name: null, seconds })));
    expect(embed.fields?.[0]?.value).toContain('…and 45 more');
  });

  it('tells of some names only', () => {
    const embed = online([
      { name: 'Anna', seconds: 60 },
      { name: null, seconds: 120 },
    ]);
    expect(embed.description).toContain('1 entry came without');
    expect(embed.fields?.map(({ value }) => value)).toEqual(['Anna · 1m', '2m']);
  });

  it('keeps to the service where the two are of different times', () => {
    const embed = online([{ name: 'Anna', seconds: 60 }], now - 600_000);
    expect(embed.fields).toBeUndefined();
    expect(embed.description).toContain('not who they are');
  });
});

describe('pages', () => {
  const texts = ['aaaa', 'bb', 'cccccc', 'd', 'eeeeeeeeeeee', 'f'];

  it('end at so many texts or characters, and leave nothing out', () => {
    expect(pagesOf(texts, 2, 7)).toEqual([['aaaa', 'bb'], ['cccccc', 'd'], ['eeeeeeeeeeee'], ['f']]);
    expect(pagesOf(texts, 100, 1_000)).toEqual([texts]);
  });

  it('are one at least', () => {
    expect(pagesOf([], 2, 7)).toEqual([[]]);
  });
});
