import { expect, it } from 'vitest';
import type { Answers } from '../../../src/cli/init/answers.ts';
import { reportOf } from '../../../src/cli/init/report.ts';
import type { PlannedServer } from '../../../src/cli/init/answers.ts';
import { createSetup } from '../../../src/bot/setup.ts';

const server: PlannedServer = {
  name: 'One',
  isNamed: true,
  host: '127.0.0.1',
  port: 2302,
  queryPort: 27016,
  place: null,
  keyFile: null,
  logs: null,
  playersDb: null,
  messagesFile: null,
  banFiles: [],
  missing: [],
};

function missing(answers: Partial<Answers>): string {
  const serverIds = ['a-1', 'a-2', 'a-3'];
  const written = {
    serverIds,
    variables: [],
    overridden: [],
    configFile: 'outpost.yaml',
    storeUrl: undefined,
  };
  return reportOf(answers, written).missing.join('\n');
}

it('names the Discord servers of a bot that is in several', () => {
  const application = { id: '1', name: 'Outpost', inviteUrl: 'https://example.org/invite' };
  const guilds = [
    { id: '10', name: 'A' },
    { id: '11', name: 'B' },
  ];
  const bot = { setup: createSetup('token', null), application, newToken: null };
  const several = missing({ bot, guilds });
  expect(several).toContain('--guild names none');
  expect(several).toContain('(10 is A, 11 is B)');
  expect(several).not.toContain('invite');
  expect(missing({ bot, guilds: [] })).toContain('Add the bot to your Discord server');
});

it('says that the time zone of a host was guessed', () => {
  const place = { type: 'ftp' as const, host: 'h', port: 21, username: 'u', password: 'p' };
  const rented = { ...server, place, logs: '/profiles' };
  const timezone = { zone: 'UTC', isGuess: false };
  expect(missing({ servers: [rented], timezone: { zone: 'UTC', isGuess: true } })).toContain(
    'Check "timezone"',
  );
  expect(missing({ servers: [rented], timezone })).not.toContain('timezone');
});
