import { type BanLine, banOf, boundedText, endOrNever, guidPattern } from './entry.ts';
import { contentOf, isRuler, splitFirstWord } from './lines.ts';

const ipv4 = /^(?:[0-9]{1,3}\.){3}[0-9]{1,3}$/;

/**
 * A line of BattlEye's bans.txt: `<32-hex GUID | IPv4> [<-1 | epoch seconds> [<reason>]]`; a bare GUID is permanent.
 * 0 is permanent, too: some hosts' guides tell owners to write it, as in the RCon command `addBan`, whose number is
 * minutes. In the file the number is always an end in epoch seconds, so `60` is a ban that ended in 1970.
 */
export function readBattleyeLine(line: string): BanLine {
  const content = contentOf(line);
  if (content === '') return 'empty';
  const [who = '', rest = ''] = splitFirstWord(content);
  if (ipv4.test(who)) return 'address';
  const isComment = /^[#;]/.test(content) || isRuler(content);
  if (!guidPattern.test(who)) return isComment ? 'nobody' : 'foreign';
  const [time = '', reason = ''] = splitFirstWord(rest);
  const isTimed = /^-?[0-9]{1,12}$/.test(time);
  const expiresAt = isTimed && Number(time) > 0 ? endOrNever(Number(time) * 1000) : null;
  return banOf(
    { battleyeGuid: who.toLowerCase() },
    { reason: boundedText(isTimed ? reason : rest), expiresAt },
  );
}
