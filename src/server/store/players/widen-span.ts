import { sql } from 'kysely';

/** Assignments that widen one row's first and last time by another row's; a NULL changes nothing. */
export function widenSpan(target: string, by: string) {
  const [first, last] = ['first_seen_at', 'last_seen_at'].map((column) => ({
    column: sql.ref(column),
    had: sql.ref(`${target}.${column}`),
    came: sql.ref(`${by}.${column}`),
  })) as [Span, Span];
  return sql`
    ${first.column} = min(coalesce(${first.had}, ${first.came}), coalesce(${first.came}, ${first.had})),
    ${last.column} = max(coalesce(${last.had}, ${last.came}), coalesce(${last.came}, ${last.had}))`;
}

type Span = Record<'column' | 'had' | 'came', ReturnType<typeof sql.ref>>;
