import * as fc from 'fast-check';

/** A request as it goes over the wire, or bytes that are none. */
export type Nonsense =
  | { kind: 'request'; method: string; path: string; headers: [string, string][]; body: string | null }
  | { kind: 'bytes'; bytes: Buffer };

/** What a generated header or query may quote, so that some requests get past the door. */
export interface Known {
  id: string;
  secret: string;
  token: string;
}

const operations = [
  '/v1/auth/register',
  '/v1/project',
  '/v1/servers',
  '/v1/server/northwood-1',
  '/v1/server/northwood-1/schedules',
  '/v1/server/northwood-2/players/online',
  '/v1/leaderboards',
  '/v1/player/76561198207985320',
  '/v1/banlists',
  '/v1/banlists/many-bans/bans',
  '/openapi.json',
  '/docs',
  '/healthz',
  '/readyz',
  '/metrics',
];

const numbers = [
  '0',
  '-0',
  '1',
  '25',
  '101',
  '1e309',
  '-1',
  '9007199254740993',
  '99999999999999999999999',
  '0x1F',
  '1.5',
  'NaN',
  'Infinity',
  '٣',
  '½',
];
const hostile = [
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  '%00',
  '%2e%2e',
  '%',
  '%zz',
  '%E0%A4%A',
  '%ff%fe',
  "' OR 1=1--",
  '"; DROP TABLE player;--',
  '{"$gt":""}',
  '${7*7}',
  '<script>alert(1)</script>',
  '\u{202E}txt',
  'İı\u{17F}K',
  '👩‍👩‍👧‍👦',
  '\u{FEFF}',
  '\u0000',
  '\r\nX-Injected: yes',
  'a'.repeat(600),
  '(((((((((((((((((((((((a+)+)+)+)+',
];

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostile) },
  { weight: 2, arbitrary: fc.constantFrom(...numbers) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.bigInt().map(String) },
  { weight: 1, arbitrary: fc.double().map(String) },
  { weight: 1, arbitrary: fc.nat(3_000).map((length) => 'A'.repeat(length)) },
);

