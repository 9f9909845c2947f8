import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { FileError } from '../../src/file-access.ts';
import { readWholeFile } from '../../src/reading/whole-file.ts';
import { banNamesPath, NitradoFiles } from '../../src/nitrado/nitrado-files.ts';
import { RequestBudget } from '../../src/nitrado/request-budget.ts';
import { createTestClock, type TestClock } from '../clock.ts';
import { type NitradoOptions, type NitradoStandIn, startNitrado } from '../servers/nitrado.ts';

let root: string;
let clock: TestClock;
let budget: RequestBudget;
const disposables: (() => PromiseLike<void>)[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'game-files-nitrado-'));
  await mkdir(join(root, 'config'));
  clock = createTestClock();
  budget = new RequestBudget(clock);
});

afterEach(async () => {
  for (const dispose of disposables.splice(0).toReversed()) await dispose();
  await rm(root, { recursive: true });
});

async function start(options: Partial<NitradoOptions> = {}): Promise<NitradoStandIn> {
  const nitrado = await startNitrado({ root, ...options });
  disposables.push(() => nitrado[Symbol.asyncDispose]());
  return nitrado;
}

function open(
  nitrado: NitradoStandIn,
  options: { token?: string; serviceId?: string; deadlineMs?: number } = {},
) {
  const { serviceId, token, url } = nitrado;
  const files = new NitradoFiles({ serviceId, token, baseUrl: url, budget, clock, ...options });
  disposables.push(() => files.close());
  return files.of('logs');
}

const log = 'DayZServer_X1_x64_2026-11-20_18-00-01.ADM';
const everything = { matching: /./, stat: 'all' } as const;
const put = (name: string, content: string | Buffer) => writeFile(join(root, 'config', name), content);
const failureOf = (work: Promise<unknown>): Promise<FileError> =>
  work.then(
    () => expect.unreachable('it should have failed'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(FileError);
      return error as FileError;
    },
  );

describe.each([
  '/games/ni4711_1/noftp/dayzxb/',
  '/games/ni4711_1/noftp/dayzps/',
  '/games/ni4711_1/ftproot/dayz/',
])('the game folder %s', (gamePath) => {
  test('holds what paths without a leading slash name', async () => {
    await put(log, 'one\ntwo\n');
    const source = open(await start({ gamePath }));
    const [entry] = await source.list('config', everything);
    expect(entry).toMatchObject({ name: log, stat: { size: 8, identity: null } });
    expect(await source.stat(`config/${log}`)).toEqual(entry?.stat);
    expect(await source.stat(`${gamePath}config/${log}`)).toEqual(entry?.stat);
  });
});

test('a game folder that gets another path is found again', async () => {
  await put(log, 'one\n');
  const nitrado = await start();
  const source = open(nitrado);
  expect(await source.list('config', everything)).toHaveLength(1);
  nitrado.gamePath = '/games/ni9923_4/noftp/dayzxb/';
  clock.advance(60_000);
  expect(await failureOf(source.list('config', everything))).toMatchObject({ code: 'ENOENT' });
  expect(await source.list('config', everything)).toHaveLength(1);
});

test('a file that is not there costs one request a poll', async () => {
  await put(log, 'one\n');
  const nitrado = await start();
  const source = open(nitrado);
  for (let poll = 0; poll < 3; poll += 1) {
    expect(await failureOf(source.stat('config/ban.txt'))).toMatchObject({ code: 'ENOENT' });
    clock.advance(60_000);
  }
  expect(nitrado.requests).toEqual(['', ...Array.from({ length: 3 }, () => '/file_server/list')]);
});

test('reads parts of a file, and fetches no byte twice', async () => {
  const content = Buffer.from('0123456789'.repeat(50_000));
  await put(log, content);
  const nitrado = await start();
  const source = open(nitrado);
  const { parts } = await source.read(`config/${log}`, [
    { offset: 0, length: 1_024 },
    { offset: 499_000, length: 5_000 },
    { offset: 499_990, length: 1_000_000 },
    { offset: 600_000, length: 10 },
  ]);
  expect(parts[0]).toEqual(content.subarray(0, 1_024));
  expect(parts[1]).toEqual(content.subarray(499_000));
  expect(parts[2]).toEqual(content.subarray(499_990));
  expect(parts[3]).toHaveLength(0);
  expect(nitrado.bytesSent).toBe(1_024 + 1_000);
  expect(nitrado.requests).toEqual(['', '/file_server/list', '/file_server/seek', '/file_server/seek']);
});

