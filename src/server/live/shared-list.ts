import { setTimeout as delay } from 'node:timers/promises';
import { onlinePlayersCacheMs } from '../../api/operations.ts';
import type { OnlinePlayers } from '../../api/resources.ts';
import type { LiveLists } from '../store/cluster/live-lists.ts';
import { queryOnline, type AskOnce, type OnlineResult } from './online-list.ts';
import type { QueryServer } from './query.ts';

/** A process that has not answered by then has ended: a query takes at most about ten seconds. */
const patienceMs = 15_000;
const checkEveryMs = 150;

/**
 * Queries each server from one process for all of them.
 * @param stored what of a list may be stored: not everybody may be named
 */
export function askForAll(
  lists: LiveLists,
  query: QueryServer,
  stored: (online: OnlinePlayers, serverId: string) => OnlinePlayers,
): AskOnce {
  return async (server, target) => {
    for (;;) {
      const state = await lists.claim(server.id, { target, freshMs: onlinePlayersCacheMs, patienceMs });
      if (state.kind === 'answered') {
        const result = JSON.parse(state.answer) as OnlineResult;
        return { result: 'failure' in result ? result : { ...result, cached: true }, ageMs: state.ageMs };
      }
      if (state.kind === 'claimed') {
        const found = await queryOnline(query, server);
        const result = 'failure' in found ? found : stored(found, server.id);
        await lists.save(server.id, state.claim, JSON.stringify(result));
        return { result, ageMs: 0 };
      }
      await delay(checkEveryMs);
    }
  };
}
