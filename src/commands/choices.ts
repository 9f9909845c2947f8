import { asTyped, clean, plain } from '../embeds/text.ts';
import { isRefOf } from './component-id.ts';

export interface Choice {
  name: string;
  value: string;
}

/** Discord's limits for autocompletion. */
const choiceLimits = { choices: 25, name: 100, value: 100 } as const;

/** What a member can choose in a completion or a menu. It is found by id and name, is shown by name, and its value is the id. */
export interface Candidate {
  id: string;
  name: string;
  /** In a menu, stands below the name. In a completion, distinguishes candidates with the same name; default: the id. */
  hint?: string;
  /** In a menu, before the name. */
  emoji?: string;
}

function fold(text: string): string {
  return asTyped(text).normalize('NFKC').toLowerCase();
}

/** For a part of a name, also without its accents, which many keyboards lack. */
const loosely = (text: string): string => fold(text).normalize('NFD').replace(/\p{M}/gu, '');

/** What a candidate is found by: a digest says nothing to people. */
const textsOf = ({ id, name }: Candidate): string[] =>
  (id.startsWith('~') ? [name] : [name, id]).map(loosely);

/**
 * Candidates whose id or name contains the typed text, ignoring case and accents. Those that start with it come first.
 * Candidates with the same name are shown with their hints.
 */
export function choicesFor(candidates: readonly Candidate[], typed: string): Choice[] {
  const wanted = loosely(typed.trim());
  const names = new Map<string, number>();
  for (const name of candidates.map(nameKey)) names.set(name, (names.get(name) ?? 0) + 1);
  const matches = candidates
    .map((candidate) => {
      const texts = textsOf(candidate);
      const begins = texts.some((text) => text.startsWith(wanted));
      return { candidate, begins, contains: texts.some((text) => text.includes(wanted)) };
    })
    .filter((match) => match.contains && match.candidate.id.length <= choiceLimits.value);
  return [...matches.filter((match) => match.begins), ...matches.filter((match) => !match.begins)]
    .slice(0, choiceLimits.choices)
    .map(({ candidate }) => ({
      name: labelOf(candidate, (names.get(nameKey(candidate)) ?? 0) > 1),
      value: candidate.id,
    }))
    .filter((choice) => choice.name !== '');
}

/** The same key for names that look the same. */
const nameKey = ({ name }: Candidate): string => fold(clean(name));

function labelOf({ id, name, hint = id }: Candidate, shared: boolean): string {
  if (!shared && clean(name) !== '') return plain(name, choiceLimits.name);
  const ending = plain(hint, choiceLimits.name / 2);
  const parts = new Set([plain(name, choiceLimits.name - ending.length - 3), ending]);
  return [...parts].filter((part) => part !== '').join(' · ');
}

type Match<T> = { found: T } | { ambiguous: T[] } | { missing: true };

/**
 * Finds the candidate for a text: by id, by full name, or by a part that is unique. With `pressed` the text comes from a
 * component and only the exact id matches, so that a removed candidate never resolves to another one.
 */
export function resolve<T extends Candidate>(
  candidates: readonly T[],
  text: string,
  pressed = false,
): Match<T> {
  const wanted = fold(text.trim());
  const part = loosely(text.trim());
  const byButton = (candidate: T): boolean => isRefOf(text, candidate.id);
  const rules: ((candidate: T) => boolean)[] = [
    (candidate) => candidate.id === text.trim(),
    (candidate) => fold(candidate.id) === wanted,
    (candidate) => fold(candidate.name.trim()) === wanted,
    (candidate) => part !== '' && textsOf(candidate).some((known) => known.includes(part)),
  ];
  for (const rule of pressed ? [byButton] : rules) {
    const matches = candidates.filter(rule);
    const [only, ...others] = matches;
    if (only !== undefined) return others.length === 0 ? { found: only } : { ambiguous: matches };
  }
  return { missing: true };
}
