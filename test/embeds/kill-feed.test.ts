import { describe, expect, it } from 'vitest';
import { deathEmbed, digestEmbed, type Death, type FeedView } from '../../src/embeds/kill-feed.ts';
import { languageOf } from '../../src/locales/language.ts';
import { aDeath } from '../bot/feeds/feed-world.ts';
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
  expect(embed.description?.split('\n')).toHaveLength(shown);
  expect(embed.description?.length).toBeLessThanOrEqual(4096);
});
