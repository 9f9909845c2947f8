import { sql } from 'kysely';
import { greatest, least } from '../../engine/dialect.ts';

/** Assignments that widen one row's first and last time by another row's; a NULL changes nothing. */
export function widenSpan(target: string, by: string) {
  const [first, last] = ['first_seen_at', 'last_seen_at'].map((column) => ({
    column: sql.ref(column),
    had: sql.ref(`${target}.${column}`),
    came: sql.ref(`${by}.${column}`),
  })) as [Span, Span];
  return sql`
    ${first.column} = ${least(...either(first))},
    ${last.column} = ${greatest(...either(last))}`;
}

/** Both times, or the only known one twice. */
const either = ({ had, came }: Span) => [sql`coalesce(${had}, ${came})`, sql`coalesce(${came}, ${had})`];

type Span = Record<'column' | 'had' | 'came', ReturnType<typeof sql.ref>>;
