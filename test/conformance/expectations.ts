import assert from 'node:assert/strict';
import { statusOf } from './error-body.ts';
import type { Answer } from './exchange.ts';
import { NotApplicable } from './case.ts';

/** Expects a success and hands out its body. */
export function expectOk(answer: Answer): Answer['body'] {
  assert.equal(answer.status, 200, `expected 200, got ${answer.status}: ${answer.text.slice(0, 300)}`);
  return answer.body;
}

/** Expects an error by its code, with the status that the code has. */
export function expectError(answer: Answer, code: string): Answer['body'] {
  const got = `got ${answer.status} ${answer.text.slice(0, 300)}`;
  assert.equal(answer.body?.error, code, `expected ${code}, ${got}`);
  assert.equal(answer.status, statusOf[code], `expected ${statusOf[code]}, ${got}`);
  return answer.body;
}

/** Expects a 400 whose details name this one input. */
export function expectInvalid(answer: Answer, place: string, path: string): void {
  const { details } = expectError(answer, 'invalid_parameters');
  const found = (details as { in: string; path: string }[]).some(
    (detail) => detail.in === place && detail.path === path,
  );
  assert.ok(found, `expected details to name ${place} ${path}, got ${JSON.stringify(details)}`);
}

/** The items of a list; with none of them there is nothing to prove. */
export function someOf<Item>(items: Item[], what: string): Item[] {
  if (items.length === 0) throw new NotApplicable(`there are no ${what} to look at`);
  return items;
}
