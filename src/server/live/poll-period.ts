import { shortestPeriodSeconds } from '../../process/cron.ts';

const defaultSeconds = 15;

/** The time between two checks of a server. Earlier versions had a cron expression in the config. */
export function pollPeriodMs({
  pollSeconds,
  poll,
}: {
  pollSeconds?: number | undefined;
  poll?: string | undefined;
}): number {
  return 1000 * (pollSeconds ?? (poll === undefined ? defaultSeconds : shortestPeriodSeconds(poll)));
}
