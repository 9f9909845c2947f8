import * as fc from 'fast-check';

/** A request as it goes over the wire, or bytes that are none. */
export type Nonsense =
  { method: string; path: string; headers: [string, string][]; body: string | null } | { bytes: string };

/** What a header or body may quote, so that some requests get past the door. */
interface Known {
  id: string;
  secret: string;
  token: string;
}

const words = (text: string): string[] => text.trim().split(/\s+/);
const operations =
  words(`/v1/auth/register /v1/project /v1/servers /v1/server/northwood-1 /v1/server/northwood-1/schedules
  /v1/server/northwood-2/players/online /v1/leaderboards /v1/player/76561198207985320 /v1/banlists
  /v1/banlists/many-bans/bans /openapi.json /docs /healthz /readyz /metrics`);
const oddPaths = words('* // /. /.. /v1//project http://[::1]:1/v1/project /%2fv1%2fproject /v1/project;a=b');
const methods = words('HEAD OPTIONS PUT PATCH DELETE TRACE PROPFIND SEARCH PURGE M-SEARCH');
const hostile = [
  ...words(
    '0 -0 1 25 101 1e309 -1 9007199254740993 99999999999999999999999 0x1F 1.5 NaN ٣ ½ __proto__ constructor',
  ),
  ...words(
    '../../etc/passwd ..%2f..%2fetc%2fpasswd %00 %2e%2e % %zz %E0%A4%A %ff%fe {"$gt":""} ${7*7} <script>',
  ),
  "' OR 1=1--",
  '\u{202E}txt',
  'İı\u{17F}K',
  '👩‍👩‍👧‍👦',
  '\u{FEFF}',
  '\u0000',
  '\r\nX-Injected: yes',
  'a'.repeat(3_000),
];
const text = fc.oneof(
  fc.constantFrom(...hostile),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);
/** In a path or query: raw where the grammar of HTTP allows it at all, else percent-encoded. */
const encoded = fc.tuple(text, fc.boolean()).map(([value, raw]) => {
  const isAllowed = /^[\u0021-\u007E\u0080-\u00FF]*$/.test(value) && !/[ ?#]/.test(value);
  return raw && isAllowed ? value : encodeURIComponent(Buffer.from(value).toString());
});
const withSegment = fc
  .tuple(fc.constantFrom(...operations), encoded, fc.nat(4))
  .map(([path, segment, at]) => {
    const parts = path.split('/');
    parts[Math.min(parts.length - 1, at + 1)] = segment;
    return parts.join('/');
  });
const path = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...operations) },
  { weight: 6, arbitrary: withSegment },
  { weight: 2, arbitrary: fc.array(encoded, { maxLength: 6 }).map((parts) => `/${parts.join('/')}`) },
  { weight: 1, arbitrary: fc.constantFrom(...oddPaths) },
);
const parameter = fc.tuple(
  fc.oneof(fc.constantFrom(...words('limit metric secret limit[] limit[a]')), encoded),
  encoded,
);
const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  fc.array(parameter, { maxLength: 6 }).map((pairs) => `?${pairs.map((pair) => pair.join('=')).join('&')}`),
  fc.nat(400).map((count) => `?${'a&'.repeat(count)}`),
);

const headerText = text.map((value) => value.replace(/[^\t\u0020-\u007E\u0080-\u00FF]/g, '').slice(0, 2_000));
const headerValues = {
  Authorization: ['Bearer', 'Basic x'],
  'User-Agent': ['x '],
  'Content-Type': [
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=',
    '/',
  ],
  Accept: ['*/*', 'application/xml;q=2'],
  'Accept-Encoding': ['gzip', 'br;q=1, gzip;q=0', '*;q=0', 'zstd'],
  'Content-Encoding': ['gzip', 'br'],
  'If-None-Match': ['*', '""', 'W/"', '"a", W/"b"'],
  Range: ['bytes=-1'],
  Expect: ['100-continue', 'nonsense'],
  Origin: ['null', 'https://example.org'],
  'X-Forwarded-For': ['127.0.0.1', '::', '1.2.3.4, 5.6.7.8', 'unknown'],
  Cookie: ['a=b'],
  Upgrade: ['h2c', 'websocket'],
};
const header = fc.oneof(
  ...Object.entries(headerValues).map(([name, values]) =>
    fc.oneof(fc.constantFrom(...values), headerText).map((value): [string, string] => [name, value]),
  ),
);

/** Nonsense of every kind that a client of HTTP can make, and some that only a socket can. */
export function nonsense({ id, secret, token }: Known): fc.Arbitrary<Nonsense> {
  const access: [string, string][] = [
    ['Authorization', `Bearer ${token}`],
    ['User-Agent', id],
  ];
  const isFree = ([name]: [string, string]): boolean => access.every(([taken]) => taken !== name);
  const headers = fc.oneof(
    fc.constant(access),
    headerText.map((agent): [string, string][] => [access[0]!, ['User-Agent', agent]]),
    fc.array(header, { maxLength: 6 }),
    fc.array(header, { maxLength: 4 }).map((more) => [...access, ...more.filter(isFree)]),
  );
  const anything = fc.anything({ withBigInt: false });
  const credentials = {
    application_id: fc.oneof(fc.constant(id), anything),
    secret: fc.oneof(fc.constant(secret), anything),
  };
  const body = fc.oneof(
    { weight: 4, arbitrary: fc.constant(null) },
    fc.json(),
    text,
    fc.record(credentials).map((value) => JSON.stringify(value)),
    fc.nat(12).map((power) => '['.repeat(2 ** power)),
    fc.nat(40_000).map((length) => `{"secret":"${'x'.repeat(length)}"}`),
  );
  const method = fc.oneof(
    { weight: 8, arbitrary: fc.constant('GET') },
    { weight: 3, arbitrary: fc.constant('POST') },
    { weight: 2, arbitrary: fc.constantFrom(...methods) },
  );
  return fc.oneof(
    {
      weight: 9,
      arbitrary: fc.record({
        method,
        path: fc.tuple(path, query).map((parts) => parts.join('')),
        headers,
        body,
      }),
    },
    { weight: 1, arbitrary: bytesOf(access).map((bytes) => ({ bytes })) },
  );
}

/** What no client library sends: broken request lines, smuggled lengths, binary, half a request. */
function bytesOf(access: [string, string][]): fc.Arbitrary<string> {
  const start = `GET /v1/project HTTP/1.1\r\nHost: x\r\n${access.map((pair) => `${pair.join(': ')}\r\n`).join('')}`;
  const binary = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes).toString('latin1'));
  const torn = fc
    .tuple(binary, fc.nat(60))
    .map(([bytes, at]) => `${start.slice(0, at)}${bytes}${start.slice(at)}\r\n`);
  const broken = [
    'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'Content-Length: -1\r\n\r\n',
    'Content-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    'Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n',
    `X: ${'a'.repeat(20_000)}\r\n\r\n`,
    `${'X: 1\r\n'.repeat(3_000)}\r\n`,
    ' Host: x\r\n\r\n',
    'Host: \u0000\r\n\r\n',
    '\n\n',
  ].map((rest) => start + rest);
  const lines = words(
    'CONNECT|127.0.0.1:22|HTTP/1.1 PRI|*|HTTP/2.0 GET|/v1/project|HTTP/9.9 GET|/v1/project',
  ).map((line) => `${line.replaceAll('|', ' ')}\r\n\r\n`);
  return fc.oneof(
    binary,
    torn,
    fc.constantFrom(...broken, ...lines, `${start}\r\n`.repeat(30), '\u0016\u0003\u0001'),
  );
}
