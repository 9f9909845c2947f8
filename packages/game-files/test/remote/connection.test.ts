import { expect, test } from 'vitest';
import { FileError } from '../../src/file-access.ts';
import { Connection, type ConnectionOptions } from '../../src/remote/connection.ts';
import { HostBusy, LinkLost, LoginRefused, type Session } from '../../src/remote/session.ts';
import { createTestClock } from '../clock.ts';

const never = async (): Promise<never> => await new Promise(() => undefined);
const minuteMs = 60_000;

/** Tests bring their own requests. */
const notAsked = async (): Promise<never> => await Promise.reject(new Error('not asked'));

function session(): Session {
  const opened = {
    receivedBytes: 0,
    isOpen: true,
    list: notAsked,
    stat: notAsked,
    read: notAsked,
    resumeProblem: async () => null,
    close() {
      opened.isOpen = false;
    },
  };
  return opened;
}

function connection(options: Pick<ConnectionOptions, 'open'> & Partial<ConnectionOptions>): Connection {
  return new Connection({ name: 'sftp://a@b:22', atOnce: 4, clock: createTestClock(), ...options });
}

test('a host that begins a login and never ends it is given up, and tried again', async () => {
  const signals: AbortSignal[] = [];
  const at = connection({
    openDeadlineMs: 20,
    firstPauseMs: 0,
    async open(signal) {
      signals.push(signal);
      return signals.length === 1 ? await never() : session();
    },
  });
  await expect(at.run(async () => 'read')).rejects.toMatchObject({
    code: 'EREMOTE',
    message: 'sftp://a@b:22: no answer within 0.02 seconds',
  });
  expect(signals[0]?.aborted).toBe(true);
  expect(await at.run(async () => 'read')).toBe('read');
});

test('a request over a slow link goes on for as long as bytes arrive, and no longer', async () => {
  const opened = session();
  let received = 0;
  let finish = (): void => undefined;
  // A kilobyte a second, about.
  const step = 8 * 1024;
  let last = 10 * step;
  Object.defineProperty(opened, 'receivedBytes', {
    get() {
      if (received < last) return (received += step);
      finish();
      return received;
    },
  });
  const at = connection({ deadlineMs: 20, open: async () => opened });
  const answered = new Promise<void>((resolve) => (finish = resolve));
  expect(await at.run(async () => await answered.then(() => 'read'))).toBe('read');
  finish = () => undefined;
  last *= 2;
  await expect(at.run(never)).rejects.toThrow(/no answer within 0\.02 seconds/);
  expect(received).toBe(last);
});

test('a login that succeeds after it was given up leaves no session open', async () => {
  const late = session();
  let finish = (): void => undefined;
  const at = connection({
    openDeadlineMs: 20,
    open: async () => await new Promise((resolve) => (finish = () => resolve(late))),
  });
  await expect(at.run(async () => 'read')).rejects.toMatchObject({ code: 'EREMOTE' });
  finish();
  await expect.poll(() => late.isOpen).toBe(false);
});

test.each([
  ['a login', never, never],
  ['a request', async () => session(), never],
])('closing ends %s that hangs', async (_, open, request) => {
  const at = connection({ open });
  const read = expect(at.run(request)).rejects.toMatchObject({ code: 'ECLOSED' });
  await new Promise((resolve) => setImmediate(resolve));
  at.close();
  await read;
});

test('a refused password is sent rarely enough for no host to lock the user out', async () => {
  const clock = createTestClock();
  const attempts: number[] = [];
  const at = connection({
    clock,
    async open() {
      attempts.push(clock.monotonic());
      throw new LoginRefused({ message: 'does not let the user in', remedy: 'check password' });
    },
  });
  for (let minute = 0; minute < 100; minute += 1) {
    await expect(at.run(async () => 'read')).rejects.toMatchObject({ remedy: 'check password' });
    clock.advance(minuteMs);
  }
  const pauses = attempts.slice(1).map((moment, i) => (moment - (attempts[i] ?? 0)) / minuteMs);
  expect(pauses).toEqual([10, 20, 30, 30]);
});

test('a host that allows no more connections is asked again soon, and then less and less often', async () => {
  const clock = createTestClock();
  const attempts: number[] = [];
  const at = connection({
    clock,
    async open() {
      attempts.push(clock.monotonic());
      throw new HostBusy('the server says: 421 Too many connections');
    },
  });
  for (let polls = 0; polls < 450; polls += 1) {
    await expect(at.run(async () => 'read')).rejects.toMatchObject({
      message: 'sftp://a@b:22: the server says: 421 Too many connections',
      remedy: expect.stringContaining('close other programs that use this login'),
    });
    clock.advance(2_000);
  }
  const pauses = attempts.slice(1).map((moment, i) => (moment - (attempts[i] ?? 0)) / 1_000);
  expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300]);
});

test('an answer ends a row of failures, also that a file is not there', async () => {
  const clock = createTestClock();
  let isDown = true;
  const at = connection({
    clock,
    async open() {
      if (isDown) throw new LinkLost('the host is down');
      return session();
    },
  });
  for (let minute = 0; minute < 10; minute += 1) {
    await expect(at.run(async () => 'read')).rejects.toThrow('the host is down');
    clock.advance(minuteMs);
  }
  isDown = false;
  const missing = new FileError({ code: 'ENOENT', message: 'no such file' });
  await expect(at.run(() => Promise.reject(missing))).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(at.run(() => Promise.reject(new LinkLost('cut')))).rejects.toThrow('cut');
  clock.advance(2_000);
  expect(await at.run(async () => 'read')).toBe('read');
});

test('an error holds no secret and no control characters, however the server words it', async () => {
  const at = connection({
    secrets: ['pw-71c', undefined],
    async open() {
      const message = `the server says: 500 'PASS pw-71c'\r\n\u001B[2Jnot understood ${'x'.repeat(5_000)}`;
      throw new FileError({ code: 'EREMOTE', message, remedy: 'check password' });
    },
  });
  const error = await at.run(async () => 'read').catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'EREMOTE', remedy: 'check password' });
  const { message } = error as Error;
  expect(message).toMatch(/^the server says: 500 'PASS …' \[2Jnot understood x+…$/);
  expect(message.length).toBeLessThan(600);
});
