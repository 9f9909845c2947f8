import { describe, expect, it } from 'vitest';
import { deathEmbed, digestEmbed, type Death, type FeedView } from '../../src/embeds/kill-feed.ts';
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
    expect(deathEmbed(english, viewOn(map), aDeath).description).toContain(`📍 [Map](${url})`);
  });

  it.each(['banov', '../../evil', null])('on %s is a text', (map) => {
    const { description } = deathEmbed(english, viewOn(map), aDeath);
    expect(description).toContain('📍 4568 / 9877');
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
    `${at(0)} 🔫 **Anna** killed **V0** · M4-A1 · 120.4 m`,
  ]);
  expect(lines.indexOf('**Server two**')).toBe(12);
  expect(lines).toContain(`${at(4)} 🔫 **Anna** killed **V4** · M4-A1 · 120.4 m · 5 kills without dying`);
  expect(lines).toContain(`${at(6)} 🔫 **Anna** killed **V6** · M4-A1 · 120.4 m · ends a streak of 3 kills`);
  const victims = lines.flatMap((line) =>
    [...line.matchAll(/\*\*V(\d+)\*\*/g)].map(([, index]) => Number(index)),
  );
  expect(victims).toEqual([0, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 1, 4, 7, 10, 13]);
});
