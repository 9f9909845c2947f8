import { expect, it } from 'vitest';
import { FileError } from 'game-files';
import { PollProblems } from '../../../src/server/ingest/poll-problems.ts';

it('puts what to do behind a sentence of the host, with one sign between', async () => {
  const refused = new FileError({
    code: 'EREMOTE',
    message: 'the server says: Too many connections.',
    remedy: 'close other programs',
  });
  const poll = async (): Promise<never> => await Promise.reject(refused);
  expect(await new PollProblems().attempt('logs', poll)).toMatchObject({
    error: 'the server says: Too many connections; close other programs',
  });
});
