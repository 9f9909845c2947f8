import type { Socket } from 'node:net';
import * as gamedig from 'gamedig';

/** What one request may return over TCP. The longest real answers, of modded Minecraft servers, are about 130 kB. */
const mostTcpBytes = 512 * 1024;
/** What one request may return over UDP. The rest is ignored. Parsing must not block the process: some protocols take quadratic time. */
const mostUdpBytes = 64 * 1024;
const longestPacket = 16 * 1024;
const splitPacket = -2;

/** The part of GameDig's base class for protocols that its types do not name. */
interface Core {
  byteorder: 'le' | 'be';
  /** Valve's protocol: GoldSrc, whose split packets have no flag for compression. */
  goldsrcSplits?: boolean;
  udpSend(packet: Buffer | string, onPacket?: OnData, onTimeout?: () => unknown): Promise<unknown>;
  tcpSend(socket: Socket, request: Buffer | string, onData: OnData): Promise<unknown>;
}
type OnData = (data: Buffer) => unknown;
type ProtocolClass = new () => Core;

let isLimited = false;

/** Makes GameDig bound what it reads, whoever answers. To be called before the first query. */
export function limitAnswers(): void {
  if (isLimited) return;
  isLimited = true;
  const { valve } = (gamedig as unknown as { protocols: { valve: ProtocolClass } }).protocols;
  const core = Object.getPrototypeOf(valve.prototype) as Core;
  const { udpSend, tcpSend } = core;

  core.udpSend = function (this: Core, packet, onPacket, onTimeout) {
    if (onPacket === undefined) return udpSend.call(this, packet, onPacket, onTimeout);
    let bytes = 0;
    const limited: OnData = (data) => {
      bytes += data.length;
      if (data.length > longestPacket || bytes > mostUdpBytes) return undefined;
      return this instanceof valve && isCompressed(this, data) ? undefined : onPacket(data);
    };
    return udpSend.call(this, packet, limited, onTimeout);
  };
  core.tcpSend = function (this: Core, socket, request, onData) {
    return tcpSend.call(this, socket, request, (data) => {
      if (data.length > mostTcpBytes) throw new Error(`the answer has more than ${mostTcpBytes} bytes`);
      return onData(data);
    });
  };
}

/**
 * Whether a packet is a part of an answer compressed with bzip2 (developer.valvesoftware.com/wiki/Server_queries). Only
 * servers of 2006 and before compress. A packet of 100 bytes can unpack to 100 MB.
 */
function isCompressed({ byteorder, goldsrcSplits }: Core, data: Buffer): boolean {
  if (data.length < 8 || goldsrcSplits === true) return false;
  const isLittle = byteorder === 'le';
  const header = isLittle ? data.readInt32LE(0) : data.readInt32BE(0);
  return header === splitPacket && (data[isLittle ? 7 : 4]! & 0x80) !== 0;
}
