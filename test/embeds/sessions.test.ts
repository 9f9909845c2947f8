import { describe, expect, it } from 'vitest';
import { onlineEmbed, type Session } from '../../src/embeds/online.ts';
import { fit } from '../../src/embeds/limits.ts';
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
  return fit([
    onlineEmbed(language, {
      server: data.server(),
      result: silent,
      live: { sessions, observedAt },
      receivedAt: now,
      stale: false,
    }),
  ])[0]!;
}

describe('/online with a query that knows more than the service', () => {
  it('shows names with how long each has been on, the longest first', () => {
    const embed = online([
      { name: 'zoe', seconds: 60 },
      { name: 'Anna', seconds: 3_725 },
      { name: 'Bert', seconds: null },
    ]);
    expect(embed.fields?.[0]?.value).toBe('Anna · 1h 2m\nzoe · 1m\nBert');
    expect(embed.description).not.toContain('but not their names');
    expect(embed.description).not.toContain('no name or Steam ID');
  });

  it('says how long the nameless have been on, in one sentence, and that it does not know who they are', () => {
    const embed = online([30, 7_200, 3_600].map((seconds) => ({ name: null, seconds })));
    expect(embed.description).toContain('but not their names');
    expect(embed.description).toContain('Time online: 30s to 2h 0m, typically 1h 0m.');
    expect(embed.fields).toBeUndefined();
    const alone = online([{ name: null, seconds: 60 }]);
    expect(alone.description).toContain('Online for 1m.');
  });

  it('mentions that only some names are known', () => {
    const embed = online([
      { name: 'Anna', seconds: 60 },
      { name: null, seconds: 120 },
    ]);
    expect(embed.description).toContain('1 entry has no name or Steam ID');
    expect(embed.fields?.map(({ value }) => value)).toEqual(['Anna · 1m']);
    expect(embed.description).toContain('Online for 2m.');
  });

  it('keeps to the service where the two are of different times', () => {
    const embed = online([{ name: 'Anna', seconds: 60 }], now - 600_000);
    expect(embed.fields).toBeUndefined();
    expect(embed.description).toContain('but not their names');
  });
});
