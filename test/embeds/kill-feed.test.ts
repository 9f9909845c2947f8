import { describe, expect, it } from 'vitest';
import {
  compactEmbed,
  deathEmbed,
  digestEmbed,
  type Death,
  type FeedView,
} from '../../src/embeds/kill-feed.ts';
import { languageOf } from '../../src/locales/language.ts';
import { aDeath } from '../bot/channels/feeds/feed-world.ts';
import * as data from './contract-data.ts';

const english = languageOf('en-US');
const viewOn = (map: string | null): FeedView => ({
  servers: new Map([['northwood-1', data.server({ map })]]),
  withServer: true,
  withPositions: true,
});

describe('the place of a death', () => {
  it.each([
    ['chernarusplus', 'https://www.izurvive.com/chernarusplussatmap/#location=4568;9877;6'],
    ['dayzOffline.enoch', 'https://www.izurvive.com/livonia/#location=4568;9877;6'],
    ['Namalsk', 'https://www.izurvive.com/namalsk/#location=4568;9877;6'],
  ])('on %s is a link', (map, url) => {
    expect(deathEmbed(english, viewOn(map), aDeath).description).toContain(`📍\u00a0[Map](${url})`);
  });

  it.each(['banov', '../../evil', null])('on %s is a text', (map) => {
    const { description } = deathEmbed(english, viewOn(map), aDeath);
    expect(description).toContain('📍\u00a04568\u00a0/\u00a09877');
    expect(description).not.toContain('http');
  });
});

it('a digest holds as many deaths as fit, however long their names are', () => {
  const death: Death = { ...aDeath, victim: { name: '*'.repeat(500) }, weapon: '['.repeat(500) };
  const { embed, shown } = digestEmbed(english, viewOn('chernarusplus'), [
    death,
    ...Array.from({ length: 149 }, () => death),
  ]);
  expect(shown).toBeGreaterThan(5);
  expect(shown).toBeLessThan(150);
  expect(embed.title).toBe(`${shown} kills`);
  expect(embed.description?.split('\n')).toHaveLength(1 + shown);
  expect(embed.description?.length).toBeLessThanOrEqual(4096);
});

it('a compact feed has as many deaths in a message as Discord takes', () => {
  const others = Array.from({ length: 60 }, () => aDeath);
  const { embed, shown } = compactEmbed(english, viewOn(null), [aDeath, ...others]);
  expect(embed.description?.split('\n')).toHaveLength(shown);
  expect(embed.description!.length).toBeLessThanOrEqual(2_000);
  expect(embed.description!.length).toBeGreaterThan(1_900);
});

it('a digest names each server once, and says when each death was and which streaks it made or ended', () => {
  const servers = new Map(
    ['one', 'two'].map((id) => [
      `northwood-${id}`,
      data.server({ id: `northwood-${id}`, name: `Server ${id}` }),
    ]),
  );
  const view = { servers, withServer: true, withPositions: false };
  const deaths = Array.from({ length: 16 }, (_, index): Death => ({
    ...aDeath,
    id: index,
    serverId: index % 3 === 1 ? 'northwood-two' : 'northwood-one',
    at: data.now + index * 60_000,
    victim: { name: `V${index}` },
    streak: index === 4 ? 5 : 1,
    endedStreak: index === 6 ? 3 : 0,
  }));
  const lines =
    digestEmbed(english, view, deaths as [Death, ...Death[]]).embed.description?.split('\n') ?? [];
  expect(lines).toHaveLength(2 + 16);
  const at = (index: number) => `<t:${Math.floor(data.now / 1000) + index * 60}:t>`;
  expect(lines.slice(0, 2)).toEqual([
    '**Server one**',
    `${at(0)} **Anna** 🔫 **V0** · M4\u2011A1 · 120.4\u00a0m`,
  ]);
  expect(lines.indexOf('**Server two**')).toBe(12);
  expect(lines).toContain(`${at(4)} **Anna** 🔫 **V4** · M4\u2011A1 · 120.4\u00a0m · 5 kills without dying`);
  expect(lines).toContain(
    `${at(6)} **Anna** 🔫 **V6** · M4\u2011A1 · 120.4\u00a0m · ends a streak of 3 kills`,
  );
  const victims = lines.flatMap((line) =>
    [...line.matchAll(/\*\*V(\d+)\*\*/g)].map(([, index]) => Number(index)),
  );
  expect(victims).toEqual([0, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 1, 4, 7, 10, 13]);
});

