import { expect, it } from 'vitest';
import { battleyeGuidOf, dayzIdOf, parseIdentifier } from '../../src/api/identifiers.ts';

it.each([
  ['76561198207985320', 'jB_bOEJyq9mvxR8JFgT_HcJvTp5Ia8yUrdy9ee9TBak=', 'a8c7493e762cd03edd55ba90217c9fe4'],
  ['76561197998690788', 'aSeZrScYkwQmCCVYeYx88yUS-RSUQG7g7xYDDomky38=', '3136185f8ab4f601875da476f9a00dbb'],
  ['76561198017124053', 'D1qir9yQ56fWAgSTys-2jelHhSoc_2BXuXIOh4NbH0M=', 'f64c12f305a43379d3618cd8ec90c613'],
])(
  'derives from SteamID64 %s the DayZ id and the BattlEye GUID that real servers logged',
  (steam, dayz, guid) => {
    expect(dayzIdOf(steam)).toBe(dayz);
    expect(battleyeGuidOf(steam)).toBe(guid);
  },
);

it('distinguishes the kinds of identifier and accepts no other text', () => {
  expect(parseIdentifier('76561198207985320')).toEqual({ kind: 'steamId64', value: '76561198207985320' });
  expect(parseIdentifier('A8C7493E762CD03EDD55BA90217C9FE4')?.kind).toBe('battleyeGuid');
  expect(parseIdentifier('5F1D7A4E3C2B1A0098765432')).toEqual({
    kind: 'cftoolsId',
    value: '5f1d7a4e3c2b1a0098765432',
  });
  for (const text of [
    '',
    'steam:76561198207985320',
    ' 76561198207985320',
    '76561198207985320\n',
    '٧٦٥٦١١٩٨٢٠٧٩٨٥٣٢٠',
  ]) {
    expect(parseIdentifier(text)).toBeNull();
  }
});