test('reads a long file with few requests', async () => {
  const content = Buffer.alloc(9_000_000, 'a line of some length\n');
  await put(log, content);
  const nitrado = await start();
  const whole = await readWholeFile(open(nitrado), `config/${log}`, 10_000_000);
  expect(whole.bytes.equals(content)).toBe(true);
  expect(nitrado.bytesSent).toBe(content.length);
  expect(nitrado.requests).toHaveLength(2 + 3);
});

test('shows files as they were handed over last', async () => {
  await put(log, 'one\n');
  const nitrado = await start({ batches: true });
  const source = open(nitrado);
  await put(log, 'one\ntwo\n');
  expect((await source.stat(`config/${log}`)).size).toBe(4);
  await nitrado.handOver();
  clock.advance(60_000);
  expect((await source.stat(`config/${log}`)).size).toBe(8);
});

test('knows no time where the listing has none', async () => {
  await put(log, 'one\n');
  const nitrado = await start();
  nitrado.hasTimes = false;
  expect((await open(nitrado).stat(`config/${log}`)).changedAt).toBeNull();
});

test('takes the part out of a whole file that came instead', async () => {
  await put(log, '0123456789');
  const nitrado = await start();
  nitrado.faults.push('wholeFile');
  const { parts } = await open(nitrado).read(`config/${log}`, [{ offset: 7, length: 2 }]);
  expect(String(parts[0])).toBe('78');
});

test('takes it out of one that has grown since it was listed, too', async () => {
  await put(log, '0123456789');
  const nitrado = await start();
  const source = open(nitrado);
  await source.stat(`config/${log}`);
  await put(log, '0123456789abc');
  nitrado.faults.push('wholeFile');
  const { parts } = await source.read(`config/${log}`, [{ offset: 7, length: 3 }]);
  expect(String(parts[0])).toBe('789');
});

test('reads the banned names of the settings like a file', async () => {
  const nitrado = await start();
  const source = open(nitrado);
  expect(await source.stat(banNamesPath)).toMatchObject({ size: 0 });
  nitrado.bans = 'Some Gamertag\r\nother-one_77';
  clock.advance(60_000);
  const { bytes, stat } = await readWholeFile(source, banNamesPath, 1_000);
  expect(String(bytes)).toBe(nitrado.bans);
  nitrado.bans = 'Some Gamertag\r\nother-one_78';
  clock.advance(60_000);
  expect((await source.stat(banNamesPath)).identity).not.toBe(stat.identity);
});

describe('a wrong set-up', () => {
  test('with a token that is not valid says so, and keeps it to itself', async () => {
    const failure = await failureOf(
      open(await start(), { token: 'tok-wrong-8d3' }).list('config', everything),
    );
    expect(failure).toMatchObject({ code: 'EREMOTE' });
    expect(failure.message).toBe(
      'Nitrado does not accept the token: it answered "The access token is not valid (anymore)."',
    );
    expect(failure.remedy).toContain('long-life token');
    expect(JSON.stringify(failure) + failure.stack).not.toContain('tok-wrong-8d3');
  });

  test('with a token that no header can hold does not show it either', async () => {
    const failure = await failureOf(
      open(await start(), { token: 'tok\nwrong-8d3' }).list('config', everything),
    );
    expect(failure.remedy).toContain('long-life token');
    expect(JSON.stringify(failure) + failure.stack).not.toContain('wrong-8d3');
  });

  test('with a token that may not access the server names what it lacks', async () => {
    const nitrado = await start();
    nitrado.isAllowed = false;
    const failure = await failureOf(open(nitrado).list('config', everything));
    expect(failure.message).toContain('"Your token lacks the scope service"');
    expect(failure.remedy).toContain('scope "service"');
  });

  test.each([401, 403])(
    'with a token that is refused (HTTP %i) asks again after ten minutes',
    async (status) => {
      const nitrado = await start();
      nitrado.isAllowed = status !== 403;
      const source = open(nitrado, status === 401 ? { token: 'tok-wrong-8d3' } : {});
      const first = await failureOf(source.list('config', everything));
      for (let minute = 1; minute < 10; minute += 1) {
        clock.advance(60_000);
        expect(await failureOf(source.list('config', everything))).toBe(first);
      }
      expect(nitrado.requests).toHaveLength(1);
      clock.advance(60_000);
      await failureOf(source.list('config', everything));
      expect(nitrado.requests).toHaveLength(2);
    },
  );

  test('with an unknown server names the key', async () => {
    const failure = await failureOf(open(await start(), { serviceId: '99' }).list('config', everything));
    expect(failure.message).toContain('knows no game server 99');
    expect(failure.message).toContain('"Service not found"');
    expect(failure.remedy).toContain('compare serviceId');
  });

  test.each(['refused', 'empty'] as const)('with a path that is not there says so (%s)', async (missing) => {
    const nitrado = await start();
    nitrado.missing = missing;
    const source = open(nitrado);
    const failure = await failureOf(source.list('confg', everything));
    expect(failure).toMatchObject({ code: 'ENOENT' });
    expect(failure.remedy).toContain('file browser');
    expect(await failureOf(source.list('no/such', everything))).toMatchObject({ code: 'ENOENT' });
    expect(await failureOf(source.stat('config/no.ADM'))).toMatchObject({ code: 'ENOENT' });
  });

  test.each(['refused', 'empty'] as const)(
    'with a file instead of a folder says so (%s)',
    async (missing) => {
      await put(log, 'one\n');
      const nitrado = await start();
      nitrado.missing = missing;
      const source = open(nitrado);
      expect(await failureOf(source.list(`config/${log}`, everything))).toMatchObject({ code: 'ENOTDIR' });
      expect(await failureOf(source.stat('config'))).toMatchObject({ code: 'EISDIR' });
    },
  );
});

