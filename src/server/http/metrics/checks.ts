import type { Metrics } from './metrics.ts';

const shares = { median: 0.5, p95: 0.95, max: 1 };

/** Adds how long ago servers were last checked. @param ages of the latest checks in milliseconds; null: none has ended */
export function addCheckAges(metrics: Metrics, ages: () => readonly (number | null)[]): void {
  for (const [name, share] of Object.entries(shares)) {
    const help = `Seconds since servers were last checked: ${name} of all servers.`;
    metrics.gauge(`outpost_server_check_age_${name}_seconds`, help, () => percentile(ages(), share) / 1000);
  }
}

/** 0 without any value. */
function percentile(values: readonly (number | null)[], share: number): number {
  const known = values.flatMap((value) => value ?? []).toSorted((a, b) => a - b);
  return known[Math.max(0, Math.ceil(known.length * share) - 1)] ?? 0;
}
