import { plain } from '../embeds/text.ts';
import type { Choice } from './command.ts';
import { shortRef } from './short-ref.ts';

/** Discord's limits of an autocompletion. */
const choiceLimits = { choices: 25, name: 100, value: 100 } as const;

/** Something to choose from: matched on both, shown by name, returned as id. */
export interface Candidate {
  id: string;
  name: string;
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Candidates whose id or name holds what was typed, those that begin with it first; case does not matter. */
export function choicesFor(candidates: readonly Candidate[], typed: string): Choice[] {
  const wanted = fold(typed.trim());
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
      name: plain(candidate.name, choiceLimits.name) || plain(candidate.id, choiceLimits.name),
      value: candidate.id,
    }))
    .filter((choice) => choice.name !== '');
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
