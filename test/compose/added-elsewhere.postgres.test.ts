import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createSharedClient } from '../../src/api/client.ts';
import { scopes } from '../../src/api/access.ts';
import { compose, type Outpost } from '../../src/compose/compose.ts';
import { configSchema } from '../../src/config/schema.ts';
import { systemClock } from '../../src/process/clock.ts';
import { createApplication } from '../../src/server/store/repositories/applications/applications.ts';
import {
  hashSecret,
  newApplicationId,
  newSecret,
} from '../../src/server/store/repositories/applications/credentials.ts';
import { savePeople } from '../../src/server/store/repositories/players/players.ts';
import { addServer, removeAddedServer } from '../../src/server/store/repositories/projects/added-servers.ts';
import { setHidden } from '../../src/server/store/repositories/rights/hide-player.ts';
import { withoutDiscord } from '../harness/environment.ts';
import { type NewStore, openNewDatabase } from '../harness/new-store.ts';
import { steamA, steamB, temporaryFolder } from '../server/ingest/fixture.ts';

const [id, secret] = [newApplicationId(), newSecret()];
let store: NewStore;
let outpost: Outpost;
beforeEach(async () => {
  store = await openNewDatabase({ busyTimeoutMs: 10_000 });
  const environment = withoutDiscord(join(temporaryFolder(), 'data'), { storeUrl: store.location });
  const config = configSchema.parse({
    http: { port: 0, publicUrl: 'https://example.org' },
    projects: [{ slug: 'p', name: 'P', plan: 'PRO' }],
    discord: { allowPrivateServers: true },
  });
  outpost = await compose({ config, roles: ['api'], environment, log: pino({ level: 'silent' }) });
  const secretHash = hashSecret(secret);
  await createApplication(store.db, { id, projectSlug: 'p', name: 'test', secretHash, scopes }, Date.now());
});
afterEach(async () => {
  await outpost.close();
  await store.close();
});

/** Adds a server as the bot of another process does. */
async function addElsewhere(port: number): Promise<void> {
  const wanted = { name: 'Fake', game: 'jc2m', host: '127.0.0.1', port, queryPort: port };
  const outcome = await addServer(
    store.db,
    'p',
    { ...wanted, guildId: '1', addedBy: '2' },
    { most: 5, now: Date.now() },
  );
  expect(outcome).toMatchObject({ added: { id: 'fake' } });
}

async function joinStatus(): Promise<number> {
  return (await fetch(`${outpost.url}/join/fake`, { redirect: 'manual' })).status;
}

test('a server that another process added can be joined, until one removes it', async () => {
  expect(await joinStatus()).toBe(404);
  await addElsewhere(9);
  await expect.poll(joinStatus).toBe(302);
  await removeAddedServer(store.db, 'p', 'fake', { by: '2', now: Date.now() });
  await expect.poll(joinStatus).toBe(404);
});

test('nobody who is hidden is listed on a server that another process added, not even at first', async () => {
  const { id: projectId } = await store.db.selectFrom('project').select('id').executeTakeFirstOrThrow();
  const hidden = { steamId64: steamA };
  const known = { firstSeenAt: 1, lastSeenAt: 1 };
  await savePeople(store.db, projectId, [{ identity: hidden, names: [['Annabella', known]], ...known }]);
  await setHidden(store.db, { identity: hidden }, true);
  const client = createSharedClient({
    baseUrl: outpost.url,
    applicationId: id,
    secret,
    requestsPerMinute: 120,
    keepMs: {},
    ...systemClock,
  }).as('duties');
  await addElsewhere(await serverWithPlayers({ Annabella: steamA, Carl: steamB }));

  const seen: string[] = [];
  const names = async (): Promise<string[]> => {
    const answer = await client.listOnlinePlayers({ serverId: 'fake' }).catch(() => null);
    const found = answer?.data.players.map(({ name }) => name) ?? [];
    seen.push(...found);
    return found;
  };
  await expect.poll(names, { timeout: 20_000, interval: 300 }).toEqual(['Carl']);
  expect(new Set(seen)).toEqual(new Set(['Carl']));
});

/** A server of Just Cause 2 Multiplayer, whose answers name the players and their Steam ids. */
async function serverWithPlayers(players: Record<string, string>): Promise<number> {
  const text = (value: string): Buffer => Buffer.from(`${value}\0`);
  const list = Object.entries(players);
  const values = { hostname: 'Fake', mapname: 'm', maxplayers: '20', numplayers: String(list.length) };
  const details = Buffer.concat([
    Buffer.alloc(11),
    ...Object.entries(values).flatMap(([key, value]) => [text(key), text(value)]),
    text(''),
    Buffer.from([0, list.length]),
    ...list.flatMap(([name, steamId]) => [text(name), text(steamId), Buffer.from([0, 9])]),
  ]);
  const handshake = 9;
  const socket = createSocket('udp4');
  socket.on('message', (message, from) => {
    const answer = message[2] === handshake ? text('123') : details;
    socket.send(Buffer.concat([message.subarray(2, 7), answer]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return socket.address().port;
}
