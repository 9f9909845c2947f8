import { expect, it } from 'vitest';
import { alertEmbed } from '../../src/embeds/alert.ts';
import { languageOf } from '../../src/locales/language.ts';

it('of many players invites to join while there is room', () => {
  const server = { id: 'a', name: 'Northwood' };
  const textOf = (players: number) =>
    alertEmbed(languageOf('en-US'), server, { kind: 'players', players, maxPlayers: 60 }).description;
  expect(textOf(59)).toContain('A good time to join!');
  expect(textOf(60)).toMatch(/60 \/ 60 · full$/);
});
