import { hash } from 'node:crypto';
import type { ColumnType } from '../../engine/dialect.ts';

export type StoredValue = string | number | null;

export interface Column {
  name: string;
  type: ColumnType;
}

/** What two tables with equal rows have in common, in whatever order their rows are. */
export interface TableDigest {
  rows: number;
  /** The sum of the rows' hashes. */
  sum: bigint;
}

/** Of the hash of a row: as much as fits into PostgreSQL's bigint. */
const hashDigits = 14;
const nullMark = '~';

export function addToDigest(
  digest: TableDigest,
  columns: readonly Column[],
  rows: readonly (readonly StoredValue[])[],
): void {
  for (const row of rows) {
    const text = columns.map(({ type }, index) => `${fieldText(type, row[index] ?? null)},`).join('');
    digest.sum += BigInt(`0x${hash('sha256', text, 'hex').slice(0, hashDigits)}`);
  }
  digest.rows += rows.length;
}

/** A value as text. Texts say their length, so that no two rows are the same text. */
function fieldText(type: ColumnType, value: StoredValue): string {
  if (value === null) return nullMark;
  if (typeof value === 'string') return `${Buffer.byteLength(value)}:${value}`;
  return type === 'real' ? bytesOf(value) : String(value);
}

const double = Buffer.alloc(8);

function bytesOf(value: number): string {
  // PostgreSQL is sent the number as text, in which there is one zero.
  double.writeDoubleBE(value === 0 ? 0 : value);
  return double.toString('hex');
}

/** A statement for PostgreSQL that returns the same digest of a table: `rows` and `sum`, both as text. */
export function digestStatement(table: string, columns: readonly Column[]): string {
  const fields = columns.map(({ name, type }) => {
    const column = quoted(name);
    const text = {
      integer: `${column}::text`,
      real: `encode(float8send(${column}), 'hex')`,
      text: `octet_length(${column}) || ':' || ${column}`,
    }[type];
    return `coalesce(${text}, '${nullMark}') || ','`;
  });
  const digits = `left(encode(sha256(convert_to(${fields.join(' || ')}, 'UTF8')), 'hex'), ${hashDigits})`;
  return (
    `SELECT count(*)::text AS rows, coalesce(sum(('x' || ${digits})::bit(${4 * hashDigits})::bigint), 0)::text AS sum ` +
    `FROM ${quoted(table)}`
  );
}

/** A name in a statement. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
