import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createRest } from '../../src/bot/rest.ts';

const server = createServer((request, response) => {
  if (request.url?.endsWith('/slow') !== true)
    response.setHeader('content-type', 'application/json').end('{}');
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

it('leaves nothing on a signal that outlives its requests, and ends them with it', async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const rest = createRest({
    token: 'a.b.c',
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
  });
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
