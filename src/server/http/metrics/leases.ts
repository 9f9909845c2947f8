import type { Leases } from '../../../process/leases.ts';
import type { Family } from './metrics.ts';

/** How many leases a process holds, by kind. */
export function countHeld(leases: Leases): Record<string, number> {
  return countKinds(leases.state().held.map(({ name }) => name));
}

function countKinds(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) {
    const kind = name.slice(0, name.indexOf(':'));
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** The Prometheus metrics of a process's leases. */
export function createLeaseMetrics(leases: Leases): () => Promise<Family[]> {
  return async () => {
    const { held, unheld, takeovers, lost, failedRenewals, renewedAgoMs } = leases.state();
    const kinds = (names: readonly string[]): Family['samples'] =>
      Object.entries(countKinds(names)).map(([kind, value]) => ({ labels: { kind }, value }));
    const single = (value: number | null): Family['samples'] => [{ labels: {}, value }];
    return [
      {
        name: 'outpost_leases',
        help: 'Leases that this process holds.',
        samples: kinds(held.map(({ name }) => name)),
      },
      {
        name: 'outpost_leases_unheld',
        help: 'Leases that this process may take and no process holds, for ten seconds or more.',
        samples: kinds(unheld),
      },
      {
        name: 'outpost_lease_age_seconds',
        help: 'Since this process took the lease that it took last.',
        samples: single(held.length === 0 ? null : Math.min(...held.map(({ ageMs }) => ageMs)) / 1000),
      },
      {
        name: 'outpost_lease_takeovers',
        help: 'Leases taken after another process, since the start.',
        samples: single(takeovers),
      },
      {
        name: 'outpost_leases_lost',
        help: 'Leases that this process lost, since the start.',
        samples: single(lost),
      },
      {
        name: 'outpost_lease_renewals_failed',
        help: 'Failed attempts to renew, since the start.',
        samples: single(failedRenewals),
      },
      {
        name: 'outpost_lease_renewal_age_seconds',
        help: 'Since the leases were last renewed: more than 10 means that all are lost.',
        samples: single(renewedAgoMs === null ? null : renewedAgoMs / 1000),
      },
    ];
  };
}
