import { kindWithoutNames, otherKind } from '../../../store/repositories/rights/erase-log-state.ts';
import type { ForgottenList } from '../../../store/repositories/rights/forgotten-list.ts';

/** Lines of one kind that no rule matched. */
export interface UnreadKind {
  /** `[TraderPlus]`, `Player … placed` or `other`. */
  kind: string;
  lines: number;
}

/** A log with more kinds than this has random text where a kind is looked for; its further kinds count as others. */
const mostKinds = 20;

/** Counts the lines of each kind that no rule matched, for the owner. Nothing else of such a line is kept. */
export class UnreadKinds {
  readonly #lines = new Map<string, number>();
  readonly #forgotten: ForgottenList;

  constructor(forgotten: ForgottenList) {
    this.#forgotten = forgotten;
  }

  /** Most lines first. */
  get all(): UnreadKind[] {
    return joinKinds(Array.from(this.#lines, ([kind, lines]) => ({ kind, lines })));
  }

  add(line: string): void {
    const kind = this.#keptKind(kindOf(line));
    this.#lines.set(kind, (this.#lines.get(kind) ?? 0) + 1);
  }

  #keptKind(kind: string): string {
    if (this.#lines.has(kind)) return kind;
    return this.#lines.size < mostKinds ? kindWithoutNames(kind, this.#forgotten) : otherKind;
  }
}

/** Joins the kinds of several files, most lines first. */
export function joinKinds(kinds: Iterable<UnreadKind>): UnreadKind[] {
  const joined = new Map<string, number>();
  for (const { kind, lines } of kinds) joined.set(kind, (joined.get(kind) ?? 0) + lines);
  return Array.from(joined, ([kind, lines]) => ({ kind, lines })).toSorted((a, b) => b.lines - a.lines);
}

const lineTime = /^[0-9]{2}:[0-9]{2}:[0-9]{2} \| /;
/** The tag that a mod writes before its lines. An id or an address has digits. */
const modTag = /^\[[A-Za-z][A-Za-z _-]{0,30}\]/;
/** What a player does, after the brackets with the player's id: `(id=… pos=<…>) placed`. */
const action = /^\([^)]*\) ?([a-z]{1,20})(?= |$)/;
/** Enough for a tag, or for a name and what its player does; a line may be long. */
const readLength = 1_000;

/** A line's kind: the tag of a mod, what a player does, or neither. A mod may write a player's name as its tag. */
function kindOf(line: string): string {
  const text = line.slice(0, readLength).replace(lineTime, '');
  const tag = modTag.exec(text)?.[0];
  if (tag !== undefined) return tag;
  const idStart = text.startsWith('Player ') ? text.lastIndexOf('(id=') : -1;
  const verb = idStart < 0 ? undefined : action.exec(text.slice(idStart))?.[1];
  return verb === undefined ? otherKind : `Player … ${verb}`;
}
