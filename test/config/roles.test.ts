import { expect, it } from 'vitest';
import { parseEnvironment } from '../../src/config/environment.ts';

it('a process has all roles unless the environment names some', () => {
  expect(parseEnvironment({}).roles).toEqual(['api', 'follow', 'poll', 'bot']);
  expect(parseEnvironment({ OUTPOST_ROLES: '' }).roles).toEqual(['api', 'follow', 'poll', 'bot']);
  expect(parseEnvironment({ OUTPOST_ROLES: ' bot,api, bot' }).roles).toEqual(['bot', 'api']);
});

it.each(['everything', 'api,', ',', 'api poll'])(
  'refuses the roles "%s", and says which there are',
  (list) => {
    expect(() => parseEnvironment({ OUTPOST_ROLES: list })).toThrow(
      /OUTPOST_ROLES: expected roles out of api, follow, poll, bot/,
    );
  },
);
