import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { storeBan } from '../../harness/northwood.ts';
import { section, type ConformanceCase } from '../case.ts';
import { expectError, expectOk } from '../expectations.ts';
import { dataOperations } from '../operations.ts';
import { manyBans } from '../world/fill.ts';
import type { OwnService } from '../world/service.ts';

const inServer = section('spec §States / Server status');
const inBans = section('spec §States / Ban visibility');
const inSchedules = section('spec §States / Schedule visibility');
const inProject = section('spec §States / Project');
const inToken = section('spec §States / Token');

const bansPath = '/v1/banlists/northwood-bans/bans';

async function reasons(service: OwnService): Promise<(string | null)[]> {
  const { bans } = expectOk(await (await service.caller()).get(bansPath));
  return bans.map(({ reason }: { reason: string | null }) => reason);
}

async function banCount(service: OwnService, id: string): Promise<number> {
  const { banlists } = expectOk(await (await service.caller()).get('/v1/banlists'));
  return banlists.find((list: { id: string }) => list.id === id).banCount;
}

/** Suspends or frees the project that is there for it, with the next commit. */
export async function setOrder(
  service: OwnService,
  state: { plan?: string; suspended?: number },
): Promise<void> {
  await service.db
    .updateTable('project')
    .set({ plan: 'PRO', suspended: 0, ...state })
    .where('slug', '=', 'order')
    .execute();
}

async function serverOnce(service: OwnService, id: string, status: string): Promise<Record<string, unknown>> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const { server } = expectOk(await (await service.caller()).get(`/v1/server/${id}`));
    if (server.status === status) return server;
    assert.ok(Date.now() < deadline, `expected ${id} to become ${status}, it is ${server.status}`);
    await delay(250);
  }
}

