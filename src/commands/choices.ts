import { clean, plain } from '../embeds/text.ts';
import { shortRef } from './short-ref.ts';

export interface Choice {
  name: string;
  value: string;
}

/** Discord's limits of an autocompletion. */
const choiceLimits = { choices: 25, name: 100, value: 100 } as const;

/** Something to choose from: matched on both, shown by name, returned as id. */
export interface Candidate {
  id: string;
  name: string;
  /** Tells it from others of the same name; default: its id. */
  hint?: string;
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/**
 * Candidates whose id or name holds what was typed, those that begin with it first; case does not matter. Those that
 * share a name are shown with their hints.
 */
export function choicesFor(candidates: readonly Candidate[], typed: string): Choice[] {
  const wanted = fold(typed.trim());
  const names = new Map<string, number>();
  for (const name of candidates.map(nameKey)) names.set(name, (names.get(name) ?? 0) + 1);
  const matches = candidates
    .map((candidate) => {
      const texts = [fold(candidate.name), fold(candidate.id)];
      const begins = texts.some((text) => text.startsWith(wanted));
      return { candidate, begins, holds: texts.some((text) => text.includes(wanted)) };
    })
    .filter((match) => match.holds && match.candidate.id.length <= choiceLimits.value);
  return [...matches.filter((match) => match.begins), ...matches.filter((match) => !match.begins)]
    .slice(0, choiceLimits.choices)
    .map(({ candidate }) => ({
      name: labelOf(candidate, (names.get(nameKey(candidate)) ?? 0) > 1),
      value: candidate.id,
    }))
    .filter((choice) => choice.name !== '');
}

/** Equal for names that look alike. */
const nameKey = ({ name }: Candidate): string => fold(clean(name));

function labelOf({ id, name, hint = id }: Candidate, shared: boolean): string {
  if (!shared && clean(name) !== '') return plain(name, choiceLimits.name);
  const ending = plain(hint, choiceLimits.name / 2);
  return [plain(name, choiceLimits.name - ending.length - 3), ending]
    .filter((part) => part !== '')
    .join(' · ');
}

export type Match<T> = { found: T } | { ambiguous: T[] } | { missing: true };

/**
 * The candidate that a text means: by id, by whole name, or by a part of a name that no other has. With `pressed` the text
 * is a button's, and only the very id counts: a part of it would lead from a candidate that is gone to another one.
 */
export function resolve<T extends Candidate>(
  candidates: readonly T[],
  text: string,
  pressed = false,
): Match<T> {
  const wanted = fold(text.trim());
  const byButton = (candidate: T): boolean => shortRef(candidate.id) === text;
  const rules: ((candidate: T) => boolean)[] = [
    (candidate) => candidate.id === text.trim(),
    (candidate) => fold(candidate.id) === wanted,
    (candidate) => fold(candidate.name.trim()) === wanted,
    (candidate) =>
      wanted !== '' && (fold(candidate.name).includes(wanted) || fold(candidate.id).includes(wanted)),
  ];
  for (const rule of pressed ? [byButton] : rules) {
    const matches = candidates.filter(rule);
    const [only, ...others] = matches;
    if (only !== undefined) return others.length === 0 ? { found: only } : { ambiguous: matches };
  }
  return { missing: true };
}
