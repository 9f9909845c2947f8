import { type BanLine, contentOf, endOrNever, guidPattern, isRuler, splitOnce, textOrNull } from './entry.ts';

const ipv4 = /^(?:[0-9]{1,3}\.){3}[0-9]{1,3}$/;

/**
 * A line of BattlEye's bans.txt: `<32-hex GUID | IPv4> [<-1 | epoch seconds> [<reason>]]`; a bare GUID is permanent.
 * Hosts' guides have owners write 0 for a permanent ban, as in the RCon command `addBan`. That takes minutes, the file
 * never does: a small number is a moment in 1970.
 */
export function readBattleyeLine(line: string): BanLine {
  const content = contentOf(line);
  if (content === '') return 'empty';
  const [who = '', rest = ''] = splitOnce(content);
  if (ipv4.test(who)) return 'address';
  if (!guidPattern.test(who)) return /^[#;]/.test(content) || isRuler(content) ? 'nobody' : 'foreign';
  const [time = '', reason = ''] = splitOnce(rest);
  const isTimed = /^-?[0-9]{1,12}$/.test(time);
  const battleyeGuid = who.toLowerCase();
  return {
    key: battleyeGuid,
    identity: { battleyeGuid },
    playerName: null,
    reason: textOrNull(isTimed ? reason : rest),
    expiresAt: isTimed && Number(time) > 0 ? endOrNever(Number(time) * 1000) : null,
  };
}
