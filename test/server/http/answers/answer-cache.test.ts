import { beforeEach, expect, it } from 'vitest';
import { Answers } from '../../../../src/server/http/answers/answer-cache.ts';
import { Representation, type Answering } from '../../../../src/server/http/answers/representation.ts';

let answers: Answers;
let version: number;
let revision: number | undefined;
let now: number;
let made: number;
beforeEach(() => {
  answers = new Answers(1_000_000);
  [version, revision, now, made] = [1, 1, 0, 0];
});

const representation = (): Answering => new Representation(Buffer.from(String(made)), 'text/plain', []);

/** How often the answer has been made once it has been asked for. */
async function ask(whileMaking: () => void = () => undefined, answering = representation): Promise<number> {
  await answers.get('key', {
    version,
    currentVersion: () => version,
    revision: async () => revision,
    now: () => now,
    validUntil: async () => 100,
    make: async () => {
      made += 1;
      whileMaking();
      return answering();
    },
  });
  return made;
}

it('makes an answer once for each state of the data', async () => {
  revision = undefined;
  expect([await ask(), await ask()]).toEqual([1, 1]);
  version = 2;
  expect([await ask(), await ask()]).toEqual([2, 2]);
});

it('keeps an answer over commits that leave its revision alone', async () => {
  await ask();
  version = 2;
  expect(await ask()).toBe(1);
  expect(await ask()).toBe(1);
  revision = 2;
  version = 3;
  expect(await ask()).toBe(2);
});

it('makes an answer again once it has expired, whatever its revision', async () => {
  await ask();
  version = 2;
  now = 100;
  expect(await ask()).toBe(2);
});

it('keeps nothing that was read while somebody wrote', async () => {
  await ask(() => (version += 1));
  expect(await ask()).toBe(2);
});

it('shares an answer that is no representation, such as an error, and does not keep it', async () => {
  const refusal = (): Answering => ({ answer: () => ({ status: 404, headers: [], body: null }) });
  const ask404 = () => ask(undefined, refusal);
  expect(await Promise.all([ask404(), ask404()])).toEqual([1, 1]);
  expect(await ask404()).toBe(2);
});
