import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { invalidHeader, Problem } from '../answers/problem.ts';

/** Headers whose second line another server or proxy may read in place of the first. */
const singleHeaders = ['Host', 'Authorization', 'User-Agent'] as const;

/** A name or address, and a port (RFC 9110, section 7.2). */
const hostPattern = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::\d*)?$/i;

/** Checks what Node lets through and HTTP does not allow. @throws Problem 400 */
export function checkHead({ headers, headersDistinct, httpVersion }: IncomingMessage): void {
  const { host, 'transfer-encoding': coding } = headers;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw new Problem('invalid_parameters', 'Expected HTTP/1.1 or HTTP/1.0.');
  }
  // Where its body ends is not known otherwise (RFC 9112, section 6.3).
  if (coding !== undefined && !/(?:^|,)\s*chunked$/i.test(coding)) {
    throw invalidHeader('Transfer-Encoding', 'expected "chunked"');
  }
  const repeated = singleHeaders.find((name) => (headersDistinct[name.toLowerCase()]?.length ?? 0) > 1);
  if (repeated !== undefined) throw invalidHeader(repeated, 'expected exactly one');
  // HTTP/1.0 needs none (RFC 9112, section 3.2).
  if (host === undefined && httpVersion === '1.1') throw invalidHeader('Host', 'expected exactly one');
  if (host !== undefined && !hostPattern.test(host)) {
    throw invalidHeader('Host', 'expected a name or an address, and a port if there is one');
  }
}

/** Safe in logs and headers without escaping. */
const sane = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

const processId = randomBytes(9).toString('hex');
let count = 0;

/** The caller's own `X-Request-Id` if it is safe, otherwise a new one: a random prefix per process and a counter. */
export function requestIdOf(sent: string | string[] | undefined): string {
  if (typeof sent === 'string' && sane.test(sent)) return sent;
  count += 1;
  return `${processId}-${count}`;
}
