/**
 * The ids of players in a server's files, as sources of regular expressions: a DayZ id has 44 characters of base64url on PC
 * and PlayStation and 40 hex digits on Xbox; people's SteamID64s start with 7656.
 */
export const dayzIdSource = '(?:[\\w-]{43}=|[0-9A-F]{40})';
export const steamIdSource = '7656[0-9]{13}';

export const dayzIdPattern = new RegExp(`^${dayzIdSource}$`);
export const steamIdPattern = new RegExp(`^${steamIdSource}$`);

/** Ids of one player, as a file names them. */
export interface PlayerIds {
  steamId64?: string;
  dayzId?: string;
  /** Lower case. */
  battleyeGuid?: string;
}
