import { randomUUID } from 'node:crypto';

/** What may be written into logs and headers as it stands. */
const sane = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

/** The caller's own `X-Request-Id` where it is a sane one, else a new one. */
export function requestIdOf(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && sane.test(sent) ? sent : randomUUID();
}
