import { expect, it } from 'vitest';
import { leasesByName } from '../../src/process/leases-by-name.ts';
import type { ClaimOptions } from '../../src/process/leases.ts';
import { HeldLeases } from '../../src/server/store/cluster/leases/held-leases.ts';

it('writes under a lease that is renewed late', async () => {
  let at = 0;
  const held = new HeldLeases('shard', { outlivesStore: true, onChange: () => undefined }, () => at);
  const leases = leasesByName({
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

it('wants a lease that it has lost when it is asked for it again, and not before', async () => {
  const wanted = new Map<string, string[]>();
  const held = new Map<string, number>();
  const changed = new Map<string, ClaimOptions['onChange']>();
  const leases = leasesByName({
    claim(kind, { onChange }) {
      changed.set(kind, onChange);
      return {
        want: (names) => void wanted.set(kind, [...names]),
        held: () => held,
        confirm: async () => true,
        close: async () => undefined,
      };
    },
  });
  let wantedAtEnd: string[] | undefined;
  leases.onLost(() => {
    wantedAtEnd = wanted.get('shard');
  });
  await leases.take('shard:0');
  expect(wanted.get('shard')).toEqual(['shard:0']);
  held.set('shard:0', 3);
  expect(await leases.take('shard:0')).toBe(true);
  held.clear();
  await changed.get('shard')?.(held);
  expect(wantedAtEnd).toEqual([]);
  expect(await leases.take('shard:0')).toBe(false);
  expect(wanted.get('shard')).toEqual(['shard:0']);
  await leases.release('shard:0');
});
