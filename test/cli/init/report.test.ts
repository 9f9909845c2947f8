import { expect, it } from 'vitest';
import { about } from '../../../src/cli/checks/finding.ts';
import type { PlannedServer } from '../../../src/cli/init/plan.ts';
import type { Setup } from '../../../src/cli/init/render.ts';
import { reportOf, type Written, writtenText } from '../../../src/cli/init/report.ts';

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
};

const setup: Setup = {
  name: null,
  servers: [],
  timezone: { name: 'UTC', isGuess: false },
  bot: null,
  posts: [],
  hasPage: false,
  httpPort: 8080,
};
const written: Written = {
  serverIds: ['a-1', 'a-2', 'a-3'],
  variables: [],
  overridden: [],
  configFile: 'outpost.yaml',
  storeUrl: undefined,
  findings: [],
};
const missing = (change: Partial<Setup>): string =>
  reportOf({ ...setup, ...change }, written).missing.join('\n');

it('says what was left out, and what the doctor finds, but not what is well', () => {
  expect(missing({ servers: [server] })).toMatch(/^Only the status of One is shown\./);
  expect(missing({ servers: [{ ...server, logs: '/logs' }] })).toMatch(/^The bot is off/);
  const findings = [about('a', 'a').good('well'), about('b', 'x').warning('odd', 'look')];
  const ofServers = findings.map((finding) => ({ group: 'servers' as const, ...finding }));
  const report = reportOf(setup, { ...written, findings: ofServers });
  expect(writtenText(report)).toMatch(/Still to do:[^]*\n- b \(x\): odd\n {2}→ look$/);
  expect(writtenText(report)).not.toContain('well');
});

it('says that the time zone of a host was guessed', () => {
  const place = { type: 'ftp' as const, host: 'h', port: 21, username: 'u', password: 'p' };
  const rented = { ...server, place, logs: '/profiles' };
  expect(missing({ servers: [rented], timezone: { name: 'UTC', isGuess: true } })).toContain(
    'Check "timezone"',
  );
  expect(missing({ servers: [rented] })).not.toContain('timezone');
});

it('says that Nitrado names no address of a server', () => {
  const place = { type: 'nitrado' as const, serviceId: '1', token: 't' };
  const servers = [{ ...server, place }];
  expect(missing({ servers })).toContain('Set "host" and "port" of One in the config');
  expect(missing({ servers: servers.map((one) => ({ ...one, host: '203.0.113.7' })) })).not.toContain(
    '"host"',
  );
});
