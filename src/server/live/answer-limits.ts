import { request as httpRequest, type ClientRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import * as gamedig from 'gamedig';

/** The most bytes of one answer over TCP. The longest real answers, of modded Minecraft servers, are about 130 kB. */
const mostTcpBytes = 512 * 1024;
/** The most bytes of one answer over UDP; the rest is ignored. Parsing must not block the process: some protocols take quadratic time. */
const mostUdpBytes = 64 * 1024;
const longestPacket = 16 * 1024;
/** The most bytes of one answer of a game server over HTTP: FiveM lists all ids of up to 2,048 players. */
const mostHttpBytes = 4 * 1024 * 1024;
/** The makers of some games list all servers in one answer, of a few megabytes. */
const mostListBytes = 32 * 1024 * 1024;
/** The header of a packet of Valve's protocol that is a part of a longer answer. */
const splitHeader = -2;

/** GameDig's base class of all protocols, as far as it is used here: GameDig's types leave it out. */
interface Protocol {
  byteorder: 'le' | 'be';
  /** Valve's protocol: GoldSrc, whose split packets have no flag for compression. */
  goldsrcSplits?: boolean;
  udpSend(packet: Buffer | string, onPacket?: OnData, onTimeout?: () => unknown): Promise<unknown>;
  tcpSend(socket: Socket, request: Buffer | string, onData: OnData): Promise<unknown>;
  /** By HTTP, with the options of the package `got`. */
  request(options: { url: string }): Promise<unknown>;
  options: { host?: string; address?: string };
}
type OnData = (data: Buffer) => unknown;
type ProtocolClass = new () => Protocol;

let isLimited = false;

/** Makes GameDig bound what it reads, by replacing methods of its base class. To be called before the first query. */
export function limitAnswers(): void {
  if (isLimited) return;
  isLimited = true;
  const { valve } = (gamedig as unknown as { protocols: { valve: ProtocolClass } }).protocols;
  const base = Object.getPrototypeOf(valve.prototype) as Protocol;
  const { udpSend, tcpSend, request } = base;

  base.udpSend = function (this: Protocol, packet, onPacket, onTimeout) {
    if (onPacket === undefined) return udpSend.call(this, packet, onPacket, onTimeout);
    let bytes = 0;
    const limited: OnData = (data) => {
      bytes += data.length;
      if (data.length > longestPacket || bytes > mostUdpBytes) return undefined;
      return this instanceof valve && isCompressed(this, data) ? undefined : onPacket(data);
    };
    return udpSend.call(this, packet, limited, onTimeout);
  };
  base.tcpSend = function (this: Protocol, socket, request, onData) {
    return tcpSend.call(this, socket, request, (data) => {
      if (data.length > mostTcpBytes) throw new Error(`the answer has more than ${mostTcpBytes} bytes`);
      return onData(data);
    });
  };
  base.request = function (this: Protocol, options) {
    const { host, address } = this.options;
    const isGameServer = [host, address].some((one) => one !== undefined && options.url.includes(one));
    const limits = isGameServer
      ? // 200 KB can unpack to 200 MB, and a redirect can lead anywhere.
        { decompress: false, followRedirect: false, request: requestOfAtMost(mostHttpBytes) }
      : { request: requestOfAtMost(mostListBytes) };
    return request.call(this, { ...options, ...limits });
  };
}

/** The function with which `got` begins a request: one that fails once more bytes than these have come. */
function requestOfAtMost(most: number) {
  return (url: URL, options: RequestOptions): ClientRequest => {
    const asked = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options);
    let bytes = 0;
    const count = (data: Buffer): void => {
      bytes += data.length;
      if (bytes > most) asked.destroy(new Error(`the answer has more than ${most} bytes`));
    };
    asked.once('socket', (socket) => {
      socket.on('data', count);
      // It may serve another request later.
      asked.once('close', () => socket.off('data', count));
    });
    return asked;
  };
}

/**
 * Whether a packet is a part of an answer compressed with bzip2 (developer.valvesoftware.com/wiki/Server_queries). Only
 * servers of 2006 and before compress. A packet of 100 bytes can unpack to 100 MB.
 */
function isCompressed({ byteorder, goldsrcSplits }: Protocol, data: Buffer): boolean {
  if (data.length < 8 || goldsrcSplits === true) return false;
  const isLittle = byteorder === 'le';
  const header = isLittle ? data.readInt32LE(0) : data.readInt32BE(0);
  // The answer's id follows the header, in four bytes. Its highest bit says that the answer is compressed.
  const highestByteOfId = data[isLittle ? 7 : 4]!;
  return header === splitHeader && (highestByteOfId & 0x80) !== 0;
}
