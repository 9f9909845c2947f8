import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { Representation } from '../../../../src/server/http/answers/representation.ts';

const browser = { raw: { headers: { 'accept-encoding': 'br, gzip' } } } as unknown as FastifyRequest;

it.each([
  ['text/html; charset=utf-8', true],
  ['image/svg+xml', true],
  ['image/png', false],
])('%s is compressed for a browser: %s', async (type, expected) => {
  const { headers } = await new Representation(Buffer.alloc(4_096), type, []).answer(
    browser,
    'Accept-Encoding',
  );
  expect(headers.includes('Content-Encoding')).toBe(expected);
});
