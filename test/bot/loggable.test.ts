import { DiscordAPIError, RateLimitError, type DiscordErrorData } from '@discordjs/rest';
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

it('says that a page came in place of an answer of Discord', () => {
  // As @discordjs/rest reads the body.
  const page = new ArrayBuffer(0) as unknown as DiscordErrorData;
  const { message } = loggable(new DiscordAPIError(page, 0, 403, 'GET', '/gateway/bot', {}));
  expect(message).toContain('a proxy or firewall may have answered');
});
