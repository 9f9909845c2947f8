import type { Community, SchedulesByServer } from './ports/community.ts';

/** The schedules of several servers. Answers do without, so errors leave them out. */
export async function readSchedules(
  community: Community,
  serverIds: readonly string[],
): Promise<SchedulesByServer> {
  return await community.schedules(serverIds).catch(() => new Map());
}
