import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRest } from '../../src/bot/rest.ts';

let requests = 0;
const server = createServer((request, response) => {
  requests += 1;
  if (request.url?.endsWith('/blocked') === true) response.statusCode = 429;
  if (request.url?.endsWith('/last') === true)
    response.setHeader('X-RateLimit-Remaining', '0').setHeader('X-RateLimit-Reset-After', '0.1');
  if (request.url?.endsWith('/slow') !== true)
    response.setHeader('content-type', 'application/json').end('{}');
});
const restHere = () =>
  createRest({
    token: 'a.b.c',
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
  });
beforeEach(async () => {
  requests = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

it('sends nothing for a while after Cloudflare blocked this address without saying for how long', async () => {
  const rest = restHere();
  await expect(rest.get('/blocked')).rejects.toMatchObject({ global: true });
  await expect(rest.get('/fast')).rejects.toMatchObject({ global: true });
  expect(requests).toBe(1);
});

it('leaves nothing on a signal that outlives its requests, and ends them with it', async () => {
  const rest = restHere();
  const stopping = new AbortController();
  const { signal } = stopping;
  for (let i = 0; i < 3; i += 1) await rest.get('/fast', { signal });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  const slow = rest.get('/slow', { signal });
  await once(server, 'request');
  stopping.abort();
  await expect(slow).rejects.toThrow(/abort/i);
  await expect(rest.get('/fast', { signal })).rejects.toThrow(/abort/i);
});
