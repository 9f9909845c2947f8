import type { Connection, Pool, PoolClient, Submittable } from 'pg';
import type { StoreHealth } from '../store-health.ts';
import type { TextRow, TextStatements } from '../connections.ts';
import { explained } from './errors.ts';

/** A connection that swallows everything is given up after this time. */
const silenceMs = 3_000;

/** Statements on a connection of the pool that is kept, until it is lost. */
export function textStatements(pool: Pool, health: StoreHealth): TextStatements & { close(): void } {
  let kept: Promise<PoolClient> | undefined;

  /** The next statement opens another connection. A statement that is under way on this one fails. */
  const drop = (connection = kept): void => {
    if (connection === undefined || connection !== kept) return;
    kept = undefined;
    void connection.then(
      (client) => client.release(true),
      () => undefined,
    );
  };
  const connect = (): Promise<PoolClient> => {
    const connection = pool.connect();
    void connection.then(
      (client) => client.once('end', () => drop(connection)),
      () => undefined,
    );
    return connection;
  };

  return {
    async run(text, values) {
      const connection = (kept ??= connect());
      let isSilent = false;
      try {
        const client = await connection;
        const timer = setTimeout(() => {
          isSilent = true;
          drop(connection);
        }, silenceMs);
        const rows = await new Promise<TextRow[]>((resolve, reject) => {
          client.query(new TextQuery(text, values, resolve, reject));
        }).finally(() => clearTimeout(timer));
        health.answered();
        return rows;
      } catch (caught) {
        drop(connection);
        // `pg` knows only that the connection was closed.
        const error = isSilent ? new Error('Query read timeout', { cause: caught }) : caught;
        health.failed(error);
        throw explained(error);
      }
    },
    close: drop,
  };
}

/** Takes `pg`'s results as they come: its own would describe and convert each column anew. */
class TextQuery implements Submittable {
  readonly #rows: TextRow[] = [];
  readonly #text: string;
  readonly #values: TextRow;
  readonly #resolve: (rows: TextRow[]) => void;
  /** Called by `pg`. */
  readonly handleError: (error: unknown) => void;

  constructor(
    text: string,
    values: TextRow,
    resolve: (rows: TextRow[]) => void,
    reject: (error: unknown) => void,
  ) {
    this.#text = text;
    this.#values = values;
    this.#resolve = resolve;
    this.handleError = reject;
  }

  submit(connection: Connection): void {
    connection.stream.cork();
    connection.parse({ name: '', text: this.#text, types: [] }, true);
    connection.bind({ values: [...this.#values] }, true);
    connection.execute(null, true);
    connection.sync();
    connection.stream.uncork();
  }

  handleDataRow({ fields }: { fields: TextRow }): void {
    this.#rows.push(fields);
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#rows);
  }

  handleCommandComplete(): void {
    // The number of rows is known.
  }
}

/** A list as PostgreSQL reads an array. */
export function arrayText(list: readonly (string | number | null)[]): string {
  let text = '{';
  for (const one of list) {
    if (text.length > 1) text += ',';
    text += typeof one === 'string' ? quoted(one) : (one ?? 'NULL');
  }
  return `${text}}`;
}

const quoted = (text: string): string =>
  `"${/["\\]/.test(text) ? text.replaceAll(/["\\]/g, String.raw`\$&`) : text}"`;
