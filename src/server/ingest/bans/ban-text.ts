import type { BanByHand } from '../../store/ban-writes.ts';
import type { BanFormat } from './ban-formats.ts';

/** A ban cannot be written into a file of that format; the message says what is missing. */
export class UnwritableBan extends Error {
  override name = 'UnwritableBan';
}

const writers = { battleye: battleyeLine, dayz: dayzLine, vpp: vppRecord } as const;

/**
 * A ban made by hand as a game's file says it, without a line end.
 * @throws UnwritableBan when the player is not known by the id that the format needs
 */
export function textOfBan(format: BanFormat, ban: BanByHand): string {
  return writers[format](ban);
}

function battleyeLine({ battleyeGuid, reason, expiresAt }: BanByHand): string {
  if (battleyeGuid === null) throw missing('BattlEye GUID', 'its SteamID64 or GUID');
  const end = expiresAt === null ? -1 : Math.ceil(expiresAt / 1000);
  return [battleyeGuid, end, oneLine(reason)].join(' ').trimEnd();
}

/** The format knows no end: Outpost takes the line out when the ban is over. */
function dayzLine({ dayzId, reason }: BanByHand): string {
  if (dayzId === null) throw missing('DayZ id', 'its SteamID64');
  const remark = oneLine(reason);
  return remark === '' ? dayzId : `${dayzId} // ${remark}`;
}

function vppRecord({ steamId64, dayzId, name, reason, expiresAt }: BanByHand): string {
  if (steamId64 === null) throw missing('SteamID64', 'it');
  // The list tells minutes: the next full one, so that no ban ends early.
  const end = expiresAt === null ? null : new Date(Math.ceil(expiresAt / 60_000) * 60_000);
  const record = {
    playerName: name ?? '',
    Steam64Id: steamId64,
    GUID: dayzId ?? '',
    banReason: oneLine(reason),
    issuedBy: 'Outpost',
    expirationDate: {
      Hour: end?.getUTCHours() ?? 0,
      Minute: end?.getUTCMinutes() ?? 0,
      Year: end?.getUTCFullYear() ?? 0,
      Month: end === null ? 0 : end.getUTCMonth() + 1,
      Day: end?.getUTCDate() ?? 0,
      Permanent: end === null ? 1 : 0,
    },
  };
  return JSON.stringify(record, null, 4);
}

/** A reason is somebody's text: in a file of lines it must stay in its line. */
function oneLine(reason: string | null): string {
  return (reason ?? '').replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

function missing(what: string, how: string): UnwritableBan {
  return new UnwritableBan(
    `no ${what} of the player is known: ban the player by ${how}, or wait until a log names it`,
  );
}
