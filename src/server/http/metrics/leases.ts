import { kindOfLease } from '../../../process/leases.ts';
import type { LeaseKeeper } from '../../store/cluster/lease-keeper.ts';
import type { Family } from './metrics.ts';

/** The Prometheus metrics of a process's leases. */
export function createLeaseMetrics(leases: LeaseKeeper): () => Promise<Family[]> {
  return async () => {
    const { held, lost, renewedAgoMs } = leases.state();
    const counts = new Map<string, number>();
    for (const kind of Array.from(held, kindOfLease)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return [
      {
        name: 'outpost_leases',
        help: 'Leases that this process holds.',
        samples: Array.from(counts, ([kind, value]) => ({ labels: { kind }, value })),
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
