import { randomBytes } from 'node:crypto';

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
