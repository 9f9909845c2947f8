import type { SimulatedGameServer } from './game-server.ts';
import { seededRandom } from './random.ts';

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
