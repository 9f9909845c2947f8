/**
 * Answers of Valve's server query protocol (A2S: developer.valvesoftware.com/wiki/Server_queries) as a DayZ server
 * gives them: application in the 64-bit game id, state in the keywords, mods packed into the rules, no player names.
 */

export const a2sRequest = { info: 0x54, players: 0x55, rules: 0x56 } as const;

const dayzAppId = 221100;
const simpleHeader = -1;

export interface ServerInfo {
  name: string;
  map: string;
  players: number;
  maxPlayers: number;
  version: string;
  gamePort: number;
  passworded: boolean;
  /** The server's own SteamID. */
  steamId: bigint;
  keywords: readonly string[];
}

export interface Mod {
  /** Steam workshop id, below 2^32. */
  workshopId: number;
  title: string;
}

function packet(type: number, ...parts: Buffer[]): Buffer {
  const header = Buffer.alloc(5);
  header.writeInt32LE(simpleHeader);
  header.writeUInt8(type, 4);
  return Buffer.concat([header, ...parts]);
}

const text = (value: string): Buffer => Buffer.from(`${value.replaceAll('\0', '')}\0`, 'utf8');
const bytes = (...values: number[]): Buffer => Buffer.from(values);

function integer(value: number | bigint, size: 2 | 4 | 8): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)));
  return buffer.subarray(0, size);
}

export function challengePacket(challenge: number): Buffer {
  return packet(0x41, integer(challenge, 4));
}

export function infoPacket(info: ServerInfo): Buffer {
  const extra = 0x80 | 0x10 | 0x20 | 0x01;
  return packet(
    0x49,
    bytes(17),
    text(info.name),
    text(info.map),
    text('dayz'),
    text('DayZ'),
    integer(0, 2),
    bytes(Math.min(info.players, 255), Math.min(info.maxPlayers, 255), 0),
    Buffer.from('dw'),
    bytes(info.passworded ? 1 : 0, 1),
    text(info.version),
    bytes(extra),
    integer(info.gamePort, 2),
    integer(info.steamId, 8),
    text(info.keywords.join(',')),
    integer(dayzAppId, 8),
  );
}

/** The player list: DayZ sends no names, no scores, only how long each has been connected, in seconds. */
export function playersPacket(connectedSeconds: readonly number[]): Buffer {
  const entries = connectedSeconds.map((seconds) => {
    const entry = Buffer.alloc(10);
    entry.writeFloatLE(seconds, 6);
    return entry;
  });
  return packet(0x44, bytes(Math.min(entries.length, 255)), ...entries.slice(0, 255));
}

/**
 * DayZ writes its mod list as bytes in which 0, 1 and 255 are escaped, split into rules whose names are the part and
 * the number of parts.
 */
function modRules(mods: readonly Mod[]): Buffer[] {
  const raw = [bytes(2, 0, 0, 0, mods.length)];
  for (const [index, mod] of mods.entries()) {
    const title = Buffer.from(mod.title, 'utf8').subarray(0, 200);
    raw.push(
      integer(0x5eed0000 + index, 4),
      bytes(4),
      integer(mod.workshopId, 4),
      bytes(title.length),
      title,
    );
  }
  raw.push(bytes(0));
  const escaped: number[] = [];
  for (const byte of Buffer.concat(raw)) {
    if (byte === 1) escaped.push(1, 1);
    else if (byte === 0) escaped.push(1, 2);
    else if (byte === 255) escaped.push(1, 3);
    else escaped.push(byte);
  }
  const size = 124;
  const parts = Math.ceil(escaped.length / size);
  return Array.from({ length: parts }, (_, part) =>
    Buffer.concat([
      bytes(part + 1, parts, 0),
      Buffer.from(escaped.slice(part * size, (part + 1) * size)),
      bytes(0),
    ]),
  );
}

export function rulesPacket(mods: readonly Mod[], rules: Record<string, string>): Buffer {
  const packed = modRules(mods);
  const plain = Object.entries(rules).map(([name, value]) => Buffer.concat([text(name), text(value)]));
  return packet(0x45, integer(packed.length + plain.length, 2), ...packed, ...plain);
}
