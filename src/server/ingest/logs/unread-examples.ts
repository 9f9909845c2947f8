import { dayzIdSource } from '../counting/game-ids.ts';

const maxExamples = 3;
const maxLength = 160;
/**
 * Maximum number of lines that are masked, because masking is slow and further lines are usually of the same kinds.
 */
const maxTries = 200;

/**
 * Keeps the first lines of each kind that no rule matched, for the owner. Names, ids, addresses and positions are
 * masked and never leave the log.
 */
export class UnreadExamples {
  readonly #examples: string[];
  #unmasked: string[] = [];
  #triesLeft = maxTries;

  constructor(examples: readonly string[] = []) {
    this.#examples = [...examples];
  }

  get all(): readonly string[] {
    return this.#examples;
  }

  add(line: string): void {
    if (this.#examples.length < maxExamples && this.#unmasked.length < this.#triesLeft)
      this.#unmasked.push(line);
  }

  /**
   * Masks the lines that were added. Call it after the lines around them were counted, when all players that may
   * occur in them are known.
   * @param names of the run's players, which may occur anywhere in a line of a mod
   */
  mask(names: () => Iterable<string>): void {
    for (const line of this.#unmasked) {
      if (this.#examples.length >= maxExamples) break;
      this.#triesLeft -= 1;
      const masked = maskLine(line, names());
      if (!this.#examples.includes(masked)) this.#examples.push(masked);
    }
    this.#unmasked = [];
  }
}

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
  const time = /^[0-9]{2}:[0-9]{2}:[0-9]{2} \| /.exec(line)?.[0] ?? '';
  let text = line.slice(time.length, time.length + 4 * maxLength);
  for (const name of names) if (name.length > 2) text = text.replaceAll(name, '…');
  for (const [pattern, mask] of masks) text = text.replace(pattern, mask);
  // Removes characters that a terminal would interpret.
  text = text.replace(/[\p{Cc}\p{Cf}]/gu, '');
  return (
    (time === '' ? '' : 'HH:MM:SS | ') + (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text)
  );
}
