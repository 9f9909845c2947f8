import type { Database } from '../../../../../src/server/store/engine/database.ts';
import { figureColumns } from '../../../../../src/server/store/engine/schema/metric-columns.ts';

/** What triggers have done after each step: the count of served bans, and whether the leaderboards have changed. */
export async function effectsOfTriggers(
  db: Database,
): Promise<{ step: string; served: number; raised: boolean }[]> {
  const effects: { step: string; served: number; raised: boolean }[] = [];
  let revision = 0;
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
    const { leaderboard_revision } = await db
      .selectFrom('project')
      .select('leaderboard_revision')
      .executeTakeFirstOrThrow();
    effects.push({ step, served: served_bans, raised: leaderboard_revision > revision });
    revision = leaderboard_revision;
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
  const players = await db
    .insertInto('player')
    .values([
      { project_id: 'p', name: 'ann' },
      { project_id: 'p', name: 'bob' },
    ])
    .returning('id')
    .execute();
  const [ann = 0, bob = 0] = players.map(({ id }) => id);
  const figures = {
    player_id: ann,
    project_id: 'p',
    ...figureColumns({ PLAYER_KILLS: 1, LONGEST_HIT: 1.5 }),
  };
  const changeOf = (id: number, values: { name?: string | null; last_seen_at?: number; hidden?: number }) =>
    db.updateTable('player').set(values).where('id', '=', id);
  await after('figures inserted', db.insertInto('player_stats').values(figures));
  await after('figures updated', db.updateTable('player_stats').set({ deaths: 2 }));
  await after('a player with figures renamed', changeOf(ann, { name: null }));
  await after('the same name again', changeOf(ann, { name: null }));
  await after('a player without figures renamed', changeOf(bob, { name: 'rob' }));
  await after('seen', changeOf(ann, { last_seen_at: 5 }));
  await after('hidden', changeOf(bob, { hidden: 1 }));
  await after('still hidden', changeOf(bob, { hidden: 1 }));
  await after('figures deleted with their player', db.deleteFrom('player').where('id', '=', ann));
  return effects;
}