/** Text in a path or query: raw where the grammar of HTTP allows it at all, else percent-encoded. */
const encoded = fc.tuple(text, fc.boolean()).map(([value, raw]) => {
  const allowed = /^[\u0021-\u007E\u0080-\u00FF]*$/.test(value) && !/[ ?#]/.test(value);
  return raw && allowed ? value : encodeURIComponent(Buffer.from(value).toString());
});

const path = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...operations) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom(...operations), encoded, fc.nat(4))
      .map(([operation, segment, at]) => {
        const parts = operation.split('/');
        parts[Math.min(parts.length - 1, at + 1)] = segment;
        return parts.join('/');
      }),
  },
  { weight: 2, arbitrary: fc.array(encoded, { maxLength: 6 }).map((parts) => `/${parts.join('/')}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '*',
      '//',
      '/.',
      '/..',
      '/v1//project',
      '/v1/project/',
      'http://[::1]:1/v1/project',
      '/%2fv1%2fproject',
      '/v1/project;a=b',
    ),
  },
);

const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  {
    weight: 4,
    arbitrary: fc
      .array(
        fc.tuple(
          fc.oneof(
            fc.constantFrom('limit', 'metric', 'application_id', 'secret', 'limit[]', 'limit[a]'),
            encoded,
          ),
          encoded,
        ),
        { minLength: 1, maxLength: 6 },
      )
      .map((pairs) => `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`),
  },
  { weight: 1, arbitrary: encoded.map((value) => `?${value}`) },
  { weight: 1, arbitrary: fc.nat(400).map((count) => `?${'a&'.repeat(count)}`) },
);

const headerText = text.map((value) => value.replace(/[^\t\u0020-\u007E\u0080-\u00FF]/g, '').slice(0, 2_000));

function headersOf({ id, token }: Known): fc.Arbitrary<[string, string][]> {
  const named = (name: string, ...values: fc.Arbitrary<string>[]): fc.Arbitrary<[string, string]> =>
    fc.oneof(...values, headerText).map((value) => [name, value]);
  const someHeader = fc.oneof(
    named(
      'Authorization',
      fc.constantFrom(`Bearer ${token}`, 'Bearer', `Basic ${token}`, `bearer  ${token}`),
    ),
    named('User-Agent', fc.constantFrom(id, `${id} `)),
    named(
      'Content-Type',
      fc.constantFrom(
        'application/json',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=',
        'text/plain; charset=utf-7',
        '/',
      ),
    ),
    named('Accept', fc.constantFrom('*/*', 'text/html', 'application/xml;q=2')),
    named('Accept-Encoding', fc.constantFrom('gzip', 'br;q=1, gzip;q=0', 'identity;q=0', '*;q=0', 'zstd')),
    named('Content-Encoding', fc.constantFrom('gzip', 'br', 'identity')),
    named('If-None-Match', fc.constantFrom('*', '""', 'W/"', '"a", W/"b"')),
    named('Range', fc.constantFrom('bytes=0-0', 'bytes=-1')),
    named('Expect', fc.constantFrom('100-continue', 'nonsense')),
    named('Origin', fc.constantFrom('null', 'https://example.org')),
    named('Access-Control-Request-Method', fc.constantFrom('GET', 'DELETE')),
    named('X-Request-Id'),
    named('X-Forwarded-For', fc.constantFrom('127.0.0.1', '::', '1.2.3.4, 5.6.7.8', 'unknown')),
    named('Forwarded', fc.constantFrom('for="[::1]"', 'for=_x;;;')),
    named('Cookie'),
    named('Upgrade', fc.constantFrom('h2c', 'websocket')),
    named('X-HTTP-Method-Override', fc.constantFrom('DELETE')),
  );
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constant<[string, string][]>([
        ['Authorization', `Bearer ${token}`],
        ['User-Agent', id],
      ]),
    },
    {
      weight: 1,
      arbitrary: headerText.map((agent): [string, string][] => [
        ['Authorization', `Bearer ${token}`],
        ['User-Agent', agent],
      ]),
    },
    { weight: 3, arbitrary: fc.array(someHeader, { maxLength: 6 }) },
    {
      weight: 3,
      arbitrary: fc
        .array(someHeader, { maxLength: 4 })
        .map((more): [string, string][] => [
          ['Authorization', `Bearer ${token}`],
          ['User-Agent', id],
          ...more.filter(([name]) => name !== 'Authorization' && name !== 'User-Agent'),
        ]),
    },
  );
}

function bodyOf({ id, secret }: Known): fc.Arbitrary<string | null> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: fc.json() },
    {
      weight: 2,
      arbitrary: fc
        .record({
          application_id: fc.oneof(fc.constant(id), fc.anything({ withBigInt: false })),
          secret: fc.oneof(fc.constant(secret), fc.anything({ withBigInt: false })),
        })
        .map((value) => JSON.stringify(value)),
    },
    { weight: 1, arbitrary: text },
    { weight: 1, arbitrary: fc.nat(12).map((power) => '['.repeat(2 ** power)) },
    {
      weight: 1,
      arbitrary: fc.constant(`{"application_id":${JSON.stringify(id)},"__proto__":{"secret":"x"}}`),
    },
    { weight: 1, arbitrary: fc.nat(40_000).map((length) => `{"secret":"${'x'.repeat(length)}"}`) },
  );
}

const method = fc.oneof(
  { weight: 8, arbitrary: fc.constant('GET') },
  { weight: 3, arbitrary: fc.constant('POST') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'HEAD',
      'OPTIONS',
      'PUT',
      'PATCH',
      'DELETE',
      'TRACE',
      'PROPFIND',
      'SEARCH',
      'PURGE',
      'M-SEARCH',
    ),
  },
);

/** Bytes that no client library sends: broken request lines, smuggled lengths, binary, half a request. */
function bytesOf({ id, token }: Known): fc.Arbitrary<Buffer> {
  const access = `Host: x\r\nAuthorization: Bearer ${token}\r\nUser-Agent: ${id}\r\n`;
  const line = 'GET /v1/project HTTP/1.1\r\n';
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc.uint8Array({ minLength: 1, maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
    },
    {
      weight: 3,
      arbitrary: fc.tuple(fc.uint8Array({ maxLength: 200 }), fc.nat(60)).map(([bytes, at]) => {
        const valid = Buffer.from(`${line}${access}\r\n`, 'latin1');
        return Buffer.concat([valid.subarray(0, at), Buffer.from(bytes), valid.subarray(at)]);
      }),
    },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom(
          `${line}${access}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
          `${line}${access}Content-Length: -1\r\n\r\n`,
          `${line}${access}Content-Length: 99999999999999999999\r\n\r\n`,
          `${line}${access}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
          `${line}${access}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n`,
          `${line}${access}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
          `${line}${access}X: ${'a'.repeat(20_000)}\r\n\r\n`,
          `${line}${access}${'X: 1\r\n'.repeat(3_000)}\r\n`,
          `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${access}\r\n`,
          `GET /v1/project HTTP/9.9\r\n${access}\r\n`,
          `GET /v1/project HTTP/1.0\r\n\r\n`,
          `GET /v1/project HTTP/1.1\r\n\r\n`,
          `GET /v1/project\r\n\r\n`,
          `GET  /v1/project  HTTP/1.1\r\n${access}\r\n`,
          `${line}${access}\n\n`,
          `${line}Host: x\r\nHost: y\r\n\r\n`,
          `${line} Host: x\r\n\r\n`,
          `${line}Host: \u0000\r\n\r\n`,
          `${line}${access}\r\n`.repeat(30),
          `CONNECT 127.0.0.1:22 HTTP/1.1\r\n${access}\r\n`,
          `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
          `OPTIONS * HTTP/1.1\r\n${access}\r\n`,
          `GET http://127.0.0.1/v1/project HTTP/1.1\r\n${access}\r\n`,
          `GET /v1/project HTTP/1.1\r\n${access}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
          `POST /v1/auth/register HTTP/1.1\r\n${access}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
          `\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00FC\u0003\u0003`,
        )
        .map((wire) => Buffer.from(wire, 'latin1')),
    },
  );
}

/** Nonsense of every kind that a client of HTTP can make, and some that only a socket can. */
export function nonsense(known: Known): fc.Arbitrary<Nonsense> {
  return fc.oneof(
    {
      weight: 9,
      arbitrary: fc
        .record({ method, path, query, headers: headersOf(known), body: bodyOf(known) })
        .map(({ query: asked, ...rest }): Nonsense => ({
          kind: 'request',
          ...rest,
          path: rest.path + asked,
        })),
    },
    { weight: 1, arbitrary: bytesOf(known).map((bytes): Nonsense => ({ kind: 'bytes', bytes })) },
  );
}
