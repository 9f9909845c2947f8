import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createLogger } from '../../src/process/log.ts';
import { createAccessLog } from '../../src/server/http/access-log.ts';

const entry = {
  requestId: 'r1',
  operation: 'listServers',
  application: undefined,
  address: '127.0.0.1',
  method: 'GET',
  status: 200,
  ms: 1.5,
};

/** What a logger of that level writes, line by line. */
function written(level: string) {
  const output = new PassThrough();
  const log = createLogger(level, { output: output as unknown as NodeJS.WriteStream, json: true });
  let text = '';
  output.on('data', (data) => (text += String(data)));
  return {
    log,
    lines: async (): Promise<Record<string, unknown>[]> => {
      // Lines that come together are written together, 20 ms later.
      await new Promise((resolve) => setTimeout(resolve, 60));
      return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    },
  };
}

test('names moments and levels as words', async () => {
  const { log, lines } = written('info');
  log.warn({ server: 'a' }, 'no answer');
  log.child({ part: 'bot' }).error('gone');
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(await lines()).toEqual([
    { level: 'warn', time, server: 'a', msg: 'no answer' },
    { level: 'error', time, part: 'bot', msg: 'gone' },
  ]);
});

test('has a line for each request at debug only, and at info where the config asks for it', async () => {
  const quiet = written('info');
  createAccessLog(quiet.log, 'debug')(entry);
  createAccessLog(quiet.log, 'info')({ ...entry, requestId: 'r2' });
  expect(await quiet.lines()).toMatchObject([{ level: 'info', requestId: 'r2', msg: 'request' }]);
  const verbose = written('debug');
  createAccessLog(verbose.log, 'debug')(entry);
  expect(await verbose.lines()).toMatchObject([
    { level: 'debug', time: expect.stringMatching(/^\d{4}-.*Z$/), requestId: 'r1', status: 200 },
  ]);
});
