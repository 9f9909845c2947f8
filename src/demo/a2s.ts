/**
 * Answers of Valve's server query protocol (A2S: developer.valvesoftware.com/wiki/Server_queries) as a DayZ server
 * gives them: application in the 64-bit game id, state in the keywords, no player names.
 */

export const a2sRequest = { info: 0x54, players: 0x55 } as const;

const dayzAppId = 221100;
const simpleHeader = -1;

interface ServerInfo {
  name: string;
  map: string;
  players: number;
  maxPlayers: number;
  version: string;
  gamePort: number;
  /** The server's own SteamID. */
  steamId: bigint;
  keywords: readonly string[];
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
    bytes(0, 1),
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
