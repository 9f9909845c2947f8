import type { Answer, Client } from '../api/client-types.ts';
import type { Server } from '../api/resources.ts';
import type { StatusView } from '../embeds/status.ts';
import { readSchedules } from './servers.ts';

/** Joins the servers that a status shows with their schedules, which may be missing. */
export async function readStatus(client: Client, answer: Answer<readonly Server[]>): Promise<StatusView> {
  const servers = await Promise.all(
    answer.data.map(async (server) => {
      const schedules = await readSchedules(client, server.id);
      return { server, schedules: schedules?.data ?? null };
    }),
  );
  return { servers, receivedAt: answer.receivedAt, stale: answer.stale };
}
