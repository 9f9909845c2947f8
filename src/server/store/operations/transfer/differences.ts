import type { Row, SourceTable } from './source.ts';

/** Rows of which the copy differs from the source. */
export interface Difference {
  table: string;
  /** The column whose text was changed; null: the whole row was left out. */
  column: string | null;
  rows: number;
  /** The first of these rows, by their first column. */
  examples: string[];
}

const mostExamples = 5;
/** A key is short, unless somebody made it long on purpose. */
const exampleLength = 60;

export class Differences {
  readonly #found = new Map<string, Difference>();

  add({ name, columns }: SourceTable, row: Row, column: string | null): void {
    const key = `${name} ${column ?? ''}`;
    const found = this.#found.get(key) ?? { table: name, column, rows: 0, examples: [] };
    this.#found.set(key, found);
    found.rows += 1;
    if (found.examples.length === mostExamples) return;
    found.examples.push(`${columns[0]?.name} ${JSON.stringify(row[0]).slice(0, exampleLength)}`);
  }

  list(): Difference[] {
    return [...this.#found.values()];
  }
}
