/**
 * The ids that a game server's own files hold, as sources of regular expressions: a DayZ id is 44 characters of
 * base64url on PC and PlayStation and 40 hex digits on Xbox; the SteamID64s of people begin with 7656.
 */
export const dayzIdSource = '(?:[\\w-]{43}=|[0-9A-F]{40})';
export const steamIdSource = '7656[0-9]{13}';

export const dayzIdPattern = new RegExp(`^${dayzIdSource}$`);
export const steamIdPattern = new RegExp(`^${steamIdSource}$`);
