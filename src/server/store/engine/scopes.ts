import { type Dialect, Kysely } from 'kysely';
import type { Database } from './connections.ts';
import { groupsOf } from './each-chunk.ts';
import type { Scope, TransactionRules } from './postgres/transactions.ts';
import type { Schema } from './schema/schema.ts';

/*
 * Writers of PostgreSQL exclude each other by project. A transaction that says nothing excludes all others, which is right
 * for what concerns several projects or who is forgotten. SQLite has one writer at a time anyway.
 */

/** A database whose transactions, and single statements, can have other rules. */
export class ScopedDatabase extends Kysely<Schema> {
  readonly rules: TransactionRules;
  readonly withRules: (changed: Partial<TransactionRules>) => Database;

  constructor(dialect: Dialect, { rules, withRules }: Pick<ScopedDatabase, 'rules' | 'withRules'>) {
    super({ dialect });
    this.rules = rules;
    this.withRules = withRules;
  }
}

const scoped = (db: Database, scope: Scope): Database =>
  db instanceof ScopedDatabase ? db.withRules({ scope }) : db;

/** The same database for writes of a project's own rows, which do not wait for those of other projects. */
export const inProject = (db: Database, projectId: string): Database => scoped(db, { name: projectId });

/**
 * The same database for writes that wait only for those of the same name, and of the whole store. They write tables that
 * no transaction of a project writes, each statement no more than one such table.
 */
export const inTurn = (db: Database, name: string): Database => scoped(db, { name: `/${name}` });

/**
 * The same database for writes that wait only for those of the whole store. They are single statements on such tables that
 * write one row, or rows that no other writer has; or they write rows in the order of their keys.
 */
export const inRows = (db: Database): Database => scoped(db, 'rows');

/** Rows of one project, and the same database for writes of its rows. */
interface OwnRows<Row> {
  own: Database;
  rows: Row[];
}

/**
 * Rows by project, to be written project by project, so that none waits for the writers of another. On SQLite they are
 * left together: it has one writer anyway, and each of its commits makes all cached answers stale.
 */
export function byProject<Row extends { project_id: string }>(
  db: Database,
  rows: readonly Row[],
): OwnRows<Row>[] {
  if (!(db instanceof ScopedDatabase)) return rows.length === 0 ? [] : [{ own: db, rows: [...rows] }];
  const projects = groupsOf(rows, ({ project_id }) => project_id);
  return Array.from(projects, ([id, own]) => ({ own: inProject(db, id), rows: own }));
}

/** In a transaction of a project: what it is about to write concerns others as well. */
class ConcernsOthers extends Error {}

const narrow = new WeakSet<Database>();

/**
 * To be called before rows of other projects are written.
 * @throws in a transaction of `writeProject`, which then repeats its work
 */
export function requireWholeStore(tx: Database): void {
  if (narrow.has(tx)) throw new ConcernsOthers('a transaction of a project was about to write others');
}

/**
 * A transaction that writes a project's own rows. Where `requireWholeStore` finds that others are concerned, `work` is done
 * again in one of the whole store.
 */
export async function writeProject<T>(
  db: Database,
  projectId: string,
  work: (tx: Database) => Promise<T>,
): Promise<T> {
  const own = inProject(db, projectId);
  if (own === db) return await db.transaction().execute(work);
  try {
    return await own.transaction().execute(async (tx) => {
      narrow.add(tx);
      return await work(tx);
    });
  } catch (error) {
    if (!(error instanceof ConcernsOthers)) throw error;
    return await db.transaction().execute(work);
  }
}
