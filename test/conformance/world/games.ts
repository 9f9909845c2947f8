import { startSimulatedGameServer } from '../../../src/demo/game-server.ts';
import type { OwnService } from './service.ts';

/** One game server that answers, one that is silent, one that answers at first. */
export async function startGames(): Promise<OwnService['games']> {
  const start = (map: string, players: number) =>
    startSimulatedGameServer({ name: 'Simulated', map, players, maxPlayers: 60 });
  const [live, dead, fading] = await Promise.all([
    start('chernarusplus', 37),
    start('enoch', 1),
    start('sakhal', 5),
  ]);
  dead.isOnline = false;
  return { live, dead, fading };
}
