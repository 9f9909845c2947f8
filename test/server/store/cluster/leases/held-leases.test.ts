import { expect, it } from 'vitest';
import { HeldLeases } from '../../../../../src/server/store/cluster/leases/held-leases.ts';

const name = 'bot';
const lateMs = 1_000;

function claimOf(clock: { at: number }): HeldLeases {
  const claim = new HeldLeases('bot', { onChange: () => undefined }, () => clock.at);
  claim.want([name]);
  return claim;
}

it('counts a lease as left only after a time, however often the store is asked meanwhile', () => {
  const clock = { at: 0 };
  const claim = claimOf(clock);
  for (const at of [0, 1, 2, 999]) {
    clock.at = at;
    claim.saw(claim.view(), new Set([name]));
    expect(claim.leftFree(lateMs)).toEqual([]);
  }
  clock.at = 1_000;
  expect(claim.leftFree(lateMs)).toEqual([name]);
  claim.saw(claim.view(), new Set());
  claim.saw(claim.view(), new Set([name]));
  expect(claim.leftFree(lateMs)).toEqual([]);
});

it('leaves a lease that it gave to the others until one has taken it, also if the store was asked before', () => {
  const clock = { at: 0 };
  const claim = claimOf(clock);
  claim.took({ name, epoch: 1 }, 0);
  claim.drop([name]);
  // The store is asked, the lease is released, and only then comes the answer: it was held.
  const view = claim.view();
  claim.gave([name]);
  claim.saw(view, new Set());
  expect(claim.isGivenFree).toBe(true);
  claim.saw(claim.view(), new Set([name]));
  clock.at = 5_000;
  claim.saw(claim.view(), new Set([name]));
  expect(claim.freeFor(lateMs)).toEqual([name]);
  expect(claim.leftFree(lateMs)).toEqual([]);
  // Another process has it, and may lose it later.
  claim.saw(claim.view(), new Set());
  expect(claim.isGivenFree).toBe(false);
});
