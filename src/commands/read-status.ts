import type { Answer, Client } from '../api/client-types.ts';
import type { Server } from '../api/resources.ts';
import { embedLimits } from '../embeds/limits.ts';
import type { StatusView } from '../embeds/status.ts';
import type { Ports } from './ports/ports.ts';
import { readLoggedPlayers } from './logged-players.ts';
import { readSchedules } from './read-schedules.ts';

/** Adds schedules, queues, join links and, if wanted, names of players to servers. Each of them may be missing. */
export async function readStatus(
  client: Client,
  answer: Answer<readonly Server[]>,
  ports: Ports = {},
  { names = false } = {},
): Promise<StatusView> {
  // An embed shows no more servers than this.
  const shown = answer.data.slice(0, embedLimits.fields).map(({ id }) => id);
  const [schedules, logged] = await Promise.all([
    readSchedules(client, ports, shown),
    names ? readLoggedPlayers(ports, shown) : null,
  ]);
  const servers = answer.data.map((server) => {
    const live = server.status === 'ONLINE' ? (ports.live?.(server.id) ?? null) : null;
    const queue = live?.queue ?? null;
    const queried = (live?.sessions ?? []).flatMap(({ name }) => (name === null ? [] : [{ name }]));
    const players = logged === null ? null : queried.length > 0 ? queried : (logged.get(server.id) ?? null);
    const joinUrl = ports.joinUrl?.(server.id) ?? null;
    const joinAddress = ports.joinAddress?.(server.id) ?? null;
    return { server, schedules: schedules.get(server.id) ?? null, queue, joinUrl, joinAddress, players };
  });
  return { servers, receivedAt: answer.receivedAt, stale: answer.stale };
}
