import type { Answer } from '../api/client-types.ts';
import type { Server } from '../api/resources.ts';
import { embedLimits } from '../embeds/limits.ts';
import type { StatusView } from '../embeds/status.ts';
import type { Community } from './interfaces/community.ts';
import { optional } from './reads.ts';

/**
 * Adds to servers what the status embed shows besides them: schedules, queues, join links and, with `names`, who is on. The log
 * is read for names, and where the query has no number of players. What cannot be read is left out.
 */
export async function readStatusDetails(
  answer: Answer<readonly Server[]>,
  community: Community,
  { names = false } = {},
): Promise<StatusView> {
  // An embed shows no more servers than this.
  const shown = answer.data.slice(0, embedLimits.fields);
  const uncounted = shown.filter(({ status, players }) => status !== 'OFFLINE' && players === null);
  const shownIds = shown.map(({ id }) => id);
  const idsForLog = names ? shownIds : uncounted.map(({ id }) => id);
  const [schedules, logged] = await Promise.all([
    optional(community.schedules(shownIds), new Map()),
    idsForLog.length === 0 ? null : optional(community.loggedPlayers(idsForLog), new Map()),
  ]);
  const servers = answer.data.map((server) => {
    const live = server.status === 'ONLINE' ? community.live(server.id) : null;
    const queried = (live?.sessions ?? []).flatMap(({ name }) => (name === null ? [] : [{ name }]));
    const inLog = logged?.get(server.id) ?? null;
    const players = !names ? null : queried.length > 0 ? queried : inLog;
    return {
      server,
      schedules: schedules.get(server.id) ?? null,
      queue: live?.queue ?? null,
      joinUrl: community.joinUrl(server.id),
      joinAddress: community.joinAddress(server.id),
      players,
      logged: inLog,
    };
  });
  return { servers, receivedAt: answer.receivedAt, stale: answer.stale };
}
