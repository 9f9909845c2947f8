import { afterAll, beforeAll, expect, it } from 'vitest';
import { northwood } from '../harness/northwood.ts';
import { createWorkplace, type Running, type Workplace } from '../harness/outpost-process.ts';
import { ask } from '../harness/wire.ts';
import { flood } from './flood.ts';

let place: Workplace;
/** Withstands one attack after the other. */
let outpost: Running;
beforeAll(async () => {
  place = await createWorkplace();
  await place.configure(northwood());
  outpost = await place.start({ NODE_OPTIONS: '--max-old-space-size=256' });
});
afterAll(() => place.remove());

/** A service that reads all it is sent has no memory left in the second one. */
const rounds = 2;

// 64 KB over each of 200 connections, the most for one address, and more where the limit does not apply.
it.each([
  { path: '/v1/project', sockets: 200, requests: 1_700, from: ['127.0.0.2'], reads: true },
  { path: '/healthz', sockets: 200, requests: 1_700, from: ['127.0.0.2'], reads: false },
  { path: '/v1/project', sockets: 1_000, requests: 340, from: ['127.0.0.1'], reads: true },
  { path: '/openapi.json', sockets: 1_000, requests: 60, from: ['127.0.0.1'], reads: false },
])(
  'lives with little memory while $sockets connections send $requests requests for $path each (answers read: $reads)',
  async (attack) => {
    for (let round = 0; round < rounds; round += 1) {
      const sockets = await flood(outpost.url, attack);
      // Not by `fetch`, which gives up connecting after 10 s: on a slow machine a service that has a thousand connections to
      // accept takes longer, since their requests come first.
      for (let other = 0; other < 5; other += 1)
        expect(await ask(`${outpost.url}/healthz`, { headers: { Connection: 'close' } })).toMatchObject({
          status: 200,
        });
      for (const socket of sockets) socket.destroy();
    }
  },
);

it('ends as it always does after all of them', async () => {
  expect((await outpost.stop()).code).toBe(0);
});
