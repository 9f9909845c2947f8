import { startTestService } from '../../harness/service.ts';
import { conformanceConfig } from './config.ts';
import { fillStore } from './fill.ts';
import { startGames } from './games.ts';
import { ownService } from './own.ts';
import type { World } from './process.ts';
import type { ClockService } from './service.ts';

/** The service in this process, over real HTTP and a real SQLite file, with a clock that cases turn. Nothing polls. */
export async function startClockWorld(): Promise<World<ClockService>> {
  const games = await startGames();
  const closeGames = () => Promise.all(Object.values(games).map((game) => game.close()));
  try {
    const inside = await startTestService(
      conformanceConfig({ live: games.live.port, dead: games.dead.port, fading: games.fading.port }),
      // A thousand requests of this process at once can need longer for their headers than the service waits for them.
      { parts: { bounds: { headersTimeoutMs: 60_000, requestTimeoutMs: 60_000 } } },
    );
    await fillStore(inside.db, inside.clock.now);
    const own = await ownService(inside.url, inside.db, () => inside.clock.now, {
      games,
      logged: () => inside.logged.join(''),
      shown: async () => inside.expire(),
      outpost: () => Promise.reject(new Error('no command line reaches the service in this process')),
    });
    return {
      service: { ...own, caller: own.freshCaller, clock: inside.clock },
      title: 'the service in this process, a clock that is turned',
      async close() {
        await inside.close();
        await closeGames();
      },
    };
  } catch (error) {
    await closeGames();
    throw error;
  }
}
