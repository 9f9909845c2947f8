import { expect, it, onTestFinished } from 'vitest';
import { errorBody } from '../../../../src/api/errors.ts';
import { northwood } from '../../../harness/northwood.ts';
import { startTestService } from '../../../harness/service.ts';

it('takes an id and a secret with the line ends of the files from which they were read', async () => {
  const service = await startTestService(northwood());
  onTestFinished(() => service.close());
  const { id, secret } = await service.application('northwood');
  const { status } = await service.send('/v1/auth/register', {
    method: 'POST',
    headers: { 'User-Agent': id },
    body: JSON.stringify({ application_id: `${id}\r\n`, secret: `${secret}\n` }),
  });
  expect(status).toBe(200);
});

it.each([
  [
    'a body that is no JSON',
    '/v1/auth/register',
    'body: expected a JSON object with application_id and secret.',
  ],
  ['a path that is badly encoded', '/v1/server/%zz', 'path: expected valid percent-encoding.'],
])('says in the message what was expected in place of %s', async (_name, path, message) => {
  const service = await startTestService(northwood());
  onTestFinished(() => service.close());
  const { body } = await service.send(path, { method: 'POST', headers: { 'User-Agent': 'x' }, body: 'x=' });
  expect(errorBody.parse(body).message).toBe(message);
});
