import { dayzIdSource } from '../../counting/game-ids.ts';

const maxExamples = 3;
const maxLength = 160;
/** Masking makes lines shorter. */
const maxExampleLength = 4 * maxLength;
/** Lines of further kinds are counted without an example, because masking is slow. */
const maxKinds = 200;
/** Far more than a run of a real server has: each name is searched for in each example. */
const maxNames = 5_000;

/** Lines of one kind that no rule matched. */
export interface UnreadKind {
  /** The first of them, masked; empty: it cannot be shown. */
  example: string;
  lines: number;
}

/**
 * Counts the lines of each kind that no rule matched, and keeps the first one, for the owner. Names, ids, addresses and
 * positions are masked and never leave the log.
 */
export class UnreadExamples {
  /** Examples of earlier readers of the file. */
  readonly #earlier: readonly string[];
  readonly #kinds = new Map<string, UnreadKind>();
  /** Kinds whose examples are not masked yet. */
  #unmasked: UnreadKind[] = [];

  constructor(examples: readonly string[] = []) {
    this.#earlier = examples;
  }

  /** One line of each of the first kinds. */
  get all(): readonly string[] {
    return [...new Set([...this.#earlier, ...this.kinds.map(({ example }) => example)])].slice(
      0,
      maxExamples,
    );
  }

  /** The kinds since the reader was opened. */
  get kinds(): readonly UnreadKind[] {
    const unmasked = new Set(this.#unmasked);
    return [...this.#kinds.values()].filter((kind) => kind.example !== '' && !unmasked.has(kind));
  }

  add(line: string): void {
    const key = kindOf(line);
    const known = this.#kinds.get(key);
    if (known !== undefined) {
      known.lines += 1;
      return;
    }
    if (this.#kinds.size >= maxKinds) return;
    const kind = { example: line.slice(0, maxExampleLength), lines: 1 };
    this.#kinds.set(key, kind);
    this.#unmasked.push(kind);
  }

  /**
   * Masks the examples that were added. Call it after the lines around them were counted, when all players that may
   * occur in them are known.
   * @param names of the run's players, which may occur anywhere in a line of a mod
   */
  mask(names: () => Iterable<string>): void {
    if (this.#unmasked.length === 0) return;
    const all = [...names()];
    for (const kind of this.#unmasked)
      kind.example = all.length > maxNames ? '' : maskLine(kind.example, all);
    this.#unmasked = [];
  }
}

/** The tag of a mod, or the first words; of a line about players, those that follow the last of them. */
function kindOf(line: string): string {
  const text = line.slice(0, maxExampleLength).replace(lineTime, '');
  const tag = /^\[[^\]]{1,32}\]/.exec(text)?.[0];
  if (tag !== undefined) return tag;
  const mark = text.startsWith('Player ') ? text.lastIndexOf('(id=') : -1;
  const tail = mark < 0 ? text : text.slice(mark).replace(/^[^)]*\)?/, 'Player ');
  return tail
    .replaceAll(/"[^"]*"|[^\p{L}_]+/gu, ' ')
    .trim()
    .split(' ', 3)
    .join(' ');
}

/** Joins the kinds of several files, most lines first. */
export function joinKinds(kinds: Iterable<UnreadKind>): UnreadKind[] {
  const joined = new Map<string, number>();
  for (const { example, lines } of kinds) joined.set(example, (joined.get(example) ?? 0) + lines);
  return Array.from(joined, ([example, lines]) => ({ example, lines })).toSorted((a, b) => b.lines - a.lines);
}

const lineTime = /^[0-9]{2}:[0-9]{2}:[0-9]{2} \| /;
const address =
  '(?:[0-9]{1,3}\\.){3}[0-9]{1,3}(?::[0-9]+)?|\\[?(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{0,4}\\]?(?::[0-9]+)?';
const masks: readonly [RegExp, string][] = [
  // From `Player ` to the last mark: a name may contain anything, quotes and marks included.
  [/((?:Player|AI) )(?:["'].*["']|.*?)(?= ?(?:\(DEAD\) ?)?\(id=)/gi, '$1…'],
  [/"[^"]*(?:"|$)/g, '"…"'],
  [/(?<![\w])'[^']*(?:'|$)/g, "'…'"],
  [new RegExp(dayzIdSource, 'g'), '…'],
  [/\b[0-9a-f]{24,}\b/gi, '…'],
  [new RegExp(address, 'gi'), '…'],
  [/<[-+\d., eE]*>/g, '<…>'],
  [/[0-9]{5,}/g, '…'],
];

/** A line with names, ids, addresses and positions replaced, short enough to be shown. */
export function maskLine(line: string, names: Iterable<string>): string {
  const time = lineTime.exec(line)?.[0] ?? '';
  let text = line.slice(time.length, maxExampleLength);
  for (const name of names) if (name.length > 2) text = text.replaceAll(name, '…');
  for (const [pattern, mask] of masks) text = text.replace(pattern, mask);
  // Removes characters that a terminal would interpret.
  text = text.replace(/[\p{Cc}\p{Cf}]/gu, '');
  return (
    (time === '' ? '' : 'HH:MM:SS | ') + (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text)
  );
}
