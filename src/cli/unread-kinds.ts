import type { UnreadKind } from '../server/ingest/logs/reading/unread-kinds.ts';
import { count, grouped } from './output.ts';
import { limits } from './limits.ts';

/** The most frequent kinds of unread lines: `120 × [TraderPlus], 3 × other`. */
export function kindsText(kinds: readonly UnreadKind[]): string {
  const shown = kinds.slice(0, limits.unreadKinds).map(({ kind, lines }) => `${grouped(lines)} × ${kind}`);
  const rest = kinds.length - shown.length;
  return [...shown, ...(rest > 0 ? [count(rest, 'more kind')] : [])].join(', ');
}
