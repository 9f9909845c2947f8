import { sql } from 'kysely';
import type { Reader, Revisions } from './connections.ts';

const refreshEveryMs = 1_000;
/** A read without an answer for this many rounds has failed. */
const patientRounds = 5;

/** In place of a project: what is hidden or forgotten in any (`rights`). */
export const rightsOfAll = '';

/** Reads the revisions that have changed, once a second. A store that is away is reported by its connection. */
export function watchRevisions(db: Reader): Revisions {
  const known = new Map<string, { revision: number; at: number }>();
  let changes = 0;
  /** How often the database was found to be an earlier one: restored, or a standby that lacked the latest commits. */
  let returns = 0;
  /** Transactions before this one had ended, and are known, when it was read. */
  let horizon = 0;
  /** Since the last answer; Infinity: the last read failed. */
  let rounds = 0;
  let answeredAt = performance.now();

  const learn = (projectId: string, revision: number, askedAt: number): void => {
    const last = known.get(projectId);
    if (last !== undefined && revision <= last.revision) {
      // Two statements may end in another order than they were answered.
      if (revision === last.revision || askedAt < last.at) return;
      known.clear();
      horizon = 0;
      returns += 1;
    }
    known.set(projectId, { revision, at: performance.now() });
    changes += 1;
  };
  const read = async (): Promise<void> => {
    const askedAt = performance.now();
    const rows = await db
      .selectFrom('project_revision')
      .select([
        'project_id',
        'revision',
        sql<number>`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`.as('xmin'),
      ])
      .where('transaction', '>=', horizon)
      .execute();
    rounds = 0;
    answeredAt = performance.now();
    for (const { project_id, revision, xmin } of rows) {
      learn(project_id, revision, askedAt);
      horizon = Math.max(horizon, xmin);
    }
  };
  let reading: Promise<void> | null = null;
  const refresh = (): Promise<void> =>
    (reading ??= read()
      .catch((error: unknown) => {
        rounds = Infinity;
        throw error;
      })
      .finally(() => (reading = null)));
  const timer = setInterval(() => {
    rounds += 1;
    void refresh().catch(() => undefined);
  }, refreshEveryMs);
  timer.unref();

  return {
    version(projectId) {
      if (projectId === undefined) return changes;
      if (rounds > patientRounds) return NaN;
      // Revisions that come again are other versions.
      return returns * 2 ** 32 + (known.get(projectId)?.revision ?? 0);
    },
    learn,
    refresh,
    ageMs: () => performance.now() - answeredAt,
    async stop() {
      clearInterval(timer);
      await reading?.catch(() => undefined);
    },
  };
}
