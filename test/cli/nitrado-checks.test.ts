import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../../src/config/load.ts';
import { type SimulatedGameServer, startSimulatedGameServer } from '../../src/demo/game-server.ts';
import { seededRandom } from '../../src/demo/random.ts';
import { activeSources } from '../../src/server/ingest/follower/sources.ts';
import { createSourceWatch } from '../harness/logs.ts';
import { type NitradoStandIn, startNitrado } from '../../packages/game-files/test/servers/nitrado.ts';
import { consoleLog, consoleLogName } from '../server/ingest/console-logs.ts';
import { temporaryStore } from '../server/ingest/fixture.ts';
import { createStore, outpost } from '../harness/command-line.ts';

const token = 'tok-71c4';
const startedAt = '2026-11-20 18:00:01';

let game: SimulatedGameServer;
let folder: string;
let nitrado: NitradoStandIn;

beforeAll(async () => {
  game = await startSimulatedGameServer({ name: 'N', map: 'enoch', players: 3, maxPlayers: 60 });
  return async () => await game.close();
});

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'outpost-nitrado-'));
  const root = join(folder, 'host');
  mkdirSync(join(root, 'config'), { recursive: true });
  writeFileSync(
    join(root, 'config', consoleLogName('xbox', startedAt)),
    consoleLog('xbox', startedAt, seededRandom(1)),
  );
  nitrado = await startNitrado({ root, token });
  nitrado.bans = 'Some Gamertag\r\nOther';
  vi.stubEnv('OUTPOST_DATA', join(folder, 'data'));
  vi.stubEnv('OUTPOST_CONFIG', join(folder, 'outpost.yaml'));
  vi.stubEnv('NITRADO_API_URL', nitrado.url);
  vi.stubEnv('NITRADO_TOKEN', token);
  return async () => {
    await nitrado[Symbol.asyncDispose]();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  };
});

function configure({ serviceId = nitrado.serviceId, logs = '', queryPort = `${game.port}` } = {}): void {
  writeFileSync(
    join(folder, 'outpost.yaml'),
    `projects:
  - slug: p
    name: P
    servers:
      - id: s
        name: S
        host: 127.0.0.1
        port: 2302
        ${queryPort === '' ? '' : `queryPort: ${queryPort}`}
        files: { type: nitrado, serviceId: ${serviceId}, token: { env: NITRADO_TOKEN } }
        ${logs === '' ? '' : `logs: ${logs}`}
    banlists: [{ id: bans, name: B, sources: [{ format: nitrado, filesOf: s }] }]
`,
  );
}

interface Finding {
  key: string;
  status: string;
  found: string;
  next?: string;
}

async function findings(): Promise<Record<string, Finding>> {
  const { out } = await outpost('doctor', '--json');
  expect(out).not.toMatch(/tok-/);
  const { findings: found } = JSON.parse(out) as { findings: Finding[] };
  return Object.fromEntries(found.map((finding) => [finding.key, finding]));
}

/** What the service's log says of the server's logs. */
async function logged(): Promise<string> {
  const db = await temporaryStore();
  const watch = createSourceWatch(db);
  onTestFinished(() => watch.settled());
  const outcomes = await watch.importChanged(activeSources(readConfig(join(folder, 'outpost.yaml'))));
  return outcomes.find(({ kind }) => kind === 'logs')?.error ?? '';
}

test('doctor reads the logs and the banned names of a server at Nitrado', async () => {
  configure();
  const found = await findings();
  expect(found['s.files']).toMatchObject({ status: 'good', found: 'lets the user in' });
  // Without advice to keep .RPT files: nobody on a console has a SteamID64.
  expect(found['s.logs']).toMatchObject({ status: 'good', found: expect.stringMatching(/^1 admin log; /) });
  expect(found['s.logs']).not.toHaveProperty('next');
  expect(found['s.logs']?.found).toContain(`${consoleLogName('xbox', startedAt)}, started on ${startedAt}`);
  expect(found['bans.sources[0]']).toMatchObject({ status: 'good', found: expect.stringMatching(/^2 bans/) });
});

test('doctor gives no advice where Nitrado only asks to wait', async () => {
  configure();
  nitrado.retryAfter = 30;
  // The query asks it, too.
  nitrado.faults.push('busy', 'busy');
  const login = (await findings())['s.files'];
  expect(login).toMatchObject({ status: 'wrong', found: expect.stringContaining('it goes on by itself') });
  expect(login?.next).toBe('run the check again in a few minutes');
});

