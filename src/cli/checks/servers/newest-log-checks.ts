import type { ServerConfig } from '../../../config/schema.ts';
import { about, type CheckResult, type Finding, warning } from '../finding.ts';
import type { Game } from '../../../server/games/game.ts';
import { gameOf, usualGame } from '../../../server/games/index.ts';
import { count } from '../../output.ts';
import { offsetOf, offsetText, zonesWith } from '../../time-zones.ts';
import type { NewestLog } from './newest-log.ts';

const minuteMs = 60_000;
/** Clocks of two machines may differ by this much. */
const toleratedMs = 5 * minuteMs;
/** Players on a server make it write a line within this time, even without lists of players. */
const silentMs = 30 * minuteMs;
/** A provider that limits polls may hand logs over in batches. */
const batchMs = 60 * minuteMs;
/** A game writes its logs within moments of a start. */
const startMs = 15 * minuteMs;

interface NewestLogOptions {
  /** By the query; null: unknown. */
  players: number | null;
  /** Epoch milliseconds. */
  now: number;
  machineZone: string;
  /** The server's files are on this machine. */
  isLocal: boolean;
  /** The provider of the files limits how often they are polled. */
  isSeldom: boolean;
}

/** Whether a server writes its log now, and by a clock in the configured zone. */
export function checkNewestLog(
  { id, game, logs, timezone }: Pick<ServerConfig, 'id' | 'game' | 'logs' | 'timezone'>,
  log: NewestLog,
  options: NewestLogOptions,
): Finding[] {
  const { words, logs: formats } = gameOf(game) ?? usualGame;
  const clock = checkClock(timezone, log, options);
  if (clock !== null) return [about(`${id}.timezone`, timezone).is(clock)];
  const result = checkActivity(log, options, words, formats[0]?.files);
  return result === null ? [] : [about(`${id}.logs`, logs ?? '').is(result)];
}

/** Whether the log has been written to of late. @param files what the game's logs are called, `.ADM` */
function checkActivity(
  { name, changedAt, latestStart }: NewestLog,
  { players, now, isSeldom }: NewestLogOptions,
  words: Game['words'],
  files: string | undefined,
): CheckResult | null {
  const silenceMs = now - changedAt;
  if (silenceMs < -toleratedMs) {
    return warning(
      `${name} was changed ${duration(-silenceMs)} in the future: the clocks of the two machines differ`,
      'switch time synchronisation on, on this machine and on that with the files',
    );
  }
  if (latestStart !== null && latestStart.at > changedAt + startMs) {
    return warning(
      `the game server has started since (${latestStart.name}), but wrote no new ${files} file`,
      words.startLogs,
    );
  }
  if (players !== null && players > 0 && silenceMs > silentMs + (isSeldom ? batchMs : 0)) {
    const who = players === 1 ? '1 player is' : `${players} players are`;
    return warning(
      `${who} on the server, but ${name} has not changed for ${duration(silenceMs)}`,
      words.otherFolder,
    );
  }
  return null;
}

/** Whether the log is written by a clock of the configured zone. */
function checkClock(
  timezone: string,
  { name, clock }: NewestLog,
  { machineZone, isLocal, isSeldom }: NewestLogOptions,
): CheckResult | null {
  if (clock === null || isSeldom) return null;
  const { offsetMs, at, by } = clock;
  const aheadMs = offsetMs - offsetOf(timezone, at);
  if (aheadMs === 0) return null;
  const own = isLocal ? machineZone : 'UTC';
  const zones = zonesWith(offsetMs, at, own);
  const [likely] = zones;
  // A clock of no zone is a coincidence.
  if (likely === undefined) return null;
  const isSure = likely === own || likely === 'UTC';
  const reason =
    by === 'growth' ? 'by a line that was just written' : 'by the line with which the file changed';
  return warning(
    `the clock in ${name} is ${duration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} that zone (${reason})`,
    isSure
      ? `set timezone: ${likely}, which fits`
      : `set timezone to that of the machine with the game server: ${offsetText(offsetMs)}, as in ${zones.slice(0, 3).join(', ')}`,
  );
}

function duration(ms: number): string {
  const minutes = Math.round(ms / minuteMs);
  if (minutes < 120) return count(minutes, 'minute');
  if (minutes < 2 * 24 * 60) return count(Math.round(minutes / 6) / 10, 'hour');
  return count(Math.round(minutes / 1440), 'day');
}
