import { expect, it } from 'vitest';
import { howKilled } from '../src/index.ts';

const blow = { weapon: null, ammo: null, bodyPart: null, meters: null };
const kindOf = (over: Partial<Parameters<typeof howKilled>[0]>) => howKilled({ ...blow, ...over }).weaponKind;

it.each([
  ['M16A4', 'rifle'],
  ['Mosin 91/30', 'rifle'],
  ['Savage Stevens 301', 'rifle'],
  ['M249 SAW', 'rifle'],
  ['FNX45', 'pistol'],
  ['Magnum', 'pistol'],
  ['Makarov IJ70', 'pistol'],
  ['Kitchen Knife', 'blade'],
  ['Stone Knife', 'blade'],
  ['Crossbow', 'bow'],
  ['6-M7 Frag Grenade', 'explosive'],
])('knows the kind of %s by its name', (weapon, kind) => {
  expect(kindOf({ weapon, meters: 20 })).toBe(kind);
});

it('tells weapons of mods by what their names say, their ammunition, or their distance', () => {
  expect(kindOf({ weapon: 'Zombie Slayer Katana' })).toBe('blade');
  expect(kindOf({ weapon: 'Thingamajig', ammo: 'Bullet_556x45' })).toBe('rifle');
  expect(kindOf({ weapon: 'Thingamajig', meters: 240 })).toBe('rifle');
  expect(kindOf({ weapon: 'Thingamajig', meters: 2 })).toBeNull();
});

it('takes a blow by hand for what it is, whatever was held', () => {
  expect(kindOf({ ammo: 'MeleeFist' })).toBe('fists');
  expect(kindOf({ weapon: 'AKM', ammo: 'MeleeSoft' })).toBe('blunt');
  expect(kindOf({ weapon: 'AKM', ammo: 'Bullet_762x39' })).toBe('rifle');
});

it.each(['Head', 'Brain'])('counts a hit into the %s as one into the head', (bodyPart) => {
  expect(howKilled({ ...blow, bodyPart }).isHeadshot).toBe(true);
  expect(howKilled({ ...blow, bodyPart: 'Torso' }).isHeadshot).toBe(false);
});
