import { expect, it } from 'vitest';
import { failureOf } from '../../../src/bot/channels/refusal.ts';

const failed = (code: string): Error => Object.assign(new Error('failed'), { code });

it.each([
  ['nothing listens at the address', failed('ECONNREFUSED'), 'notNow'],
  ['this machine has no network', new TypeError('fetch failed', { cause: failed('ENOTFOUND') }), 'notNow'],
  ['the connection ended before the answer', failed('ECONNRESET'), 'unknown'],
  ['no answer came in time', new DOMException('aborted', 'AbortError'), 'unknown'],
])('says whether a message may have arrived: %s', (_what, error, expected) => {
  expect(failureOf(error)).toBe(expected);
});
