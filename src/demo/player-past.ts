import { DateTime } from 'luxon';
import { seededRandom } from './random.ts';

interface PastSample {
  /** Epoch milliseconds, whole minutes. */
  sampledAt: number;
  /** Null: the server did not answer. */
  players: number | null;
  maxPlayers: number;
}

interface PastOptions {
  /** The same seed produces the same weeks. */
  seed: number;
  maxPlayers: number;
  /** The player count at the end. */
  players: number;
  /** Epoch milliseconds. */
  now: number;
  /** Hours of the day at which it restarts, in its zone. */
  restartHours: readonly number[];
  timezone: string;
}

const minute = 60_000;
const stepMs = 5 * minute;
const days = 29;
const hoursOfDay = 24;
/** When most players are online, in UTC. */
const eveningHour = 19;

/** A simulated server's past four weeks: full evenings and weekends, empty mornings, restarts and one outage. */
export function pastOf(options: PastOptions): PastSample[] {
  const { seed, maxPlayers, players, now, restartHours, timezone } = options;
  const random = seededRandom(seed);
  const end = Math.floor(now / minute) * minute;
  const count = (days * hoursOfDay * 3_600_000) / stepMs;
  const outage = end - (5 + 4 * random()) * 3_600_000;
  let wander = 0;
  return Array.from({ length: count }, (_, index): PastSample => {
    const sampledAt = end - (count - index) * stepMs;
    wander = wander * 0.95 + (random() - 0.5) * 0.06;
    const hour = (sampledAt / 3_600_000) % hoursOfDay;
    // The first day of 1970 was a Thursday.
    const isWeekend = (Math.floor(sampledAt / 86_400_000) + 3) % 7 >= 5;
    const tide =
      (0.42 + 0.34 * Math.cos(((hour - eveningHour) / hoursOfDay) * 2 * Math.PI)) * (isWeekend ? 1.2 : 1);
    // The last two hours approach the present count.
    const nearness = Math.max(0, 1 - (end - sampledAt) / 7_200_000);
    const share = (tide + wander) * (1 - nearness) + (players / maxPlayers) * nearness;
    const online = Math.round(Math.min(Math.max(share, 0), 1) * maxPlayers);
    const isDown = sampledAt >= outage && sampledAt < outage + 40 * minute;
    const local = DateTime.fromMillis(sampledAt, { zone: timezone });
    const sinceMs = (at: number): number => (local.hour - at) * 3_600_000 + local.minute * minute;
    const isRestart = restartHours.some((at) => sinceMs(at) >= 0 && sinceMs(at) < stepMs);
    return { sampledAt, players: isDown ? null : isRestart ? Math.round(online / 3) : online, maxPlayers };
  });
}
