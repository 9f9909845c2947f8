import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** Names and values in turns, as lines of a head. */
export function headerLines(headers: readonly string[]): string {
  let lines = '';
  for (let index = 0; index < headers.length; index += 2)
    lines += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return lines;
}

/**
 * Sends an answer whose head is text already. `response.writeHead` puts each head together anew and checks every name
 * and value in it, which takes longer than all else that an answer from memory needs. So the text goes where Node keeps
 * the one that it made, `_header`, which Node writes out before the body; with the body in it (`text`, each byte one
 * character) all is one write. `lines` may hold nothing that a caller could have chosen freely.
 *
 * Only for a connection that stays open (`response.shouldKeepAlive`): the head says so.
 */
export function sendPrepared(
  response: ServerResponse,
  statusLine: string,
  lines: string,
  body: string | Buffer,
): void {
  const head = `${statusLine}\r\n${lines}Date: ${dateNow()}\r\nConnection: keep-alive\r\n\r\n`;
  if (typeof body === 'string') {
    Reflect.set(response, '_header', head + body);
    response.end();
  } else {
    Reflect.set(response, '_header', head);
    response.end(body);
  }
}

/** Whether this Node writes what `sendPrepared` gives it, as it is. One that does not would send an empty answer. */
export function canSendPrepared(send = sendPrepared): boolean {
  const written: Buffer[] = [];
  const connection = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk);
      done();
    },
  });
  try {
    const socket = connection as Socket;
    const response = new ServerResponse(new IncomingMessage(socket));
    response.assignSocket(socket);
    send(response, 'HTTP/1.1 200 OK', 'X-Test: 1\r\n', 'body');
    const text = Buffer.concat(written).toString('latin1');
    return /^HTTP\/1\.1 200 OK\r\nX-Test: 1\r\nDate: [^\r]+\r\nConnection: keep-alive\r\n\r\nbody$/.test(
      text,
    );
  } catch {
    return false;
  } finally {
    connection.destroy();
  }
}

let dateSecond = 0;
let dateText = '';

/** A Date header's value; it says no less than a second. */
function dateNow(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(second * 1000).toUTCString();
  }
  return dateText;
}
