import type { Answer, Client } from '../api/client-types.ts';
import type { Server } from '../api/resources.ts';
import { embedLimits } from '../embeds/limits.ts';
import type { StatusView } from '../embeds/status.ts';
import type { Ports } from './ports.ts';
import { readSchedules } from './schedules.ts';

/** Adds schedules, queues and join links to servers. Each of them may be missing. */
export async function readStatus(
  client: Client,
  answer: Answer<readonly Server[]>,
  ports: Ports = {},
): Promise<StatusView> {
  // An embed shows no more servers than this.
  const shown = answer.data.slice(0, embedLimits.fields).map(({ id }) => id);
  const schedules = await readSchedules(client, ports, shown);
  const servers = answer.data.map((server) => {
    const queue = server.status === 'ONLINE' ? (ports.live?.(server.id)?.queue ?? null) : null;
    const joinUrl = ports.joinUrl?.(server.id) ?? null;
    const joinAddress = ports.joinAddress?.(server.id) ?? null;
    return { server, schedules: schedules.get(server.id) ?? null, queue, joinUrl, joinAddress };
  });
  return { servers, receivedAt: answer.receivedAt, stale: answer.stale };
}
