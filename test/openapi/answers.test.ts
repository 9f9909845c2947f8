import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorCodes } from '../../src/api/errors.ts';
import { errorsOf, operationIds } from '../../src/api/operations.ts';
import { violationsOf } from './conforming.ts';
import { sendTo, walk, type Step, type StepAnswer } from './walk.ts';
import { startWorld, type World } from './world.ts';

/** No request provokes them. */
const unprovoked = new Set(['internal_error', 'service_unavailable']);

describe('what the service answers', () => {
  let world: World;
  const walked: { step: Step; answer: StepAnswer }[] = [];

  beforeAll(async () => {
    world = await startWorld();
    for await (const one of walk(world, (step) => sendTo(world.url, step))) walked.push(one);
  }, 60_000);
  afterAll(() => world.close());

  it.each(operationIds)('is what the document says of %s: statuses, headers and bodies', (id) => {
    const mine = walked.filter(({ step }) => step.operation === id);
    for (const { step, answer } of mine) {
      expect(violationsOf(id, answer), `${step.expects} ${step.path}`).toEqual([]);
    }
    const seen = new Set(mine.map(({ step }) => step.expects));
    for (const code of errorsOf(id)) if (!unprovoked.has(code)) expect(seen, code).toContain(code);
  });

  it('is what the walk meant to provoke', () => {
    for (const { step, answer } of walked) {
      const { expects, path } = step;
      if (expects === 'ok') expect(answer.status, path).toBe(200);
      else if (expects === 'not_modified') expect(answer.status, path).toBe(304);
      else expect(answer, path).toMatchObject({ status: errorCodes[expects], body: { error: expects } });
    }
  });

  it('would be found out if it were anything else', () => {
    const { step, answer } = walked.find(({ step }) => step.operation === 'getServer') as (typeof walked)[0];
    const headers = new Headers(answer.headers);
    headers.delete('RateLimit');
    headers.set('X-RateLimit-Limit', 'many');
    const { server } = answer.body as { server: object };
    const changed = { status: 200, headers, body: { server: { ...server, status: 'ASLEEP', extra: 1 } } };
    expect(violationsOf(step.operation, changed).join('\n')).toMatch(
      /RateLimit is missing[^]*X-RateLimit-Limit: data must be integer[^]*additional properties[^]*status must be equal/,
    );
    expect(violationsOf('getServer', { ...answer, status: 409 })).toEqual(['409 is not in the document']);
  });
});