describe('an answer that cannot be trusted', () => {
  test.each([
    ['cut', 'EREMOTE', 'cannot be reached'],
    ['short', 'EIO', '5 bytes came where Nitrado had promised 10'],
    ['gone', 'EIO', 'HTTP 404'],
    ['plainAddress', 'EREMOTE', 'not encrypted'],
    ['elsewhere', 'EREMOTE', 'not encrypted'],
    ['huge', 'EREMOTE', 'more than the'],
    ['silent', 'EREMOTE', 'has not answered within'],
  ] as const)('fails when it is %s, and works the next time', async (fault, code, message) => {
    await put(log, '0123456789');
    const nitrado = await start();
    const source = open(nitrado, fault === 'silent' ? { deadlineMs: 2_000 } : {});
    await source.stat(`config/${log}`);
    nitrado.faults.push(fault);
    const failure = await failureOf(source.read(`config/${log}`, [{ offset: 0, length: 10 }]));
    expect(failure).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(failure.message).not.toContain('_files');
    const { parts } = await source.read(`config/${log}`, [{ offset: 0, length: 10 }]);
    expect(String(parts[0])).toBe('0123456789');
  });

  test('fails when it is a web page, which is no file either, however long', async () => {
    await put(log, '0123456789');
    const nitrado = await start();
    const source = open(nitrado);
    const pageInstead = expect.stringMatching(
      /^127\.0\.0\.1:\d+ answered with a web page instead of data: "We'll be back"$/,
    );
    nitrado.faults.push('webPage');
    expect(await failureOf(source.list('config', everything))).toMatchObject({
      code: 'EREMOTE',
      message: pageInstead,
      remedy: expect.stringContaining('maintenance'),
    });
    await source.stat(`config/${log}`);
    nitrado.faults.push('webPageAsFile');
    expect((await failureOf(source.read(`config/${log}`, [{ offset: 0, length: 10 }]))).message).toEqual(
      pageInstead,
    );
  });

  test('fails when its shape is another', async () => {
    const nitrado = await start();
    const source = open(nitrado);
    nitrado.faults.push('nonsense');
    expect((await failureOf(source.list('config', everything))).message).toContain('something unexpected');
    expect(await source.list('config', everything)).toEqual([]);
  });

  test('lists what it understands of a listing', async () => {
    await put(log, 'one');
    const nitrado = await start();
    nitrado.oddEntries.push(
      { name: 7 },
      { type: 'file', name: 'b.ADM', size: '12' },
      { type: 'file', name: '..' },
    );
    const source = open(nitrado);
    const found = await source.list('config', everything);
    expect(found.map(({ name, stat }) => [name, stat?.size])).toEqual([
      [log, 3],
      ['b.ADM', 12],
    ]);
  });

  test('lists no name that leads out of the folder', async () => {
    await put('..secret', 'x');
    await put('a.ADM', 'x');
    const source = open(await start());
    expect(
      (await source.list('config', { matching: /\.ADM$/, stat: 'all' })).map(({ name }) => name),
    ).toEqual(['a.ADM']);
  });
});

