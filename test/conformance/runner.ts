import { NotApplicable, type ConformanceCase, type Need } from './case.ts';
import type { World } from './world/process.ts';
import type { ClockService, OwnService, Service } from './world/service.ts';

/** Where cases of each need run; absent: nowhere, with the reason. */
export interface Worlds {
  any: World<Service>;
  own?: World<OwnService>;
  clock?: World<ClockService>;
}

export type Verdict =
  { outcome: 'passed' } | { outcome: 'failed'; error: Error } | { outcome: 'not applicable'; reason: string };

const why: Readonly<Record<Need, string>> = {
  any: '',
  own: 'needs control over the data, so it runs against a service of one’s own only',
  clock: 'needs control over the clock, so it runs against a service of one’s own only',
};

/** Limits and caches of earlier cases are over when the next one begins. */
const betweenCasesMs = 600_000;

/** Runs one case where it belongs. A case of a service of our own has everything it needs: there it must not pass by. */
export async function runCase(worlds: Worlds, one: ConformanceCase): Promise<Verdict> {
  try {
    if (one.need === 'any') await one.run(worlds.any.service);
    else if (one.need === 'own' && worlds.own) await one.run(worlds.own.service);
    else if (one.need === 'clock' && worlds.clock) {
      worlds.clock.service.clock.now += betweenCasesMs;
      await one.run(worlds.clock.service);
    } else return { outcome: 'not applicable', reason: why[one.need] };
    return { outcome: 'passed' };
  } catch (error) {
    if (error instanceof NotApplicable && worlds.own === undefined)
      return { outcome: 'not applicable', reason: error.message };
    return { outcome: 'failed', error: error instanceof Error ? error : new Error(String(error)) };
  }
}
