import { afterEach, beforeEach, expect, it } from 'vitest';
import { errorBody, problemBody } from '../../../../src/api/errors.ts';
import { northwood } from '../../../harness/northwood.ts';
import { startTestService, type TestService } from '../../../harness/service.ts';
import { ask } from '../../../harness/wire.ts';

let service: TestService;
beforeEach(async () => (service = await startTestService(northwood())));
afterEach(() => service.close());

const refused = async (path: string, Accept: string) => {
  const { status, headers, body } = await ask(service.url, { path, headers: { Accept } });
  return { status, type: headers['content-type'], body: JSON.parse(body.toString()) as unknown };
};

it.each([
  'application/problem+json',
  'application/json, Application/Problem+JSON;q=0.5',
  'application/problem+json; q=1, */*',
])('answers errors as Problem Details to "Accept: %s"', async (accept) => {
  for (const [path, expected, title] of [
    ['/v1/servers', 401, 'Unauthorized'],
    ['/v1/nothing', 404, 'Not Found'],
    ['/%zz', 400, 'Bad Request'],
  ] as const) {
    const { status, type, body } = await refused(path, accept);
    expect([status, type]).toEqual([expected, 'application/problem+json']);
    const { message, detail, ...others } = problemBody.parse(body);
    expect(detail).toBe(message);
    expect(others).toMatchObject({ type: 'about:blank', title, status: expected });
  }
});

it.each([
  '*/*',
  'application/json',
  'application/*',
  'application/problem+json;q=0',
  'application/problem+json;q=0.0',
  '',
])('answers errors in their usual form to "Accept: %s"', async (accept) => {
  const { type, body } = await refused('/v1/servers', accept);
  expect(type).toBe('application/json; charset=utf-8');
  expect(errorBody.parse(body).error).toBe('token_missing');
});
