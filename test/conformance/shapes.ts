import assert from 'node:assert/strict';

/** Throws when a value is not as expected; `at` says where it stood. */
export type Check = (value: unknown, at: string) => void;

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 200) ?? 'undefined';

function expectThat(holds: boolean, value: unknown, at: string, expected: string): void {
  assert.ok(holds, `expected ${at} to be ${expected}, got ${shown(value)}`);
}

export const text: Check = (value, at) => expectThat(typeof value === 'string', value, at, 'a text');
export const nonEmpty: Check = (value, at) =>
  expectThat(typeof value === 'string' && value !== '', value, at, 'a text that is not empty');
export const flag: Check = (value, at) => expectThat(typeof value === 'boolean', value, at, 'true or false');
export const matching =
  (pattern: RegExp): Check =>
  (value, at) =>
    expectThat(typeof value === 'string' && pattern.test(value), value, at, `a text like ${pattern.source}`);
export const whole =
  (min: number): Check =>
  (value, at) =>
    expectThat(Number.isSafeInteger(value) && Number(value) >= min, value, at, `a whole number from ${min}`);
export const count = whole(0);
export const measure: Check = (value, at) =>
  expectThat(Number.isFinite(value) && Number(value) >= 0, value, at, 'a number from 0');
export const positive: Check = (value, at) =>
  expectThat(Number.isFinite(value) && Number(value) > 0, value, at, 'a number above 0');
export const webAddress: Check = (value, at) =>
  expectThat(typeof value === 'string' && URL.canParse(value), value, at, 'a web address');
export const timeZone: Check = (value, at) => {
  let known = typeof value === 'string';
  try {
    Intl.DateTimeFormat('en', { timeZone: value as string });
  } catch {
    known = false;
  }
  expectThat(known, value, at, 'an IANA time zone');
};

/** RFC 3339, UTC, milliseconds; and a moment that exists. */
export const timestamp: Check = (value, at) => {
  matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)(value, at);
  expectThat(new Date(value as string).toJSON() === value, value, at, 'a moment that exists');
};

export const oneOf =
  (...values: readonly unknown[]): Check =>
  (value, at) =>
    expectThat(values.includes(value), value, at, `one of ${values.join(', ')}`);
export const nullable =
  (check: Check): Check =>
  (value, at) => {
    if (value !== null) check(value, at);
  };
export const listOf =
  (check: Check): Check =>
  (value, at) => {
    expectThat(Array.isArray(value), value, at, 'a list');
    for (const [index, item] of (value as unknown[]).entries()) check(item, `${at}[${index}]`);
  };

/** An object with exactly these keys: none may be absent, none added. */
export const object =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value, at) => {
    expectThat(typeof value === 'object' && value !== null && !Array.isArray(value), value, at, 'an object');
    const record = value as Record<string, unknown>;
    assert.deepEqual(
      Object.keys(record).toSorted(),
      Object.keys(fields).toSorted(),
      `expected ${at} to have these keys`,
    );
    for (const [key, check] of Object.entries(fields)) check(record[key], `${at}.${key}`);
  };
