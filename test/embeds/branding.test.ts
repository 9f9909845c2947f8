import { expect, it } from 'vitest';
import { branded, colours } from '../../src/embeds/branding.ts';

const branding = { name: 'Northwood', url: null, logoUrl: null, bannerUrl: null, accentColor: 0x123456 };

it('puts the name of the project above an embed, and its colour where the embed shows no state', () => {
  expect(branded(branding, {}, colours.gold)).toMatchObject({
    author: { name: 'Northwood' },
    color: 0x123456,
  });
  expect(branded(branding, { color: colours.offline }).color).toBe(colours.offline);
  expect(branded({ ...branding, accentColor: null }, {}, colours.gold).color).toBe(colours.gold);
  expect(branded(null, {})).toEqual({ color: colours.accent });
});
