import { findChallenge } from '../server/store/repositories/links/challenges.ts';
import type { ReadDatabase } from '../server/store/engine/database.ts';
import type { Survivor } from './admin-log-lines.ts';
import type { SimulatedAdminLog } from './admin-log.ts';

const gestureEveryMs = 1_500;

interface Player {
  startedAt: number;
  survivor: Survivor;
  made: number;
}

/**
 * Lets players of a simulated server make the gestures that `/link` draws for these members, each member's by another player.
 * Returns a function that stops it.
 */
export function makeGestures(
  { db }: ReadDatabase,
  log: SimulatedAdminLog,
  { projectId, members }: { projectId: string; members: readonly string[] },
): () => Promise<void> {
  const players = new Map<string, Player>();
  const step = async (): Promise<void> => {
    for (const [index, memberId] of members.entries()) {
      const challenge = await findChallenge(db, projectId, memberId, Date.now());
      if (challenge === null) continue;
      const { startedAt, gestures } = challenge;
      const known = players.get(memberId);
      const survivor = log.present[index];
      const player = known?.startedAt === startedAt ? known : survivor && { startedAt, survivor, made: 0 };
      if (player === undefined) continue;
      const gesture = gestures[player.made];
      if (gesture !== undefined) log.perform(player.survivor, gesture);
      players.set(memberId, { ...player, made: player.made + 1 });
    }
  };
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(step).catch(() => undefined);
  }, gestureEveryMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
