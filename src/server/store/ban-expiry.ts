import type { ReadDatabase } from './database.ts';

/** When the next of a project's bans that are in force expires, epoch ms; null when none will. */
export async function findNextBanExpiry(
  db: ReadDatabase['db'],
  projectId: string,
  now: number,
): Promise<number | null> {
  const { next } = await db
    .selectFrom('ban')
    .innerJoin('ban_list', 'ban_list.id', 'ban.list_id')
    .select(({ fn }) => fn.min<number | null>('ban.expires_at').as('next'))
    .where('ban_list.project_id', '=', projectId)
    .where('ban.lifted_at', 'is', null)
    .where('ban.expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return next;
}
