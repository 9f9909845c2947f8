import type { Client } from '../api/client-types.ts';
import type { Schedule } from '../api/resources.ts';
import type { Ports } from './ports.ts';

/** Public schedules by server id. A server whose schedules cannot be read, or whose plan has none, is left out. */
export type SchedulesByServer = ReadonlyMap<string, readonly Schedule[]>;

/** Reads the schedules of several servers: at once where the bot has them at hand, else one request a server. */
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
