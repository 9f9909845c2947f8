import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConformanceCase } from '../case.ts';

const windowMs = 60_000;
const quota = 120;
/** Requests of a burst, all at once. */
const burst = 1_000;
/** Between bursts; no divisor of the window, so that they fall anywhere in it. */
const pauseMs = 7_300;
const bursts = 18;

export const slowCases: ConformanceCase[] = [
  {
    need: 'own',
    slow: true,
    section: 'spec §Limits / Request rate',
    name: `${burst} at once, again and again for two minutes: ${quota} are answered in every window of 60 s, by a clock of one’s own`,
    async run(service) {
      const caller = await service.freshCaller();
      /** When each answered request began and ended: it was admitted somewhere between. */
      const answered: { began: number; ended: number }[] = [];
      for (let index = 0; index < bursts; index += 1) {
        const due = performance.now() + pauseMs;
        await Promise.all(
          Array.from({ length: burst }, async () => {
            const began = performance.now();
            const { status } = await caller.get('/v1/project');
            if (status === 200) answered.push({ began, ended: performance.now() });
            else assert.equal(status, 429);
          }),
        );
        await delay(Math.max(0, due - performance.now()));
      }
      // No window may hold more than the quota: none that were surely admitted within it, beginning to end.
      for (const { began } of answered) {
        const within = answered.filter(
          (other) => other.began >= began && other.ended <= began + windowMs,
        ).length;
        assert.ok(within <= quota, `expected at most ${quota} in any 60 s, got ${within}`);
      }
      // And whoever asks without a pause gets the whole quota, again as soon as the window has passed.
      const first = Math.min(...answered.map(({ began }) => began));
      const waves = [0, 1].map((wave) => {
        const from = first + wave * windowMs;
        return answered.filter(({ began }) => began >= from && began < from + windowMs).length;
      });
      assert.deepEqual(
        waves,
        [quota, quota],
        `expected the whole quota in each of two windows, got ${waves.join(' and ')}`,
      );
    },
  },
];
