import { RateLimitError } from '@discordjs/rest';
import { expect, it } from 'vitest';
import { loggable } from '../../src/bot/loggable.ts';

it('names an error without a message, and not the route, which may hold a token', () => {
  const route = '/webhooks/1/secret-token/messages/@original';
  const limit = { route, hash: '', url: route, method: 'PATCH', majorParameter: '', limit: 1 };
  const error = new RateLimitError({
    ...limit,
    global: false,
    retryAfter: 1,
    scope: 'user',
    sublimitTimeout: 0,
    timeToReset: 1,
  });
  expect(loggable(error)).toEqual({ message: 'RateLimitError' });
  expect(loggable(new Error('no answer'))).toEqual({ message: 'no answer' });
});
