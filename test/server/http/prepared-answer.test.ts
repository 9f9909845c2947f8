import { expect, it } from 'vitest';
import { canSendPrepared } from '../../../src/server/http/prepared-answer.ts';

it('knows that this Node writes a prepared answer as it is', () => {
  expect(canSendPrepared()).toBe(true);
});

it('finds out a Node that would ignore it and send an empty answer', () => {
  expect(canSendPrepared((response) => void response.end())).toBe(false);
  expect(canSendPrepared((response, _status, _lines, body) => void response.end(body))).toBe(false);
  expect(
    canSendPrepared(() => {
      throw new TypeError('Cannot set property _header');
    }),
  ).toBe(false);
});
