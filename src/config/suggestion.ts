import { closestMatch } from 'leven';

/** The candidate that a misspelt word probably stands for; null when none is similar. Case is ignored. */
export function suggestion(word: string, candidates: readonly string[]): string | null {
  const wanted = word.toLowerCase();
  const same = candidates.find((candidate) => candidate.toLowerCase() === wanted);
  if (same !== undefined) return same;
  // One typing error in a short word, two in a longer one; more difference means another word.
  const maxDistance = wanted.length < 5 ? 1 : 2;
  if (wanted.length < 3) return null;
  const lower = candidates.map((candidate) => candidate.toLowerCase());
  const closest = closestMatch(wanted, lower, { maxDistance });
  return closest === undefined ? null : (candidates[lower.indexOf(closest)] ?? null);
}

/** `; did you mean "x"?`, or nothing. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const found = suggestion(word, candidates);
  return found === null ? '' : `; did you mean ${JSON.stringify(found)}?`;
}
