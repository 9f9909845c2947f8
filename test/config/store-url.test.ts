import { expect, it } from 'vitest';
import { parseEnvironment } from '../../src/config/environment.ts';
import { ConfigError } from '../../src/config/error.ts';
import { shownUrl } from '../../src/server/store/engine/postgres/url.ts';

const url = 'postgres://outpost:s3cret@db.example.org:5432/outpost';

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('nothing was refused');
}

it('takes the URL of the environment', () => {
  expect(parseEnvironment({ OUTPOST_STORE_URL: url }).storeUrl).toBe(url);
  expect(parseEnvironment({ OUTPOST_STORE_URL: '' }).storeUrl).toBeUndefined();
  expect(parseEnvironment({}).storeUrl).toBeUndefined();
});

it.each([
  'mysql://outpost:s3cret@localhost/outpost',
  'postgres://outpost:s3cret@localhost',
  'postgres://outpost:s3cret@localhost/',
  'postgres://outpost:s3#cret@localhost/outpost',
  'localhost:5432/s3cret',
])('refuses %s, says what a URL has to be, and does not quote it', (wrong) => {
  const said = messageOf(() => parseEnvironment({ OUTPOST_STORE_URL: wrong }));
  expect(said).toContain(
    'OUTPOST_STORE_URL: expected a URL such as postgres://USER:PASSWORD@HOST:5432/DATABASE',
  );
  expect(said).not.toMatch(/s3|cret|mysql/);
});

it('refuses a misspelt option, which would leave the connection unencrypted, and takes those of other programs', () => {
  for (const option of ['sslmod=require', 'ssl_mode=require', 'SSLMODE=require']) {
    const said = messageOf(() => parseEnvironment({ OUTPOST_STORE_URL: `${url}?${option}` }));
    expect(said).toContain(`an option "${option.split('=')[0]}", which is ignored; expected one of sslmode,`);
  }
  const hosted = `${url}?sslmode=require&channel_binding=require&pgbouncer=true&connect_timeout=10`;
  expect(parseEnvironment({ OUTPOST_STORE_URL: hosted }).storeUrl).toBe(hosted);
});

it.each([
  ['postgres://u:s3cret@a:5432,b:5432/d', /expected a URL such as/],
  ['postgres://u:s3cret@/d?host=/run/postgresql', /expected a URL such as/],
  ['postgres://u:s3,cret/x@a/d', /in user and password write # as %23/],
])('refuses %s, which the driver does not take, and says what it takes', (wrong, expected) => {
  const said = messageOf(() => parseEnvironment({ OUTPOST_STORE_URL: wrong }));
  expect(said).toMatch(expected);
  expect(said).not.toContain('s3');
});

it.each([
  'postgres://u:p,q@[::1]:5432/d',
  'postgres://u@%2Fvar%2Frun%2Fpostgresql/d',
  'postgres:///d?host=/run/postgresql&user=u',
])('takes %s', (right) => {
  expect(parseEnvironment({ OUTPOST_STORE_URL: right }).storeUrl).toBe(right);
});

it.each([
  [url, 'postgres://db.example.org:5432/outpost'],
  ['postgresql://u:p%40ss@[::1]/d?password=s3cret&sslmode=require', 'postgres://[::1]/d'],
  ['postgres:///d?host=/run/postgresql', 'postgres:///run/postgresql/d'],
  ['postgres://u:p ss@@/d:', 'postgres://…'],
])('shows %s without user and password', (given, shown) => {
  expect(shownUrl(given)).toBe(shown);
});
