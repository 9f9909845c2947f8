import type { Database } from '../../../../../src/server/store/engine/database.ts';

/** The count of served bans, which triggers keep, after each step. */
export async function effectsOfTriggers(db: Database): Promise<{ step: string; served: number }[]> {
  const effects: { step: string; served: number }[] = [];
  const project = { id: 'p', slug: 'p', name: 'P', plan: 'PRO', suspended: 0, support: '{}', active: 1 };
  await db.insertInto('project').values(project).execute();
  const list = {
    project_id: 'p',
    position: 0,
    name: 'l',
    description: null,
    public: 1,
    server_ids: '[]',
    active: 1,
  };
  await db
    .insertInto('ban_list')
    .values([
      { ...list, id: 'l', verification_status: 'UNVERIFIED' },
      { ...list, id: 'm', verification_status: 'UNVERIFIED' },
    ])
    .execute();
  const after = async (step: string, work: { execute(): Promise<unknown> }): Promise<void> => {
    await work.execute();
    const { served_bans } = await db
      .selectFrom('ban_list')
      .select('served_bans')
      .where('id', '=', 'l')
      .executeTakeFirstOrThrow();
    effects.push({ step, served: served_bans });
  };
  const ban = (key: string, more: object = {}) => ({
    list_id: 'l',
    source: 's',
    source_key: key,
    player_id: null,
    player_name: key,
    category: 'BAN',
    reason: null,
    starts_at: null,
    expires_at: null,
    first_seen_at: 0,
    lifted_at: null,
    state: 'PENDING',
    since: null,
    served: 1,
    ...more,
  });
  await after(
    'bans inserted',
    db
      .insertInto('ban')
      .values([ban('a'), ban('b'), ban('c'), ban('d', { lifted_at: 1 }), ban('e', { served: 0 })]),
  );
  await after(
    'some lifted',
    db.updateTable('ban').set({ lifted_at: 2 }).where('source_key', 'in', ['a', 'd']),
  );
  await after('served again', db.updateTable('ban').set({ served: 1 }).where('source_key', '=', 'e'));
  await after(
    'moved to another list',
    db.updateTable('ban').set({ list_id: 'm' }).where('source_key', '=', 'e'),
  );
  await after('deleted', db.deleteFrom('ban').where('source_key', '<>', 'b'));
  await after(
    'inserted again',
    db
      .insertInto('ban')
      .values([ban('b', { lifted_at: 3 }), ban('f')])
      .onConflict((conflict) =>
        conflict.columns(['list_id', 'source', 'source_key']).doUpdateSet((row) => ({
          lifted_at: row.ref('excluded.lifted_at'),
        })),
      ),
  );
  return effects;
}
