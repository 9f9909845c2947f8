import { DateTime } from 'luxon';
import type { Survivor } from './admin-log-lines.ts';
import { SimulatedAdminLog } from './admin-log.ts';
import { startSimulatedGameServer } from './game-server.ts';
import { driftPlayers } from './player-drift.ts';

interface ServerOptions {
  name: string;
  /** Where its logs are written. */
  folder: string;
  /** IANA name of their time zone. */
  timezone: string;
  map: string;
  /** Where most players are, by name. */
  towns: readonly string[];
  /** Who plays there, the most frequent first. The last of them are new. */
  regulars: readonly Survivor[];
  maxPlayers: number;
  /** About how many are on it now. */
  players: number;
  /** Hours of the day at which it restarts, in its zone. */
  restartHours: readonly number[];
  /** The same seed produces the same weeks. */
  seed: number;
}

interface Sample {
  /** Epoch ms. */
  sampledAt: number;
  /** Null: the server did not answer. */
  players: number | null;
  maxPlayers: number;
}

const minute = 60_000;
const dayMs = 1440 * minute;
const pastMs = 21 * dayMs;
const stepMs = 2.5 * minute;
const samplesMs = 5 * minute;
const [driftEveryMs, deedEveryMs] = [6_000, 4_000];
/** So many of the regulars play from the beginning. */
const knownShare = 0.65;
/** Before now. */
const outage = { from: 6 * 60 * minute, to: 5.4 * 60 * minute };

/**
 * Starts a simulated game server that has been running for three weeks, which it plays in a moment.
 * @returns `samples`: how many players it had
 */
export async function startServerWithPast(options: ServerOptions, end = Date.now()) {
  const { regulars, seed, players, maxPlayers, timezone, restartHours } = options;
  let past: number | null = Math.ceil((end - pastMs) / samplesMs) * samplesMs;
  const now = (): number => past ?? Date.now();
  const gameServer = await startSimulatedGameServer({ ...options, players: 0, now });
  const known = Math.ceil(regulars.length * knownShare);
  const log = { ...options, players: regulars.slice(0, known), intervalMs: deedEveryMs, now };
  const adminLog = new SimulatedAdminLog(gameServer, log);
  // Whenever the demo is started, it is evening.
  const share = (): number =>
    (players / maxPlayers) * (0.65 + 0.35 * Math.cos(((now() - end) / dayMs) * 2 * Math.PI));
  const drift = driftPlayers(gameServer, { seed, intervalMs: driftEveryMs, share });

  const samples: Sample[] = [];
  const newcomers = regulars.slice(known);
  const newcomerEveryMs = pastMs / (newcomers.length + 1);
  /** Those who left because of a restart or the outage, and come back. */
  let returning = 0;
  const comeBack = (): void => {
    gameServer.setPlayers(Math.max(returning, gameServer.players));
    returning = 0;
  };
  for (; past < end; past += stepMs) {
    const isDown = past >= end - outage.from && past < end - outage.to;
    const { hour, minute: minutes } = DateTime.fromMillis(past, { zone: timezone });
    const isRestart = restartHours.includes(hour + minutes / 60);
    if (isDown || isRestart) {
      returning ||= gameServer.players;
      gameServer.setPlayers(0);
      if (isRestart) adminLog.restart();
      gameServer.setPlayers(isDown ? 0 : returning / 3);
    } else {
      comeBack();
      drift.step();
      adminLog.step(true);
    }
    if (newcomers.length * newcomerEveryMs > end - past) adminLog.welcome(newcomers.shift()!);
    if (past % samplesMs === 0)
      samples.push({ sampledAt: past, players: isDown ? null : gameServer.players, maxPlayers });
  }
  comeBack();
  past = null;
  const close = async (): Promise<void> => {
    drift.stop();
    adminLog.stop();
    await gameServer.close();
  };
  return { gameServer, adminLog, samples, close };
}
