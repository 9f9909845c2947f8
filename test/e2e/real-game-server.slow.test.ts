import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { callersPace, createWorkplace, type Workplace } from '../harness/outpost-process.ts';

const program = '/usr/games/openarena-server';
const absent = !existsSync(program);
const port = 27961;

let place: Workplace;
let game: ChildProcess | undefined;
let home: string;
beforeEach(async () => {
  place = await createWorkplace();
  home = await mkdtemp(join(tmpdir(), 'openarena-'));
});
afterEach(async () => {
  await place.remove();
  await stopGame();
  await rm(home, { recursive: true, force: true });
});

async function stopGame(): Promise<void> {
  const running = game;
  game = undefined;
  if (running === undefined) return;
  const gone = new Promise((resolve) => running.once('close', resolve));
  running.kill('SIGKILL');
  await gone;
}

it.skipIf(absent)(
  `shows a real OpenArena server online, and offline when it stops${absent ? ' (skipped: openarena-server is not installed)' : ''}`,
  async () => {
    const settings = {
      dedicated: '1',
      net_ip: '127.0.0.1',
      net_port: String(port),
      sv_maxclients: '12',
      map: 'oa_dm1',
    };
    const args = Object.entries(settings).flatMap(([name, value]) =>
      name === 'map' ? ['+map', value] : ['+set', name, value],
    );
    game = spawn(program, args, { env: { ...process.env, HOME: home }, stdio: 'ignore' });
    await place.configure({
      live: { pollSeconds: 2 },
      projects: [
        {
          slug: 'p',
          name: 'P',
          servers: [
            { id: 'arena', name: 'Arena', game: 'openarena', host: '127.0.0.1', port, queryPort: port },
          ],
        },
      ],
    });
    const { url } = await place.start();
    const headers = await place.newCaller(url, 'p');
    // oxlint-disable-next-line typescript/no-explicit-any
    const get = async (path: string): Promise<any> => {
      return await (await fetch(`${url}/v1/server/arena${path}`, { headers })).json();
    };
    await expect.poll(async () => (await get('')).server.status, callersPace).toBe('ONLINE');
    expect((await get('')).server).toMatchObject({ map: 'oa_dm1', players: 0, maxPlayers: 12 });
    expect(await get('/players/online')).toMatchObject({
      online: 0,
      listedPlayers: 0,
      players: [],
      incompletePlayers: 0,
    });
    await stopGame();
    await expect.poll(async () => (await get('')).server.status, callersPace).toBe('OFFLINE');
    expect((await get('')).server.players).toBeNull();
    expect((await get('/players/online')).error).toBe('live_source_unavailable');
  },
);
