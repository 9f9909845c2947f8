import type { SimulatedGameServer } from './game-server.ts';
import { seededRandom } from './random.ts';

interface DriftOptions {
  /** The same seed produces the same evening. */
  seed: number;
  /** Milliseconds between two steps. */
  intervalMs: number;
  /** Share of the slots around which the count varies, 0 to 1; default 0.6. */
  around?: number;
}

/** A varying player count. */
interface Drift {
  /** Takes one step now. */
  step(): void;
  stop(): void;
}

/**
 * Lets players join and leave a simulated server: mostly nobody, one or two at a time, towards a level that itself
 * rises and falls slowly, as in an evening; players who joined recently leave sooner.
 */
export function driftPlayers(server: SimulatedGameServer, options: DriftOptions): Drift {
  const random = seededRandom(options.seed);
  const around = options.around ?? 0.6;
  let tide = random() * Math.PI * 2;

  function step(): void {
    tide += 0.05;
    const level = server.maxPlayers * (around + 0.2 * Math.sin(tide));
    const pull = (level - server.players) / server.maxPlayers;
    const moves = random() < 0.35 ? 2 : 1;
    for (let move = 0; move < moves; move += 1) {
      if (random() < 0.25) continue;
      if (random() < 0.5 + pull * 1.5) server.join();
      else if (server.players > 0) server.leave(Math.floor(Math.sqrt(random()) * server.players));
    }
    server.queue = server.players === server.maxPlayers ? Math.floor(random() * 6) : 0;
  }

  const timer = setInterval(step, options.intervalMs);
  timer.unref();
  return { step, stop: () => clearInterval(timer) };
}
