import type { Client } from '../api/client-types.ts';
import type { Ports, SchedulesByServer } from './ports/ports.ts';

/** Reads the schedules of several servers: from the port if there is one, else with one request per server. */
export async function readSchedules(
  client: Client,
  { schedules }: Ports,
  serverIds: readonly string[],
): Promise<SchedulesByServer> {
  if (schedules !== undefined) return await schedules(serverIds).catch(() => new Map());
  const read = async (serverId: string) => {
    const answer = await client.listSchedules({ serverId }).catch(() => null);
    return answer === null ? [] : ([[serverId, answer.data.schedules]] as const);
  };
  return new Map((await Promise.all(serverIds.map(read))).flat());
}