describe('what happened', () => {
  const embedOf = (over: Partial<Death>) => deathEmbed(english, viewOn(null), { ...aDeath, ...over });
  const lookOf = (over: Partial<Death>): string => {
    const { description = '', color = 0 } = embedOf(over);
    return `${description.split(' ')[0]} ${color.toString(16)}`;
  };
  const byCause = (cause: Death['cause']): string =>
    lookOf({ cause, killer: null, weapon: null, meters: null });

  it('shows in the sign and the colour of a death', () => {
    const kinds = ['fists', 'blade', 'bow', 'pistol', 'rifle', 'explosive'] as const;
    const causes = ['infected', 'animal', 'vehicle', 'fall', 'bled-out'] as const;
    const looks = [
      ...kinds.map((weaponKind) => lookOf({ weaponKind, meters: 20 })),
      lookOf({ weaponKind: 'rifle', meters: 812 }),
      ...causes.map(byCause),
    ];
    expect(new Set(looks.map((look) => look.split(' ')[0])).size).toBe(looks.length);
    expect(new Set(looks.map((look) => look.split(' ')[1])).size).toBe(looks.length);
  });

  it('says so where a shot hit the head, in each language', () => {
    const shot = { weaponKind: 'rifle', isHeadshot: true } as const;
    expect(embedOf(shot).description).toContain('· 120.4\u00a0m · **headshot**');
    expect(embedOf({ ...shot, isHeadshot: false }).description).not.toContain('headshot');
    expect(embedOf({ ...shot, weaponKind: 'blunt' }).description).not.toContain('headshot');
    const german = deathEmbed(languageOf('de'), viewOn(null), { ...aDeath, ...shot });
    expect(german.description).toContain('**Kopfschuss**');
  });

  it('is golden as the record of a season or month, which it says', () => {
    const gold = embedOf({ streak: 5 }).color;
    const shot = { meters: 612, streak: 1, endedStreak: 0, weaponKind: 'rifle' } as const;
    const record = embedOf({ ...shot, record: 'season' });
    expect(record.color).toBe(gold);
    expect(record.description).toMatch(/\n-# 🏆 longest shot of the season$/);
    expect(embedOf({ ...shot, record: 'month' }).description).toContain('🏆 longest shot of the month');
    expect(embedOf({ ...shot, record: null }).color).not.toBe(gold);
    const grenade = embedOf({ ...shot, weaponKind: 'explosive', record: 'season' });
    expect([grenade.color === gold, grenade.description?.includes('🏆')]).toEqual([false, false]);
    const { embed } = digestEmbed(english, viewOn(null), [aDeath, { ...aDeath, ...shot, record: 'season' }]);
    expect(embed.color).toBe(gold);
    expect(embed.description).toMatch(/612\sm.* · 🏆 longest shot of the season$/);
  });

  it('is golden in a long streak, also within a digest', () => {
    const gold = embedOf({ streak: 5 }).color;
    expect(embedOf({ streak: 4 }).color).not.toBe(gold);
    const digest = (streak: number) =>
      digestEmbed(english, viewOn(null), [aDeath, { ...aDeath, streak }]).embed;
    expect(digest(5).color).toBe(gold);
    expect(digest(4).color).not.toBe(gold);
  });

  it('stays in order with names that are markup, right-to-left, wide or emoji', () => {
    const names = ['**x** [a](https://b.example)', 'שלום עולם', '﷽'.repeat(128), '👨‍👩‍👧‍👦'.repeat(20)];
    for (const name of names) {
      const { description = '' } = embedOf({
        weaponKind: 'rifle',
        isHeadshot: true,
        killer: { name },
        weapon: name,
      });
      expect(description).toMatch(/^🎯 \*\*/);
      expect(description).toMatch(/ · 120\.4\sm · \*\*headshot\*\* · 📍\s4568\s\/\s9877$/);
      expect(description.length).toBeLessThan(300);
      expect(description).not.toMatch(/[^\\]\]\(/);
    }
  });
});
