import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { battleyeGuidOf } from '../../src/api/identifiers.ts';
import { steamIds } from '../harness/northwood.ts';
import { callersPace, createWorkplace, type Workplace } from '../harness/outpost-process.ts';

const samples = fileURLToPath(new URL('../../packages/dayz-files/test/samples/', import.meta.url));
const [annGuid, bobGuid, cidGuid] = [steamIds.ann, steamIds.bob, steamIds.cid].map(battleyeGuidOf);

let place: Workplace;
beforeEach(async () => {
  place = await createWorkplace();
});
afterEach(() => place.remove());

/** Nothing here is quick to the millisecond; what does not come at all is a failure. */
const patience = { timeout: 60_000, ...callersPace };

it('ban files and messages.xml are followed while the service runs, and bans by hand are served beside them', async () => {
  const file = await place.write('bans.txt', `// ours\r\n${bobGuid} -1 two\r\n`);
  const messages = join(place.folder, 'messages.xml');
  await copyFile(join(samples, 'messages', 'shutdown.xml'), messages);
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
            schedules: [{ source: 'messages.xml', file: messages }],
          },
          { id: 't', name: 'T', host: '127.0.0.1', port: 2402 },
        ],
        banlists: [{ id: 'b', name: 'B', sources: [{ file, format: 'battleye', servers: ['s'] }] }],
      },
    ],
  });
  const { url } = await place.start();
  const headers = await place.newCaller(url, 'p');
  const read = async (path: string) => (await (await fetch(`${url}${path}`, { headers })).json()) as never;
  const states = async () => {
    const { bans } = (await read('/v1/banlists/b/bans')) as {
      bans: { player: { battleyeGuid: string }; targets: { serverId: string; state: string }[] }[];
    };
    return Object.fromEntries(
      bans.map(({ player, targets }) => [
        player.battleyeGuid,
        targets.map(({ serverId, state }) => `${serverId} ${state}`),
      ]),
    );
  };
  const held = ['s ENFORCED', 't PENDING'];
  await vi.waitFor(async () => expect(await states()).toEqual({ [bobGuid as string]: held }), patience);

  const player = ['--banlist', 'b', '--player', steamIds.ann];
  const added = await place.outpost('ban', 'add', ...player, '--category', 'CHEATING', '--reason', 'aimbot');
  expect(added.stdout).toContain('PENDING on a server until its ban file contains the player');
  const withAnn = { [annGuid as string]: ['s PENDING', 't PENDING'], [bobGuid as string]: held };
  await vi.waitFor(async () => expect(await states()).toEqual(withAnn), patience);

  await writeFile(file, `${annGuid} -1 aimbot\r\n${cidGuid} -1 three\r\n`);
  const withCid = { [annGuid as string]: held, [cidGuid as string]: held };
  await vi.waitFor(async () => expect(await states()).toEqual(withCid), patience);

  const lifted = await place.outpost('ban', 'lift', ...player);
  expect(lifted.stdout).toContain(`still banned by battleye:${file}: remove the line from that file`);
  await writeFile(file, `${cidGuid} -1 three\r\n`);
  await vi.waitFor(async () => expect(await states()).toEqual({ [cidGuid as string]: held }), patience);

  const { schedules } = (await read('/v1/server/s/schedules')) as { schedules: object[] };
  expect(schedules).toMatchObject([{ kind: 'RESTART', recurrence: 'INTERVAL', intervalMinutes: 240 }]);
});
