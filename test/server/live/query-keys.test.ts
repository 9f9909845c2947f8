import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { query as configKeys } from '../../../src/config/schema/server.ts';
import { createQuery, type QueryKeys } from '../../../src/server/live/query.ts';

const json = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/** A game server whose queries are HTTP requests. */
async function gameServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<number> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const ask = async (game: string, queryPort: number, keys: QueryKeys) =>
  await createQuery({ socketTimeoutMs: 1_000, keysOf: () => keys })({
    game,
    host: '127.0.0.1',
    port: queryPort,
    queryPort,
  });

it('asks a Palworld server with the user name and password', async () => {
  const port = await gameServer((request, response) => {
    const isAdmin =
      request.headers.authorization === `Basic ${Buffer.from('admin:s3cret-9').toString('base64')}`;
    if (!isAdmin) json(response, 401, {});
    else if (request.url === '/v1/api/players') json(response, 200, { players: [{ name: 'A' }] });
    else if (request.url === '/v1/api/metrics')
      json(response, 200, { currentplayernum: 1, maxplayernum: 32 });
    else json(response, 200, { version: '1', servername: 'N' });
  });
  expect(await ask('palworld', port, { username: 'admin', password: 's3cret-9' })).toMatchObject({
    players: 1,
    maxPlayers: 32,
  });
  const failure = await ask('palworld', port, { username: 'admin', password: 's3cret-8' }).catch(
    (error) => error,
  );
  expect(failure).toMatchObject({ reason: 'unreadable' });
});

it('asks a Terraria server with the token, which no error repeats', async () => {
  const port = await gameServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    if (searchParams.get('token') !== 'tok-77') return json(response, 403, { error: request.url });
    json(response, 200, { status: '200', players: [], playercount: 3, maxplayers: 8, name: 'N' });
  });
  expect(await ask('terrariatshock', port, { token: 'tok-77' })).toMatchObject({ players: 3, maxPlayers: 8 });
  const failure: unknown = await ask('terrariatshock', port, { token: 'wrong-88' }).catch((error) => error);
  expect(failure).toMatchObject({ reason: 'unreadable' });
  expect(inspect(failure, { depth: 9 })).not.toContain('wrong-88');
});

it('counts the names that an ElDewrito server lists, since GameDig reads no number there', async () => {
  const names = ['Ann', 'Ben', 'Cy'];
  const port = await gameServer((_request, response) =>
    json(response, 200, {
      name: 'N',
      map: 'Valhalla',
      numPlayers: names.length,
      maxPlayers: 16,
      players: names.map((name) => ({ name })),
    }),
  );
  expect(await ask('eldewrito', port, {})).toMatchObject({ players: 3, maxPlayers: 16 });
  names.length = 0;
  expect(await ask('eldewrito', port, {})).toMatchObject({ players: 0, maxPlayers: 16 });
});

it('counts no lines of advertising that a Minecraft server lists beside its number of players', async () => {
  const status = JSON.stringify({
    description: 'N',
    version: { name: '1.21', protocol: 767 },
    players: {
      online: 0,
      max: 20,
      sample: [{ id: '00000000-0000-0000-0000-000000000000', name: 'Join us!' }],
    },
  });
  const varint = (value: number): Buffer => Buffer.from([(value & 0x7f) | 0x80, value >> 7]);
  const answer = Buffer.concat([Buffer.from([0]), varint(status.length), Buffer.from(status)]);
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(Buffer.concat([varint(answer.length), answer])));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await ask('minecraft', port, {})).toMatchObject({ players: 0, maxPlayers: 20 });
});

it('lets the config have every option that a query of GameDig takes', () => {
  const folder = join(dirname(createRequire(import.meta.url).resolve('gamedig')), '..', 'protocols');
  const used = new Set<string>();
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8');
    for (const [, option = ''] of text.matchAll(/\boptions\.(\w+)/g)) used.add(option);
    for (const [, options = ''] of text.matchAll(/\{([\w\s,]+)\} = this\.options/g)) {
      for (const option of options.split(',')) used.add(option.trim());
    }
  }
  // Of the address, of GameDig itself, and what changes nothing that is read here.
  const others =
    /^(host|address|port|type|protocol|debug|socketTimeout|attemptTimeout|ipFamily|encoding|requestRules(Required)?|requestPlayers(Required)?|stripColors|moreData|checkOldIDs|snapshotInterval|portCache|givenPortOnly|https?|.*Retries)$/;
  const options = [...used].filter((option) => !others.test(option));
  expect(new Set(Object.keys(configKeys.shape))).toEqual(new Set(options));
});
