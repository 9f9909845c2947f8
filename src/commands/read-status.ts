import type { Answer, Client } from '../api/client-types.ts';
import type { Server } from '../api/resources.ts';
import type { StatusView } from '../embeds/status.ts';
import type { Ports } from './ports.ts';
import { readSchedules } from './servers.ts';

/** Joins the servers that a status shows with their schedules, queues and links to join, which may be missing. */
export async function readStatus(
  client: Client,
  answer: Answer<readonly Server[]>,
  ports: Ports = {},
): Promise<StatusView> {
  const servers = await Promise.all(
    answer.data.map(async (server) => {
      const schedules = await readSchedules(client, server.id);
      const queue = server.status === 'ONLINE' ? (ports.live?.(server.id)?.queue ?? null) : null;
      const joinUrl = ports.joinUrl?.(server.id) ?? null;
      return { server, schedules: schedules?.data ?? null, queue, joinUrl };
    }),
  );
  return { servers, receivedAt: answer.receivedAt, stale: answer.stale };
}
