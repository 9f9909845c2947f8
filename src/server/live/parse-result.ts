import { parseIdentifier } from '../../api/identifiers.ts';

/** One entry of a query's player list; fields that the entry lacks are null. */
export interface ListedPlayer {
  steamId64: string | null;
  name: string | null;
  /** Time since the player connected. */
  seconds: number | null;
}

/** No game has more players; a greater number is invalid. */
const mostPlayers = 100_000;
const longestText = 128;
const longestSessionSeconds = 90 * 86_400;

/**
 * The figures of a GameDig result. The input is untrusted: numbers can be text, missing ones 0, and names can contain
 * control characters.
 *
 * GameDig returns 0 for figures that the query lacks: its protocol for ElDewrito reads a list of players and never their
 * number. So where the number is 0 or missing, the players in the list are counted. Entries without a name are not, because
 * in A2S only some of them are players.
 * @param canCountList false: the list may hold something else than players
 */
export function readFigures(
  result: unknown,
  canCountList = true,
): { map: string | null; players: number | null; maxPlayers: number | null } {
  const state = asRecord(result);
  const maxPlayers = readCount(state['maxplayers']);
  const players = readCount(state['numplayers']);
  const listed = canCountList ? readPlayers(result).filter(({ name }) => name !== null).length : 0;
  // No server has 0 slots. If the slots are unknown, 0 players is no figure either.
  const slotsKnown = maxPlayers !== null && maxPlayers > 0;
  const reported = players === 0 && !slotsKnown ? null : players;
  return {
    map: readText(state['map']),
    players: (reported ?? 0) === 0 && listed > 0 ? listed : reported,
    maxPlayers: slotsKnown ? maxPlayers : null,
  };
}

function readCount(value: unknown): number | null {
  const figure = typeof value === 'string' && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : value;
  return typeof figure === 'number' && Number.isInteger(figure) && figure >= 0 && figure <= mostPlayers
    ? figure
    : null;
}

function readText(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  // eslint-disable-next-line no-control-regex -- control characters are what is taken out
  const text = value.replace(/[\u0000-\u001f\u007f-\u009f]/g, '').trim();
  return text === '' ? null : [...text].slice(0, longestText).join('');
}

/** The entries of a GameDig result's player list, up to the maximum size of a server. */
export function readPlayers(result: unknown): ListedPlayer[] {
  const state = asRecord(result);
  const entries = Array.isArray(state['players']) ? state['players'].slice(0, mostPlayers) : [];
  const fiveMIdByName = fiveMSteamIds(asRecord(state['raw'])['players']);
  return entries.map((entry: unknown) => {
    const player = asRecord(entry);
    const raw = asRecord(player['raw']);
    const name = readText(player['name']);
    const fiveMId = name === null ? null : (fiveMIdByName.get(name) ?? null);
    return { name, steamId64: steamIdOf(raw) ?? fiveMId, seconds: readSeconds(raw['time']) };
  });
}

/** Players in the login queue, which DayZ puts into its server's keywords (`lqs3`). Null: unknown. */
export function readQueue(result: unknown): number | null {
  return readCount(asRecord(asRecord(result)['raw'])['queue']);
}

/** The port to which GameDig sent the query that was answered. */
export const readQueryPort = (result: unknown): number | null => readPort(asRecord(result)['queryPort']);

/** The port of the address that the server names for players; GameDig has the query port there if it names none. */
export function readGamePort(result: unknown): number | null {
  const port = readPort(Number(/:(\d{1,5})$/.exec(String(asRecord(result)['connect']))?.[1]));
  return port === readQueryPort(result) ? null : port;
}

const readPort = (port: unknown): number | null =>
  typeof port === 'number' && Number.isInteger(port) && port > 0 && port <= 65_535 ? port : null;

/** A2S returns the connected time in seconds (developer.valvesoftware.com/wiki/Server_queries). */
function readSeconds(value: unknown): number | null {
  const isLength = typeof value === 'number' && value >= 0 && value <= longestSessionSeconds;
  return isLength ? Math.floor(value) : null;
}

/**
 * The SteamID64 in a player entry, if the protocol has one: `userId: "steam_7656…"` (Palworld), `steamid` (Just Cause
 * 2 MP), `responseLine` with `pltfmid=Steam_7656…` (7 Days to Die over telnet).
 */
function steamIdOf(raw: Record<string, unknown>): string | null {
  const candidates = [
    /^steam_(\d{17})$/i.exec(asText(raw['userId'])),
    /^(\d{17})$/.exec(asText(raw['steamid'])),
    /\bpltfmid=Steam_(\d{17})\b/i.exec(asText(raw['responseLine'])),
  ];
  return candidates.find((match) => match !== null)?.[1] ?? null;
}

/** SteamID64s by name. FiveM lists them separately from GameDig's entries, in hex: `identifiers: ["steam:11000013c929d44"]`. */
function fiveMSteamIds(players: unknown): Map<string, string> {
  const ids = new Map<string, string>();
  const names = new Set<string>();
  const shared = new Set<string>();
  if (!Array.isArray(players)) return ids;
  for (const entry of players.slice(0, mostPlayers)) {
    const { name, identifiers } = asRecord(entry);
    const cleaned = readText(name);
    if (cleaned === null) continue;
    if (names.has(cleaned)) shared.add(cleaned);
    names.add(cleaned);
    for (const identifier of Array.isArray(identifiers) ? identifiers : []) {
      const hex = /^steam:([0-9a-f]{15,16})$/i.exec(asText(identifier))?.[1];
      const id = hex === undefined ? '' : BigInt(`0x${hex}`).toString();
      if (parseIdentifier(id)?.kind === 'steamId64') ids.set(cleaned, id);
    }
  }
  // GameDig's entries do not distinguish two players with the same name: neither gets an id.
  for (const name of shared) ids.delete(name);
  return ids;
}

function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
