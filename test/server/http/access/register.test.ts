import { expect, it, onTestFinished } from 'vitest';
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