describe('the limit of requests', () => {
  test('is waited for within a request when that is short', async () => {
    const nitrado = await start();
    budget = new RequestBudget(systemClock);
    const source = open(nitrado);
    nitrado.faults.push('busy');
    expect(await source.list('config', everything)).toEqual([]);
    expect(nitrado.requests.slice(0, 3)).toEqual(['', '', '/file_server/list']);
  });

  test('is not shared with a server that is left, even if it is just being polled', async () => {
    const nitrado = await start();
    const { serviceId, token, url } = nitrado;
    const left = new NitradoFiles({ serviceId, token, baseUrl: url, budget, clock });
    budget.note(200, new Headers({ 'x-ratelimit-limit': '120' }));
    const alone = budget.pollEveryMs;
    await left.close();
    for (const source of ['logs', 'bans', 'messages']) left.of(source);
    expect(budget.pollEveryMs).toBe(alone);
  });

  test('is not what a busy moment is called', async () => {
    const nitrado = await start();
    nitrado.retryAfter = 30;
    nitrado.faults.push('busy');
    const source = open(nitrado);
    const wait =
      'Nitrado asks to wait until 12:00:30 UTC before the next request (HTTP 429); it goes on by itself';
    expect((await failureOf(source.list('config', everything))).message).toBe(wait);
    clock.advance(29_000);
    expect((await failureOf(source.list('config', everything))).message).toBe(wait);
    expect(nitrado.requests).toHaveLength(1);
    clock.advance(1_000);
    expect(await source.list('config', everything)).toEqual([]);
  });

  test('is waited out', async () => {
    await put(log, '0123456789');
    const nitrado = await start();
    const source = open(nitrado);
    await source.stat(`config/${log}`);
    nitrado.remaining = 0;
    clock.advance(60_000);
    const failure = await failureOf(source.stat(`config/${log}`));
    expect(failure.message).toMatch(
      /limit of requests of 3000 an hour is spent; it goes on by itself at 12:31 UTC/,
    );
    const asked = nitrado.requests.length;
    nitrado.beginHour();
    clock.advance(29 * 60_000);
    await failureOf(source.stat(`config/${log}`));
    expect(nitrado.requests).toHaveLength(asked);
    expect(source.pollEveryMs).toBe(60_000);
    clock.advance(60_000);
    expect(await source.stat(`config/${log}`)).toMatchObject({ size: 10 });
  });
});

test('a log that has grown since it was listed is read as far as the listing goes', async () => {
  await put(log, 'one\ntwo\n');
  const source = open(await start());
  await source.stat(`config/${log}`);
  await put(log, 'one\ntwo\nthree\n');
  const { stat, parts } = await source.read(`config/${log}`, [{ offset: 0, length: 1_024 }]);
  expect(stat.size).toBe(8);
  expect(String(parts[0])).toBe('one\ntwo\n');
});

test('names that no file can have are left out of a listing', async () => {
  const nitrado = await start();
  const names = ['../a.ADM', 'a\u0000.ADM', 'a\n.ADM', '\u001B[2J.ADM', '..', `${'a'.repeat(300)}.ADM`];
  nitrado.oddEntries = names.map((name) => ({ type: 'file', name, size: 1 }));
  await put(log, 'one\n');
  const entries = await open(nitrado).list('config', everything);
  expect(entries.map(({ name }) => name)).toEqual([log]);
});

test('a request without an answer is given up when the files are closed', async () => {
  const nitrado = await start();
  await put(log, 'one\n');
  const { serviceId, token, url } = nitrado;
  const files = new NitradoFiles({ serviceId, token, baseUrl: url, budget, clock });
  disposables.push(() => files.close());
  const source = files.of('logs');
  await source.stat(`config/${log}`);
  nitrado.faults = ['silent'];
  const refused = failureOf(source.read(`config/${log}`, [{ offset: 0, length: 1_024 }]));
  await expect.poll(() => nitrado.faults).toEqual([]);
  await files.close();
  // Which is no problem of the host.
  expect((await refused).code).toBe('ECLOSED');
});
