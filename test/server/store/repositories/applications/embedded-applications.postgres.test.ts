import { expect, it } from 'vitest';
import {
  createApplication,
  deleteEmbeddedApplications,
} from '../../../../../src/server/store/repositories/applications/applications.ts';
import { reconcile } from '../../../../../src/server/store/repositories/projects/reconcile.ts';
import { configSchema } from '../../../../../src/config/schema.ts';
import { openNewDatabase } from '../../../../harness/new-store.ts';
import { northwood } from '../../../../harness/northwood.ts';

it('a start deletes what bots left behind that ended, and leaves the applications of other processes', async () => {
  const store = await openNewDatabase();
  try {
    await reconcile(store.db, configSchema.parse(northwood()));
    const dayMs = 86_400_000;
    const add = async (id: string, createdAt: number, lastUsedAt: number | null): Promise<void> => {
      const application = { id, projectSlug: 'northwood', name: 'Discord bot', secretHash: 'x', scopes: [] };
      await createApplication(store.db, { ...application, embedded: true }, createdAt);
      await store.db
        .updateTable('application')
        .set({ last_used_at: lastUsedAt })
        .where('id', '=', id)
        .execute();
    };
    const now = Date.now();
    await add('new', now, null);
    await add('in-use', now - 900 * dayMs, now - 60_000);
    await add('unused', now - 900 * dayMs, now - 400 * dayMs);
    await add('never-used', now - 400 * dayMs, null);
    await deleteEmbeddedApplications(store.db);
    const left = await store.db.selectFrom('application').select('id').orderBy('id').execute();
    expect(left.map(({ id }) => id)).toEqual(['in-use', 'new']);
  } finally {
    await store.close();
  }
});
