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
    lines: (): Record<string, unknown>[] =>
      text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)])),
  };
}

test('names moments and levels as words', () => {
  const { log, lines } = written('info');
  log.warn({ server: 'a' }, 'no answer');
  log.child({ part: 'bot' }).error('gone');
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(lines()).toEqual([
    { level: 'warn', time, server: 'a', msg: 'no answer' },
    { level: 'error', time, part: 'bot', msg: 'gone' },
  ]);
});

test('has a line for each request at debug only, and at info where the config asks for it', () => {
  const quiet = written('info');
  createAccessLog(quiet.log, 'debug')(entry);
  createAccessLog(quiet.log, 'info')({ ...entry, requestId: 'r2' });
  expect(quiet.lines()).toMatchObject([{ level: 'info', requestId: 'r2', msg: 'request' }]);
  const verbose = written('debug');
  createAccessLog(verbose.log, 'debug')(entry);
  expect(verbose.lines()).toMatchObject([
    { level: 'debug', time: expect.stringMatching(/^\d{4}-.*Z$/), requestId: 'r1', status: 200 },
  ]);
});

test.each([true, false])('is coloured in a terminal as that and NO_COLOR want it: %s', async (hasColors) => {
  const output = Object.assign(new PassThrough(), { isTTY: true, hasColors: () => hasColors });
  let text = '';
  output.on('data', (data) => (text += String(data)));
  createLogger('info', { output: output as unknown as NodeJS.WriteStream }).info('ready');
  await expect.poll(() => text).toContain('ready');
  expect(text.includes('\x1b[')).toBe(hasColors);
});

test('in a terminal nothing that is logged drives it', async () => {
  const output = Object.assign(new PassThrough(), { hasColors: () => false });
  let text = '';
  output.on('data', (data) => (text += String(data)));
  const log = createLogger('info', { output: output as unknown as NodeJS.WriteStream, json: false });
  const hostile = 'a\u001b[2Jb\u009b31mc\u202ed\re\bf\u007fg';
  log
    .child({ name: hostile })
    .error({ path: hostile, err: new Error(hostile) }, `say "\\u001b" of ${hostile}`);
  await expect.poll(() => text).toContain('g');
  expect(text).toContain('say "\\u001b" of a [2Jb 31mc d e f g');
  // eslint-disable-next-line no-control-regex -- control characters are what is searched for
  expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Bidi_Control}/u);
});

test('in a terminal a line is text, and an error has its stack below', async () => {
  const output = Object.assign(new PassThrough(), { hasColors: () => false });
  let text = '';
  output.on('data', (data) => (text += String(data)));
  const log = createLogger('info', { output: output as unknown as NodeJS.WriteStream, json: false });
  log.warn({ error: { message: 'no\nanswer', code: 50013 }, requestId: null }, 'not sent');
  log.error({ err: new Error('disk full'), id: 'a' }, 'not stored');
  log.error({ reason: '2 mistakes:\n  line 8: no name\n  line 9: no port' }, 'not reloaded');
  await expect.poll(() => text).toMatch(/at .*log\.test[^]*not reloaded/);
  const [first, second, third, fourth] = text.split('\n');
  expect(first).toMatch(/ WARN: not sent · error: no answer, code 50013$/);
  expect(second).toMatch(/ ERROR: not stored · id: a$/);
  expect(third).toBe('    Error: disk full');
  expect(fourth).toMatch(/^ {8}at /);
  expect(text).toMatch(/not reloaded · reason: 2 mistakes: line 8: no name; line 9: no port$/m);
});

test('in a terminal a source that was read is one line, with the figures that are not zero', async () => {
  const output = new PassThrough();
  let text = '';
  output.on('data', (data) => (text += String(data)));
  const log = createLogger('info', { output: output as unknown as NodeJS.WriteStream, json: false });
  const source = { kind: 'logs', id: 's', path: '/logs' };
  const runs = { new: 1, longer: 0 };
  log.info(
    { ...source, report: { serverId: 's', runs, lines: 54, unreadLines: 3, remarks: ['x'] } },
    'source read',
  );
  log.info({ ...source, report: { file: 'bans.txt', entries: 0, remarks: [] } }, 'source read');
  await expect.poll(() => text).toContain('nothing new');
  const lines = text.trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(
    /source read · kind: logs · id: s · path: \/logs · report: 1 new run, 54 lines, 3 unread lines, 1 remark\b/,
  );
});
