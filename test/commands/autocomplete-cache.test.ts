import { expect, it } from 'vitest';
import { createAutocompleteCache } from '../../src/commands/autocomplete-cache.ts';
import * as data from '../embeds/contract-data.ts';
import { contractClient, type Handlers } from './contract-client.ts';

it('offers at once what it knows, and renews it behind the back of who types', async () => {
  let time = data.now;
  const handlers: Partial<Handlers> = { listServers: () => ({ servers: [data.server({ name: 'Former' })] }) };
  const cache = createAutocompleteCache(
    contractClient(handlers, () => time),
    () => time,
  );
  const names = async () => (await cache.servers()).map(({ name }) => name);
  expect(await names()).toEqual(['Former']);
  handlers.listServers = () => ({ servers: [data.server({ name: 'Renamed' })] });
  time += 29_000;
  expect([await names(), await names()]).toEqual([['Former'], ['Former']]);
  time += 1_001;
  expect(await names()).toEqual(['Former']);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await names()).toEqual(['Renamed']);
  handlers.listServers = () => ({ servers: [data.server({ name: 'Next day' })] });
  time += 12 * 3_600_000;
  expect(await names()).toEqual(['Next day']);
  handlers.listServers = () => Promise.reject(new Error('no answer'));
  time += 12 * 3_600_000;
  expect(await names()).toEqual(['Next day']);
});

it('keeps what it knows while the service gives no answer, and asks again', async () => {
  let time = data.now;
  const handlers: Partial<Handlers> = { listServers: () => Promise.reject(new Error('no answer')) };
  const cache = createAutocompleteCache(
    contractClient(handlers, () => time),
    () => time,
  );
  expect(await cache.servers()).toEqual([]);
  handlers.listServers = () => ({ servers: [data.server()] });
  expect(await cache.servers()).toHaveLength(1);
  handlers.listServers = () => Promise.reject(new Error('no answer'));
  time += 60_000;
  expect(await cache.servers()).toHaveLength(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await cache.servers()).toHaveLength(1);
});

it('offers the players of the present leaderboards, and none while the service gives no answer', async () => {
  const boardOf = (name: string) => ({ leaderboards: [data.leaderboard([name])] });
  const handlers: Partial<Handlers> = { listLeaderboards: () => boardOf('Anna') };
  const client = contractClient(handlers, () => data.now);
  const { players } = createAutocompleteCache(client, () => data.now);
  const names = async () => (await players()).map(({ name }) => name);
  expect(await names()).toEqual(['Anna']);
  handlers.listLeaderboards = () => boardOf('Bert');
  expect(await names()).toEqual(['Bert']);
  handlers.listLeaderboards = () => Promise.reject(new Error('no answer'));
  expect(await names()).toEqual([]);
});
