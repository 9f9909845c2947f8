import type { Ban } from '../../../api/resources.ts';

export type BanCategory = Ban['category'];

/** Words that identify the reason of a ban; the first match wins. Everything else is OTHER. */
const words: readonly (readonly [BanCategory, RegExp])[] = [
  ['EVASION', /\b(?:ban evasion|evasion|evading|ban evad\w*|alt account)\b/i],
  ['CHEATING', /\b(?:cheat\w*|hack(?:s|er|ers|ing)?|aim-?bot\w*|wall-?hack\w*|speed-?hack\w*|esp)\b/i],
  ['EXPLOITING', /\b(?:exploit\w*|glitch\w*|dup(?:e|es|er|ed|ing)|bug abus\w*)\b/i],
  ['GRIEFING', /\b(?:grief\w*|team ?-?kill\w*|rdm)\b/i],
  ['TOXICITY', /\b(?:toxic\w*|racis\w*|insult\w*|harass\w*|hate speech)\b/i],
];

/** The contract's category of a ban whose source only has a textual reason. */
export function categoryOf(reason: string | null): BanCategory {
  if (reason === null) return 'OTHER';
  return words.find(([, pattern]) => pattern.test(reason))?.[0] ?? 'OTHER';
}
