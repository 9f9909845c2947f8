import { z } from 'zod';
import { dayzIdPattern, type PlayerIds, steamIdPattern } from '../ids.ts';
import { type BanLine, banOf, boundedText, endOrNever, guidPattern } from './entry.ts';

const notVpp = 'is not a VPP BanList.json: an object with a list "m_BanList" was expected';

const number = z.coerce.number().int();
/** `{ "playerName": "Ann", "Steam64Id": "76561197998690788", "GUID": "…=", "banReason": "duping", "expirationDate": { … } }` */
const vppRecord = z.object({
  playerName: z.string().nullish(),
  Steam64Id: z.string().nullish(),
  GUID: z.string().nullish(),
  banReason: z.string().nullish(),
  expirationDate: z
    .object({
      Year: number,
      Month: number,
      Day: number,
      Hour: number,
      Minute: number,
      Permanent: z.union([z.boolean(), number]).optional(),
    })
    .nullish(),
});

/** The records of a BanList.json of VPP Admin Tools. @throws for any other text */
export function readVppRecords(text: string): unknown[] {
  const list = z.object({ m_BanList: z.array(z.unknown()) }).safeParse(parseJson(text));
  if (!list.success) throw new Error(notVpp);
  return list.data.m_BanList;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Dates have no zone and are read as UTC. The record that comes with VPP (SteamID64 `00000000000000000`, GUID
 * `123456789`) bans nobody.
 */
export function readVppRecord(record: unknown): BanLine {
  const { success, data } = vppRecord.safeParse(record);
  if (!success || [data.Steam64Id, data.GUID].every((id) => typeof id !== 'string')) return 'foreign';
  const identity = vppIdentity(data);
  if (identity === null) return 'nobody';
  const expiresAt = vppEnd(data.expirationDate);
  if (Number.isNaN(expiresAt)) return 'nobody';
  const [playerName, reason] = [boundedText(data.playerName ?? ''), boundedText(data.banReason ?? '')];
  return banOf(identity, { playerName, reason, expiresAt });
}

/** NULL: permanent; NaN: not a date. */
function vppEnd(date: z.infer<typeof vppRecord>['expirationDate']): number | null {
  if (date === null || date === undefined || Boolean(date.Permanent)) return null;
  if (date.Year < 1970) return Number.NaN;
  if (date.Year > 9999) return null;
  return endOrNever(Date.UTC(date.Year, date.Month - 1, date.Day, date.Hour, date.Minute));
}

function vppIdentity(record: z.infer<typeof vppRecord>): PlayerIds | null {
  if (steamIdPattern.test(record.Steam64Id ?? '')) return { steamId64: record.Steam64Id as string };
  const other = record.GUID ?? '';
  if (dayzIdPattern.test(other)) return { dayzId: other };
  return guidPattern.test(other) ? { battleyeGuid: other.toLowerCase() } : null;
}
