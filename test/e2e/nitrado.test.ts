import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { seededRandom } from '../../src/demo/random.ts';
import { startNitrado } from '../../packages/game-files/test/servers/nitrado.ts';
import { callersPace, commandsPace, createWorkplace } from '../harness/outpost-process.ts';
import { consoleLog, consoleLogName } from '../server/ingest/console-logs.ts';

const token = 'tok-e2e-71c4f9';
const startedAt = '2026-11-20 18:00:01';

it('shows and counts the players of a console at Nitrado, bans whom its settings ban, and keeps the token to itself', async () => {
  const place = await createWorkplace();
  onTestFinished(() => place.remove());
  const root = join(place.folder, 'host');
  await mkdir(join(root, 'config'), { recursive: true });
  const name = consoleLogName('playstation', startedAt);
  await writeFile(join(root, 'config', name), consoleLog('playstation', startedAt, seededRandom(1)));
  const nitrado = await startNitrado({ root, token, gamePath: '/games/ni4711_1/noftp/dayzps/' });
  onTestFinished(() => nitrado[Symbol.asyncDispose]());
  nitrado.gameServer = { status: 'started', slots: 32, query: { map: 'enoch', player_current: 12 } };
  nitrado.bans = 'Some Gamertag\r\nxX_Hunter_Xx#1234';
  Object.assign(place.environment, {
    NITRADO_API_URL: nitrado.url,
    NITRADO_TOKEN: token,
    LOG_LEVEL: 'trace',
  });
  await place.configure({
    projects: [
      {
        slug: 'p',
        name: 'P',
        servers: [
          {
            id: 's',
            name: 'S',
            host: '127.0.0.1',
            port: 2302,
            files: { type: 'nitrado', serviceId: nitrado.serviceId, token: { env: 'NITRADO_TOKEN' } },
          },
        ],
        banlists: [{ id: 'bans', name: 'B', public: true, sources: [{ format: 'nitrado', filesOf: 's' }] }],
      },
    ],
  });
  const outpost = await place.start();
  const headers = await place.newCaller(outpost.url, 'p');
  // Tests look into answers freely.
  // oxlint-disable-next-line typescript/no-explicit-any
  const get = async (path: string): Promise<any> =>
    await (await fetch(`${outpost.url}${path}`, { headers })).json();
  const names = async (path: string, list: (body: object) => { player: { name: string } }[]) =>
    new Set(list(await get(path)).map(({ player }) => player.name));
  await expect
    .poll(async () => (await get('/v1/server/s')).server, callersPace)
    .toMatchObject({ status: 'ONLINE', map: 'enoch', players: 12, maxPlayers: 32 });
  await expect
    .poll(
      () => names('/v1/leaderboards?metric=PLAYTIME', (body) => (body as never)['leaderboards'][0]['rows']),
      callersPace,
    )
    .toContain('why_b_da__goat');
  await expect
    .poll(() => names('/v1/banlists/bans/bans', (body) => (body as never)['bans']), callersPace)
    .toEqual(new Set(['Some Gamertag', 'xX_Hunter_Xx#1234']));
  await expect
    .poll(async () => (await place.outpostJson('sources')).sources, commandsPace)
    .toMatchObject([
      { kind: 'logs', path: 'config', error: null, logs: { files: 1 } },
      { kind: 'bans', error: null },
    ]);
  const { stdout, stderr } = await outpost.stop();
  const folder = join(place.folder, 'data');
  const files = await Promise.all(
    (await readdir(folder)).map((file) => readFile(join(folder, file), 'latin1')),
  );
  for (const text of [stdout, stderr, ...files]) expect(text.includes(token)).toBe(false);
});
