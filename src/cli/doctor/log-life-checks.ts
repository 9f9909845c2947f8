import type { ServerConfig } from '../../config/schema.ts';
import type { Finding } from '../check-config/finding.ts';
import type { LogLife } from './log-life.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** Clocks of two machines may differ by this much. */
const toleratedMs = 5 * minuteMs;
/** Offsets of zones are multiples of 15 minutes. */
const zoneStepMs = 15 * minuteMs;
const zoneJitterMs = 3 * minuteMs;
/** Players on a server make it write a line within this time, even without lists of players. */
const silentMs = 30 * minuteMs;
/** A provider that limits polls may hand logs over in batches. */
const batchMs = 60 * minuteMs;
/** The game writes its .RPT and its admin log within moments of a start. */
const startMs = 15 * minuteMs;

export interface LogLifeOptions {
  /** By the query; null: unknown. */
  players: number | null;
  /** Epoch milliseconds. */
  now: number;
  /** The zone of this machine. */
  machineZone: string;
  /** The server's files are on this machine. */
  isLocal: boolean;
  /** The provider of the files limits how often they are polled. */
  isSeldom: boolean;
}

/** Whether a server writes its log now, and by a clock in the configured zone. */
export function checkLogLife(
  { id, logs, timezone }: Pick<ServerConfig, 'id' | 'logs' | 'timezone'>,
  life: LogLife,
  options: LogLifeOptions,
): Finding[] {
  const about = { key: `${id}.logs`, tried: logs ?? '' };
  const clock = checkClock(timezone, life, options);
  if (clock !== null) return [{ key: `${id}.timezone`, tried: timezone, ...clock }];
  const { players, now, isSeldom } = options;
  const silenceMs = now - life.changedAt;
  if (silenceMs < -toleratedMs) {
    return [
      {
        ...about,
        status: 'warning',
        found: `${life.name} was changed ${duration(-silenceMs)} in the future: the clocks of the two machines differ`,
        next: 'switch time synchronisation on, on this machine and on that with the files',
      },
    ];
  }
  const { latestStart } = life;
  if (latestStart !== null && latestStart.at > life.changedAt + startMs) {
    return [
      {
        ...about,
        status: 'warning',
        found: `the game server has started since (${latestStart.name}), but wrote no new .ADM file`,
        next: 'start the game server with -adminlog',
      },
    ];
  }
  if (players !== null && players > 0 && silenceMs > silentMs + (isSeldom ? batchMs : 0)) {
    const who = players === 1 ? '1 player is' : `${players} players are`;
    return [
      {
        ...about,
        status: 'warning',
        found: `${who} on the server, but ${life.name} has not changed for ${duration(silenceMs)}`,
        next: 'name the folder that the server writes to now (its -profiles=), and start it with -adminlog',
      },
    ];
  }
  return [];
}

/**
 * A log that is being written now shows the clock of its machine: the last line was written when the file changed. Dates
 * do not count, since a line has only the time of day.
 */
function checkClock(
  timezone: string,
  { name, changedAt, lastLineAt }: LogLife,
  { machineZone, isLocal, isSeldom }: LogLifeOptions,
): Omit<Finding, 'key' | 'tried'> | null {
  if (lastLineAt === null || isSeldom) return null;
  const aheadMs = halfDay(lastLineAt - changedAt);
  if (Math.abs(aheadMs) <= toleratedMs) return null;
  // Anything else is not a matter of zones: a log that was copied, or a machine with a wrong clock.
  if (aheadMs < 0 && Math.abs(aheadMs - Math.round(aheadMs / zoneStepMs) * zoneStepMs) > zoneJitterMs)
    return null;
  const fits = (zone: string): boolean =>
    Math.abs(halfDay(aheadMs + offsetMs(timezone, changedAt) - offsetMs(zone, changedAt))) <= toleratedMs;
  const meant = [...new Set([...(isLocal ? [machineZone] : []), 'UTC'])].find(
    (zone) => zone !== timezone && fits(zone),
  );
  return {
    status: 'warning',
    found: `the clock in ${name} is ${duration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} that zone`,
    next:
      meant === undefined
        ? 'set timezone to that of the machine with the game server, and check its clock'
        : `set timezone: ${meant}, which fits`,
  };
}

/** The same time of day, less than half a day away. */
function halfDay(ms: number): number {
  const rest = ((ms % dayMs) + dayMs) % dayMs;
  return rest > dayMs / 2 ? rest - dayMs : rest;
}

/** How much a zone's clocks are ahead of UTC. */
function offsetMs(zone: string, at: number): number {
  const text = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }).format(at);
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(text) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minuteMs;
}

function duration(ms: number): string {
  const minutes = Math.round(ms / minuteMs);
  if (minutes < 120) return `${minutes} minute${minutes === 1 ? '' : 's'}`;
  if (minutes < 2 * 24 * 60) return `${Math.round(minutes / 6) / 10} hours`;
  return `${Math.round(minutes / 1440)} days`;
}
