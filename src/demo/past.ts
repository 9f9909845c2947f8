import { DateTime } from 'luxon';
import type { Survivor } from './admin-log-lines.ts';
import { SimulatedAdminLog } from './admin-log.ts';
import { startSimulatedGameServer, type SimulatedGameServer } from './game-server.ts';
import { seededRandom } from './random.ts';

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

/**
 * Lets players join and leave a simulated server: mostly nobody, one or two at a time, towards a level that itself
 * rises and falls slowly; players who joined recently leave sooner.
 * @param seed the same produces the same steps
 * @param share of the slots around which the count varies
 * @returns `step` takes one step now
 */
export function driftPlayers(
  server: SimulatedGameServer,
  { seed, intervalMs, share }: { seed: number; intervalMs: number; share: () => number },
): { step(): void; stop(): void } {
  const random = seededRandom(seed);
  let tide = random() * Math.PI * 2;

  function step(): void {
    tide += 0.05;
    const level = server.maxPlayers * (share() + 0.1 * Math.sin(tide));
    const pull = (level - server.players) / server.maxPlayers;
    const moves = random() < 0.35 ? 2 : 1;
    for (let move = 0; move < moves; move += 1) {
      if (random() < 0.25) continue;
      if (random() < 0.5 + pull * 1.5) server.join();
      else if (server.players > 0) server.leave(Math.floor(Math.sqrt(random()) * server.players));
    }
    server.queue = server.players === server.maxPlayers ? Math.floor(random() * 6) : 0;
  }

  const timer = setInterval(step, intervalMs).unref();
  return { step, stop: () => clearInterval(timer) };
}
