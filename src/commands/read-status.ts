import type { Answer } from '../api/client-types.ts';
import type { Server } from '../api/resources.ts';
import { embedLimits } from '../embeds/limits.ts';
import type { StatusView } from '../embeds/status.ts';
import type { Community } from './interfaces/community.ts';
import { optional } from './optional.ts';

/**
 * What the status embed shows of these servers: their schedules, queues, join links and, if wanted, names of players. Where
 * the service has no number of players, the log's is read. What cannot be read is left out.
 */
export async function readStatus(
  answer: Answer<readonly Server[]>,
  community: Community,
  { names = false } = {},
): Promise<StatusView> {
  // An embed shows no more servers than this.
  const first = answer.data.slice(0, embedLimits.fields);
  const shown = first.map(({ id }) => id);
  const uncounted = first.filter(({ status, players }) => status !== 'OFFLINE' && players === null);
  const wanted = names ? shown : uncounted.map(({ id }) => id);
  const [schedules, logged] = await Promise.all([
    optional(community.schedules(shown), new Map()),
    wanted.length === 0 ? null : optional(community.loggedPlayers(wanted), new Map()),
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
