import { expect, it } from 'vitest';
import { createShardLeases } from '../../src/compose/shard-leases.ts';
import { HeldLeases } from '../../src/server/store/leases/held-leases.ts';

it('writes under a lease that is renewed late', async () => {
  let at = 0;
  const held = new HeldLeases('shard', { outlivesStore: true, onChange: () => undefined }, () => at);
  const leases = createShardLeases({
    claim: () => ({
      want: () => undefined,
      held: () => held.current(),
      confirm: async () => true,
      close: async () => undefined,
    }),
  });
  const lease = { name: 'shard:0', epoch: 7 };
  held.took(lease, at);
  expect(await leases.take('shard:0')).toBe(true);
  // The process was busy until after the lease's time, and renews it a moment later.
  at = 9_000;
  expect(leases.held('shard:0')).toBe(false);
  const fences = leases.fences(['shard:0']);
  held.renewed(new Set(['shard:0']), at);
  expect(leases.held('shard:0')).toBe(true);
  expect(fences).toEqual([lease]);
  await leases.release('shard:0');
  expect(leases.fences(['shard:0'])).not.toEqual([lease]);
});
