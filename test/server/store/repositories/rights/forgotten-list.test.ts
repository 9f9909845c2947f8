import { expect, test } from 'vitest';
import {
  ForgottenList,
  nameForm,
} from '../../../../../src/server/store/repositories/rights/forgotten-list.ts';

const key = Buffer.alloc(32, 1);
let lookUps = 0;
class CountingList extends ForgottenList {
  override has(form: string): boolean {
    lookUps += 1;
    return super.has(form);
  }
}
const none = new ForgottenList(1, [key], new Set());
const hashes = ['Bob', 'Mad Max', 'Mad Max the Second'].map((name) => none.hashOf(nameForm(name)));
const list = new CountingList(1, [key], new Set(hashes));

test.each([
  ['Bob', '…'],
  ['killed by (bob), twice', 'killed by … twice'],
  ['  Bob  and Bobby', '  …  and Bobby'],
  ['with mad max the second today', 'with … today'],
  ['Mad Max, Mad Maxine', '… Mad Maxine'],
  ['nobody', 'nobody'],
  ['', ''],
])('the names of forgotten players in %j are replaced', (text, expected) => {
  expect(list.withoutNames(text)).toBe(expected);
});

test('a text full of names takes a bounded number of look-ups a word', () => {
  lookUps = 0;
  expect(list.withoutNames('Bob x '.repeat(1_000))).toBe('… x '.repeat(1_000));
  expect(lookUps).toBeLessThanOrEqual(2_000 * 12);
});
