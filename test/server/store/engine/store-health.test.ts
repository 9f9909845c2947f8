import { pino } from 'pino';
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../../../src/server/store/engine/error.ts';
import {
  logFailure,
  StoreHealth,
  type StoreState,
} from '../../../../src/server/store/engine/store-health.ts';

const coded = (code: string): Error => Object.assign(new Error(code), { code });

function watched() {
  const states: StoreState[] = [];
  const clock = { now: 0 };
  const health = new StoreHealth(
    (state) => states.push(state),
    () => clock.now,
  );
  return { states, clock, health };
}

test.each(['SQLITE_FULL', '53100'])(
  'a disk so full that one write finds room and the next does not is reported once (%s)',
  (code) => {
    const { states, clock, health } = watched();
    for (; clock.now < 60_000; clock.now += 100) {
      health.failed(coded(code));
      health.answered();
      health.written();
      expect(health.canWrite).toBe(false);
    }
    expect(states).toEqual(['unwritable']);
  },
);

test('a store that could not be written can be a second after the last failure, and says so after ten', () => {
  const { states, clock, health } = watched();
  health.failed(coded('SQLITE_FULL'));
  clock.now = 999;
  health.written();
  expect(health.canWrite).toBe(false);
  clock.now = 1_000;
  expect(health.canWrite).toBe(false);
  health.written();
  expect(health.canWrite).toBe(true);
  clock.now = 9_999;
  health.written();
  expect(states).toEqual(['unwritable']);
  clock.now = 10_000;
  health.written();
  expect(states).toEqual(['unwritable', 'writable']);
  health.failed(coded('SQLITE_FULL'));
  expect(states).toEqual(['unwritable', 'writable', 'unwritable']);
});

test('a store that is away can be written when it is back, and each trouble is reported by itself', () => {
  const { states, clock, health } = watched();
  health.failed(coded('ECONNREFUSED'));
  expect([health.isAvailable, health.canWrite]).toEqual([false, true]);
  health.answered();
  health.failed(coded('25006'));
  expect([health.isAvailable, health.canWrite]).toEqual([true, false]);
  clock.now = 10_000;
  health.answered();
  health.written();
  expect(states).toEqual(['away', 'unwritable', 'available', 'writable']);
});

test('what fails because of a trouble that is reported says nothing more', () => {
  const lines: string[] = [];
  const log = pino(
    {},
    { write: (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg) },
  );
  const errors = [coded('SQLITE_FULL'), new StoreUnavailable('away'), coded('SQLITE_CONSTRAINT')];
  for (const error of errors) logFailure(log, error, `failed: ${error.message}`);
  expect(lines).toEqual(['failed: SQLITE_CONSTRAINT']);
});
