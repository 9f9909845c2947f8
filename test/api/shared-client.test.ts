import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSharedClient, type SharedClient } from '../../src/api/client.ts';
import { northwood, storePlayers } from '../harness/northwood.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
let shared: SharedClient;
let statuses: number[];

beforeEach(async () => {
  service = await startTestService(northwood());
  await storePlayers(service.db, 'northwood', [3, 2, 1]);
  statuses = [];
  const { id, secret } = await service.application('northwood');
  shared = createSharedClient({
    baseUrl: service.url,
    applicationId: id,
    secret,
    requestsPerMinute: 120,
    timeoutMs: 60_000,
    keepMs: { listServers: 0 },
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      statuses.push(response.status);
      return response;
    },
  });
});
afterEach(() => service.close());

const unknownPlayer = (number: number) => ({ identifier: `7656119800000${String(number).padStart(4, '0')}` });

it('tells one member that the limit is spent, and answers posts and others all the while', async () => {
  const flood = shared.as('member:anna');
  const outcomes = Array.from({ length: 60 }, async (_, number) =>
    flood.getPlayer(unknownPlayer(number)).catch((error: { code: string }) => error.code),
  );
  const duties = await shared.as('duties').listServers();
  expect(duties.stale).toBe(false);
  const other = await shared
    .as('member:bert')
    .getPlayer(unknownPlayer(100))
    .catch((error: { code: string }) => error.code);
  expect(other).toBe('not_found');
  const codes = await Promise.all(outcomes);
  expect(codes.filter((code) => code === 'rate_limited').length).toBeGreaterThan(30);
  expect(statuses).not.toContain(429);
});

it('gives a member what is known, marked as such, when the limit is spent', async () => {
  const anna = shared.as('member:anna');
  expect((await anna.listServers()).stale).toBe(false);
  const flood = Array.from({ length: 60 }, (_, number) =>
    anna.getPlayer(unknownPlayer(number)).catch(() => undefined),
  );
  const known = await anna.listServers();
  expect([known.stale, known.data.servers.length]).toEqual([true, 2]);
  await Promise.all(flood);
});

it("learns the service's limit from its answers", async () => {
  await service.reconcile(northwood({ applications: [] }));
  await service.db.updateTable('application').set({ requests_per_minute: 6_000 }).execute();
  const anna = shared.as('member:anna');
  await anna.listServers();
  const codes = await Promise.all(
    Array.from({ length: 200 }, async (_, number) =>
      anna.getPlayer(unknownPlayer(number)).catch((error: { code: string }) => error.code),
    ),
  );
  expect(new Set(codes)).toEqual(new Set(['not_found']));
});

it('asks again for what changed, once for all callers', async () => {
  const anna = shared.as('member:anna');
  await anna.getProject();
  await service.reconcile(northwood({ name: 'Renamed' }));
  expect((await anna.getProject()).data.project.name).toBe('Northwood');
  const sent = statuses.length;
  service.expire();
  shared.expire();
  const [first, second] = await Promise.all([anna.getProject(), shared.as('duties').getProject()]);
  expect([first.data.project.name, second.data.project.name]).toEqual(['Renamed', 'Renamed']);
  expect(statuses.length).toBe(sent + 1);
});