export const stateCases: ConformanceCase[] = [
  inServer.own(
    'a server that answers is ONLINE, with map, players, slots and the time of the check',
    async (service) => {
      const server = await serverOnce(service, 'northwood-1', 'ONLINE');
      assert.deepEqual([server['map'], server['players'], server['maxPlayers']], ['chernarusplus', 37, 60]);
      const age = Date.now() - Date.parse(server['checkedAt'] as string);
      assert.ok(age >= 0 && age < 60_000, `expected a check of just now, it was ${age} ms ago`);
    },
  ),
  inServer.own('a server that fell silent is OFFLINE and keeps no stale player count', async (service) => {
    await serverOnce(service, 'northwood-4', 'ONLINE');
    service.games.fading.isOnline = false;
    try {
      const server = await serverOnce(service, 'northwood-4', 'OFFLINE');
      assert.deepEqual([server['map'], server['players'], server['maxPlayers']], ['sakhal', null, 60]);
      assert.notEqual(server['checkedAt'], null);
    } finally {
      service.games.fading.isOnline = true;
    }
    assert.equal((await serverOnce(service, 'northwood-4', 'ONLINE'))['players'], 5);
  }),
  inServer.own('a server that never answered is OFFLINE, its figures null', async (service) => {
    const server = await serverOnce(service, 'northwood-3', 'OFFLINE');
    assert.deepEqual([server['map'], server['players'], server['maxPlayers']], [null, null, null]);
  }),

  inBans.own('only active, unexpired bans are served', async (service) => {
    const served = await reasons(service);
    assert.deepEqual(served, ['aimbot', 'duping', null]);
  }),
  inBans.own('an expired ban is excluded', async (service) =>
    assert.ok(!(await reasons(service)).includes('expired')),
  ),
  inBans.own('a lifted ban is excluded', async (service) =>
    assert.ok(!(await reasons(service)).includes('lifted')),
  ),
  inBans.own('banCount counts what the bans operation would serve without a limit', async (service) => {
    assert.deepEqual(
      [
        await banCount(service, 'northwood-bans'),
        await banCount(service, 'many-bans'),
        await banCount(service, 'empty-bans'),
      ],
      [3, manyBans, 0],
    );
  }),
  inBans.clock('a ban vanishes within a second of its end, while the service runs', async (service) => {
    const caller = await service.freshCaller();
    const seen = async (): Promise<boolean> => (await caller.get(bansPath)).text.includes('soon over');
    const expiresAt = service.clock.now + 5_000;
    await storeBan(service.db, 'northwood-bans', {
      key: 'soon',
      reason: 'soon over',
      startsAt: 1,
      expiresAt,
    });
    assert.equal(await seen(), true);
    service.clock.now = expiresAt - 1;
    assert.equal(await seen(), true);
    service.clock.now = expiresAt + 1_000;
    assert.equal(await seen(), false);
  }),
  inBans.clock('banCount falls within the same second', async (service) => {
    const caller = await service.freshCaller();
    const counted = async (): Promise<number> =>
      expectOk(await caller.get('/v1/banlists')).banlists[0].banCount;
    const expiresAt = service.clock.now + 5_000;
    await storeBan(service.db, 'northwood-bans', { key: 'counted', startsAt: 1, expiresAt });
    const before = await counted();
    service.clock.now = expiresAt - 1;
    assert.equal(await counted(), before);
    service.clock.now = expiresAt + 1_000;
    assert.equal(await counted(), before - 1);
  }),
  inBans.own('a ban that expires by the system clock vanishes without a restart', async (service) => {
    const caller = await service.caller();
    await storeBan(service.db, 'empty-bans', { key: 'brief', reason: 'brief', expiresAt: Date.now() + 1e9 });
    const path = '/v1/banlists/empty-bans/bans';
    assert.equal(expectOk(await caller.get(path)).bans.length, 1);
    await service.db
      .updateTable('ban')
      .set({ expires_at: Date.now() + 1_000 })
      .where('source_key', '=', 'brief')
      .execute();
    await delay(1_000);
    await service.shown();
    assert.deepEqual(expectOk(await caller.get(path)).bans, []);
  }),
  inBans.own(
    'a ban made on the command line is served within a second, and gone when lifted',
    async (service) => {
      const caller = await service.caller();
      const target = [
        '--banlist',
        'empty-bans',
        '--player',
        service.fact('unknownPlayer').replace(/1$/, '2'),
      ];
      await service.outpost(
        'ban',
        'add',
        ...target,
        '--category',
        'TOXICITY',
        '--reason',
        'by hand',
        '--for',
        '7d',
      );
      await service.shown();
      const { bans } = expectOk(await caller.get('/v1/banlists/empty-bans/bans'));
      assert.deepEqual(
        [bans[0].category, bans[0].reason, bans[0].permanent, bans[0].targets[0].state],
        ['TOXICITY', 'by hand', false, 'PENDING'],
      );
      assert.equal(
        Date.parse(bans[0].expiresAt) - Date.parse(bans[0].startsAt) <= 7 * 86_400_000 + 1_000,
        true,
      );
      await service.outpost('ban', 'lift', ...target);
      await service.shown();
      assert.deepEqual(expectOk(await caller.get('/v1/banlists/empty-bans/bans')).bans, []);
    },
  ),

  inSchedules.own('only active public ones are served, in the order of the config', async (service) => {
    const { schedules } = expectOk(await (await service.caller()).get('/v1/server/northwood-1/schedules'));
    assert.deepEqual(
      schedules.map(({ title }: { title: string }) => title),
      ['Restart', 'Reminder', 'Airdrop', 'Wipe'],
    );
  }),
  inSchedules.own('a server without any has an empty list', async (service) => {
    assert.deepEqual(expectOk(await (await service.caller()).get('/v1/server/northwood-2/schedules')), {
      schedules: [],
    });
  }),

  ...[...dataOperations.keys()].map((index) => {
    const operation = dataOperations[index] as (typeof dataOperations)[number];
    return inProject.clock(
      `${operation.name} of a suspended project answers 423, and serves it again afterwards`,
      async (service) => {
        const caller = await service.callerOf('order');
        const path = operation.pathOf?.('order-2') ?? operation.path(service);
        await setOrder(service, { suspended: 1 });
        try {
          expectError(await caller.get(path), 'project_suspended');
        } finally {
          await setOrder(service, {});
        }
        await service.shown();
        assert.notEqual((await caller.get(path)).status, 423);
      },
    );
  }),
  inProject.own('POST /v1/auth/register for a suspended project answers 423', async (service) => {
    const { id, secret } = await service.application('order');
    await setOrder(service, { suspended: 1 });
    try {
      const answer = await service.send('/v1/auth/register', {
        method: 'POST',
        headers: { 'User-Agent': id },
        body: JSON.stringify({ application_id: id, secret }),
      });
      expectError(answer, 'project_suspended');
    } finally {
      await setOrder(service, {});
    }
    await service.register({ id, secret });
  }),
  inProject.own(
    'a wrong secret of a suspended project does not tell that it is suspended',
    async (service) => {
      const { id } = await service.application('order');
      await setOrder(service, { suspended: 1 });
      try {
        const body = JSON.stringify({ application_id: id, secret: 'ops_wrong' });
        const answer = await service.send('/v1/auth/register', {
          method: 'POST',
          headers: { 'User-Agent': id },
          body,
        });
        expectError(answer, 'invalid_credentials');
      } finally {
        await setOrder(service, {});
      }
    },
  ),

  inToken.own('is invalid on every operation a second after the secret is rotated', async (service) => {
    const caller = await service.freshCaller();
    expectOk(await caller.get('/v1/project'));
    const rotated = await service.outpost('app', 'rotate', caller.id);
    await service.shown();
    for (const operation of dataOperations)
      expectError(await caller.get(operation.path(service)), 'token_invalid');
    assert.notEqual(rotated['secret'], caller.secret);
  }),
];
