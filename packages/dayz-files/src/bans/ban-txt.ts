import { dayzIdSource, steamIdSource } from '../ids.ts';
import { type BanLine, banOf, boundedText, identityOf } from './entry.ts';
import { contentOf, isRuler, splitFirstWord } from './lines.ts';

/**
 * A line of the game's ban.txt: one DayZ id, SteamID64 or, on newer servers, name, with a `//` comment. The file that
 * comes with the game contains an example: an id followed by dashes, or 44 characters that no id ends with. Neither
 * bans anybody.
 */
export function readDayzLine(line: string): BanLine {
  const text = contentOf(line);
  if (text === '') return 'empty';
  const comment = text.indexOf('//');
  const content = (comment < 0 ? text : text.slice(0, comment)).trim();
  const remark = comment < 0 ? '' : text.slice(comment + 2);
  const [who = '', rest = ''] = splitFirstWord(content);
  const identity = identityOf(who);
  if (identity !== null) return banOf(identity, { reason: boundedText(`${rest} ${remark}`) });
  // Owners write headings like this, too.
  if (who === '#' || isRuler(content) || isExample(who, remark)) return 'nobody';
  if (content.length > maxNameLength || markup.test(content) || anId.test(content)) return 'foreign';
  return banOf(null, { playerName: content, reason: boundedText(remark) });
}

/** `1111111111112222222222222333333333XXXXXXAAAA //Example of a character ID` */
const isExample = (who: string, remark: string): boolean =>
  /^[\w-]{44}$/.test(who) || /^\s*example of a character id/i.test(remark);

/** Steam's limit; the game's is lower. */
const maxNameLength = 32;
/** Characters of JSON, XML, code and other settings; a line with one bans no name. */
const markup = /[{}":;<>]/;
/** An id inside other characters, as in a table; no name contains one. */
const anId = new RegExp(`${dayzIdSource}|${steamIdSource}`);
