import { kindOfLease, type Leases } from '../../../process/leases.ts';
import type { Family } from './metrics.ts';

/** How many leases a process holds, by kind. */
export function countHeld(leases: Leases): Record<string, number> {
  return countKinds(leases.state().held.map(({ name }) => name));
}

function countKinds(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) {
    const kind = kindOfLease(name);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** The Prometheus metrics of a process's leases. */
export function createLeaseMetrics(leases: Leases): () => Promise<Family[]> {
  const byKind = (name: string, help: string, held: readonly string[]): Family => {
    const samples = Object.entries(countKinds(held)).map(([kind, value]) => ({ labels: { kind }, value }));
    return { name, help, samples };
  };
  const gauge = (name: string, help: string, value: number | null): Family => {
    return { name, help, samples: [{ labels: {}, value }] };
  };
  const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);
  return async () => {
    const { held, unheld, takeovers, lost, failedRenewals, renewedAgoMs } = leases.state();
    const latestMs = held.length === 0 ? null : Math.min(...held.map(({ ageMs }) => ageMs));
    const names = held.map(({ name }) => name);
    return [
      byKind('outpost_leases', 'Leases that this process holds.', names),
      byKind(
        'outpost_leases_unheld',
        'Leases that this process may take and no process holds, for ten seconds or more.',
        unheld,
      ),
      gauge(
        'outpost_lease_age_seconds',
        'Since this process took the lease that it took last.',
        seconds(latestMs),
      ),
      gauge('outpost_lease_takeovers', 'Leases taken after another process, since the start.', takeovers),
      gauge('outpost_leases_lost', 'Leases that this process lost, since the start.', lost),
      gauge('outpost_lease_renewals_failed', 'Failed attempts to renew, since the start.', failedRenewals),
      gauge(
        'outpost_lease_renewal_age_seconds',
        'Since the leases were last renewed: more than 10 means that all are lost.',
        seconds(renewedAgoMs),
      ),
    ];
  };
}
