import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWorkplace, type Workplace } from '../harness/outpost-process.ts';
import { northwood } from '../harness/northwood.ts';

let place: Workplace;
beforeEach(async () => {
  place = await createWorkplace();
});
afterEach(() => place.remove());

async function use(url: string): Promise<string> {
  const headers = await place.newCaller(url, 'northwood');
  expect((await fetch(`${url}/v1/servers`, { headers })).status).toBe(200);
  return headers['User-Agent'] as string;
}

it('lists when an application was last used, and "never" for one that was not', async () => {
  await place.configure(northwood());
  const outpost = await place.start();
  const used = await use(outpost.url);
  await place.outpostJson('app', 'create', '--project', 'northwood', '--name', 'Idle', '--scopes', 'all');
  expect((await outpost.stop()).code).toBe(0);
  const listed = (await place.outpostJson('app', 'list')) as { id: string; lastUsedAt: string | null }[];
  const times = listed.map(({ id, lastUsedAt }) => [id === used, lastUsedAt === null]);
  expect(times).toEqual([
    [true, false],
    [false, true],
  ]);
  const { stdout } = await place.outpost('app', 'list');
  expect(stdout).toMatch(/last used 20\d\d-.*\n.*never used/);
  expect(stdout).not.toMatch(/ops_/);
});

it('says when it is ready, and serves figures on a port of their own only when asked to', async () => {
  await place.configure({ ...northwood(), http: { metrics: { port: 0 } } });
  const outpost = await place.start();
  await expect.poll(async () => (await fetch(`${outpost.url}/readyz`)).status).toBe(200);
  await use(outpost.url);
  expect((await fetch(`${outpost.url}/metrics`)).status).toBe(404);
  const [, address = ''] = /metrics at (http:[^"\s]+)/.exec(outpost.output()) as RegExpExecArray;
  const figures = await (await fetch(address)).text();
  expect(figures).toContain('outpost_http_requests_total{operation="listServers",status="200"} 1');
  expect(figures).toContain('outpost_http_request_duration_seconds_count{operation="register"} 1');
  expect(figures).not.toMatch(/app_|opt_|ops_/);
});
