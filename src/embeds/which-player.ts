import type { APIEmbed } from 'discord-api-types/v10';
import type { Language } from '../locales/language.ts';
import { failureEmbed } from './failure.ts';
import { playerName } from './notes.ts';
import { facts, linesWithin } from './text.ts';
import { relative } from './timestamps.ts';

/** Characters; a description holds 4096. */
const longestList = 3_500;

/** One of several players with a matching name. */
interface NamesakeView {
  name: string;
  /** Distinguishes this player from the others. */
  hint: string;
  /** RFC 3339; null: unknown. */
  lastSeenAt: string | null;
}

/**
 * Asks which of several players is meant, above a menu of them.
 * @param hidden the number of players that are not listed
 */
export function whichPlayerEmbed(
  language: Language,
  asked: string,
  namesakes: readonly NamesakeView[],
  hidden: number,
): APIEmbed {
  const players = namesakes.map(({ name, hint, lastSeenAt }) =>
    facts(
      `**${playerName(language, name)}**`,
      hint,
      lastSeenAt && language.t('player.lastSeen', { when: relative(lastSeenAt) }),
    ),
  );
  return failureEmbed(language, 'inputTitle', [
    language.t('failure.ambiguousPlayer', { player: playerName(language, asked) }),
    '',
    linesWithin(language, players, longestList, hidden),
  ]);
}