test('doctor says how a server on a console is by Nitrado, and that it needs no query port', async () => {
  const query = { player_current: 12, player_max: 32 };
  nitrado.gameServer = { status: 'started', query, settings: { config: { mission: 'dayzOffline.enoch' } } };
  configure({ queryPort: '' });
  expect((await findings())['s.port']).toMatchObject({
    key: 's.port',
    tried: `Nitrado service ${nitrado.serviceId}`,
    status: 'good',
    found: 'runs, says its host: 12 of 32 players, map enoch',
  });
  configure();
  expect((await findings())['s.queryPort']).toMatchObject({
    next: 'leave queryPort out: a server on a console answers no query',
  });
  nitrado.gameServer = { status: 'stopped' };
  expect((await findings())['s.queryPort']).toMatchObject({
    status: 'warning',
    found: 'does not run, says its host',
    next: 'start the game server there',
  });
});

test('doctor names where Nitrado shows the query port of a server on a PC that does not answer', async () => {
  await nitrado[Symbol.asyncDispose]();
  nitrado = await startNitrado({
    root: join(folder, 'host'),
    token,
    gamePath: '/games/ni4711_1/ftproot/dayz/',
  });
  vi.stubEnv('NITRADO_API_URL', nitrado.url);
  configure();
  game.isOnline = false;
  onTestFinished(() => {
    game.isOnline = true;
  });
  expect((await findings())['s.queryPort']).toMatchObject({
    status: 'warning',
    next: "is the server running? Compare host and queryPort with the query port in Nitrado's web interface",
  });
});

test('sources says where the files lie and how old what they say is', async () => {
  configure();
  await createStore();
  const { out: text } = await outpost('sources');
  expect(text).toContain(`s  admin logs  config  at Nitrado service ${nitrado.serviceId}`);
  expect(text).toContain('Nitrado hands logs over every 10 to 20 minutes');
  expect(text).not.toContain(token);
  const { sources } = JSON.parse((await outpost('sources', '--json')).out) as {
    sources: { place: string }[];
  };
  expect(sources.map(({ place }) => place)).toEqual(Array(2).fill(`Nitrado service ${nitrado.serviceId}`));
});

test('doctor opens only the latest of many logs, for the sake of the limits', async () => {
  for (let day = 10; day < 20; day += 1) {
    const started = `2026-10-${day} 18:00:01`;
    const text = consoleLog('xbox', started, seededRandom(day));
    writeFileSync(join(folder, 'host', 'config', consoleLogName('xbox', started)), text);
  }
  nitrado.hasTimes = false;
  configure();
  expect((await findings())['s.logs']?.found).toContain(
    `11 admin logs; the latest, ${consoleLogName('xbox', startedAt)}`,
  );
  expect(nitrado.requests.filter((path) => /seek|download/.test(path)).length).toBeLessThanOrEqual(11);
});

test.each([
  [
    'a token that is not valid',
    () => {
      vi.stubEnv('NITRADO_TOKEN', 'tok-wrong');
      configure();
    },
    's.files',
    'Nitrado does not accept the token: it answered "The access token is not valid (anymore)."',
    'create a long-life token',
  ],
  [
    'a token without rights',
    () => {
      nitrado.isAllowed = false;
      configure();
    },
    's.files',
    '"Your token lacks the scope service"',
    'create a long-life token with the scope "service"',
  ],
  [
    'an unknown service',
    () => configure({ serviceId: '99' }),
    's.files',
    '"Service not found"',
    'compare serviceId',
  ],
  [
    'a path that is not there',
    () => configure({ logs: 'profiles' }),
    's.logs',
    '"Could not list the directory"',
    'the logs are in its folder "config"',
  ],
  [
    'a file instead of a folder',
    () => configure({ logs: `config/${consoleLogName('xbox', startedAt)}` }),
    's.logs',
    'is a file, a folder was expected',
    'the logs are in its folder "config"',
  ],
])(
  'the doctor and the log name %s, with what Nitrado said and what to do',
  async (_, prepare, key, problem, next) => {
    prepare();
    const finding = (await findings())[key];
    expect(finding?.status).toBe('wrong');
    const log = await logged();
    for (const text of [`${finding?.found} ${finding?.next}`, log]) {
      expect(text).toContain(problem);
      expect(text).toContain(next);
      expect(text).not.toMatch(/tok-/);
    }
  },
);
