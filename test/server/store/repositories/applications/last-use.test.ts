import { expect, it } from 'vitest';
import {
  createApplication,
  createLastUse,
  listApplications,
} from '../../../../../src/server/store/repositories/applications/applications.ts';
import { temporaryStore } from '../../../ingest/fixture.ts';

it('stores when applications were last used, and again only what was used since', async () => {
  const db = await temporaryStore();
  for (const id of ['app_a', 'app_b'])
    await createApplication(db, { id, projectSlug: 'p', name: id, secretHash: 'x', scopes: [] }, 1);
  let now = Date.UTC(2026, 0, 1);
  const lastUse = createLastUse(() => now);
  const stored = async () => {
    await lastUse.write(db);
    return (await listApplications(db)).map(({ lastUsedAt }) => lastUsedAt);
  };
  lastUse.note('app_a');
  expect(await stored()).toEqual(['2026-01-01T00:00:00.000Z', null]);
  now += 60_000;
  lastUse.note('app_b');
  expect(await stored()).toEqual(['2026-01-01T00:00:00.000Z', '2026-01-01T00:01:00.000Z']);
});
