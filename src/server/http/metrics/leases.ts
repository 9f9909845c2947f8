import { kindOfLease, type Leases } from '../../../process/leases.ts';
import type { Family } from './metrics.ts';

/** How many leases a process holds, by kind. */
export function countHeld(leases: Leases): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of leases.state().held) {
    const kind = kindOfLease(name);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** The Prometheus metrics of a process's leases. */
export function createLeaseMetrics(leases: Leases): () => Promise<Family[]> {
  return async () => {
    const { lost, renewedAgoMs } = leases.state();
    return [
      {
        name: 'outpost_leases',
        help: 'Leases that this process holds.',
        samples: Object.entries(countHeld(leases)).map(([kind, value]) => ({ labels: { kind }, value })),
      },
      {
        name: 'outpost_leases_lost',
        help: 'Leases that this process lost, since the start.',
        samples: [{ labels: {}, value: lost }],
      },
      {
        name: 'outpost_lease_renewal_age_seconds',
        help: 'Since the leases were last renewed: more than 10 means that all are lost.',
        samples: [{ labels: {}, value: renewedAgoMs === null ? null : renewedAgoMs / 1000 }],
      },
    ];
  };
}
