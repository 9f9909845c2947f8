import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type BanFormat, readBans } from '../src/index.ts';
import { idA, idB, samples, steamA, steamB, steamC } from './fixture.ts';

const guid = '3136185f8ab4f601875da476f9a00dbb';
const parse = (format: BanFormat, text: string) => readBans(format, Buffer.from(text));
const parseVpp = (...records: unknown[]) => parse('vpp', JSON.stringify({ m_BanList: records }));

it('reads the end and the reason of BattlEye; -1, 0 and a bare GUID are permanent, addresses are counted', () => {
  const lines = [
    `${guid.toUpperCase()} 1633224724 Cheating, see log`,
    'a8c7493e762cd03edd55ba90217c9fe4 -1 toxic',
    // As hosts tell owners to write it.
    'f64c12f305a43379d3618cd8ec90c613 0 RuleViolation',
    'f64c12f305a43379d3618cd8ec90c614',
    // Minutes, which only its commands take, are a time in 1970.
    'f64c12f305a43379d3618cd8ec90c615 1440 a day',
    '203.0.113.9 -1 cheater',
    'nonsense',
    '',
  ];
  const { entries, ...counts } = parse('battleye', lines.join('\r\n'));
  expect(counts).toEqual({ ipBans: 1, unread: 1, blank: false });
  expect(
    entries.map(({ identity, reason, expiresAt }) => [identity?.battleyeGuid?.slice(-4), reason, expiresAt]),
  ).toEqual([
    ['0dbb', 'Cheating, see log', 1_633_224_724_000],
    ['9fe4', 'toxic', null],
    ['c613', 'RuleViolation', null],
    ['c614', null, null],
    ['c615', 'a day', 1_440_000],
  ]);
});

it('reads ids, SteamID64s and names of ban.txt, with comments', () => {
  const text = `// a comment\n# Base griefers\n${idB}\t// griefing a base\n${steamA}\nSome Name // rude\n${idA}-----\n`;
  const { entries, unread } = parse('dayz', text);
  expect(unread).toBe(2);
  expect(entries).toEqual([
    { key: idB, identity: { dayzId: idB }, playerName: null, reason: 'griefing a base', expiresAt: null },
    { key: steamA, identity: { steamId64: steamA }, playerName: null, reason: null, expiresAt: null },
    { key: 'name:Some Name', identity: null, playerName: 'Some Name', reason: 'rude', expiresAt: null },
  ]);
});

it('passes over a name with marks of code among ids of ban.txt, not the ids', () => {
  const { entries, unread } = parse('dayz', `${idA}\n<script>\n${idB}: griefing // "x"\n${idB} a: "b"\n`);
  expect(unread).toBe(2);
  expect(entries).toMatchObject([{ key: idA }, { key: idB, reason: 'a: "b"' }]);
});

it('reads a ban.txt of names alone', () => {
  const { entries, unread } = parse('dayz', 'Some Name // rude\n[TAG] Other (2)\nПривет\n');
  expect(unread).toBe(0);
  expect(entries.map(({ playerName }) => playerName)).toEqual(['Some Name', '[TAG] Other (2)', 'Привет']);
});

it('reads the records of VPP, whose dates are UTC', () => {
  const date = { Hour: 6, Minute: 30, Year: 2030, Month: 2, Day: 1, Permanent: 0 };
  const ban = { playerName: 'Bad', Steam64Id: steamA, GUID: idA, banReason: 'duping', expirationDate: date };
  const { entries, unread } = parseVpp(
    ban,
    { ...ban, Steam64Id: '', GUID: idB, expirationDate: { ...date, Permanent: 1 } },
    { ...ban, Steam64Id: '', GUID: '' },
    'nonsense',
  );
  expect(unread).toBe(2);
  expect(entries).toMatchObject([
    {
      identity: { steamId64: steamA },
      playerName: 'Bad',
      reason: 'duping',
      expiresAt: Date.UTC(2030, 1, 1, 6, 30),
    },
    { identity: { dayzId: idB }, expiresAt: null },
  ]);
});

it('takes an end after the year 9999, which no date can say, for none', () => {
  const { entries } = parse(
    'battleye',
    `${guid} 253402300799 far\n${guid.replace('3', '4')} 999999999999 farther\n`,
  );
  expect(entries.map(({ expiresAt }) => expiresAt)).toEqual([Date.parse('9999-12-31T23:59:59Z'), null]);
  const ban = (Steam64Id: string, date: object) => ({
    Steam64Id,
    expirationDate: { Hour: 0, Minute: 0, Year: 2030, Month: 1, Day: 1, Permanent: 0, ...date },
  });
  const vpp = parseVpp(
    ban(steamA, { Month: 1e12 }),
    ban(steamA, { Year: 0 }),
    ban(steamB, { Month: 200_000 }),
    ban(steamC, { Year: 0, Month: 0, Day: 0, Permanent: 1 }),
  );
  expect(vpp.unread).toBe(2);
  expect(vpp.entries).toMatchObject([
    { key: steamB, expiresAt: null },
    { key: steamC, expiresAt: null },
  ]);
});

it.each([
  ['-1 Duping, appeal refused', '1796015744 Swearing, two days', null, 'Duping, appeal refused'],
  ['1796015744 Swearing, two days', '-1 Duping, appeal refused', null, 'Duping, appeal refused'],
  ['1800000000 long', '1700000000 short', 1_800_000_000_000, 'long'],
  ['1700000000 short', '1800000000 long', 1_800_000_000_000, 'long'],
  ['-1', '1700000000 short', null, null],
  ['-1 one', '-1 other', null, 'other'],
  ['-1 one', '-1', null, 'one'],
])(
  'gives a player who stands there twice, %s and %s, the ban that ends last',
  (one, other, expiresAt, reason) => {
    const { entries } = parse('battleye', `${guid} ${one}\n${guid.toUpperCase()} ${other}\n`);
    expect(entries).toMatchObject([{ key: guid, expiresAt, reason }]);
  },
);

/** Files in which nobody is banned, as the game and VPP Admin Tools ship them. */
const empty: [what: string, text: string, format: BanFormat, unread: number][] = [
  ['a ban.txt of dashes', `// For comments use the // prefix.\n${idA}------\n`, 'dayz', 1],
  [
    'a ban.txt with its example',
    [
      "//Players added to the ban.txt won't be able to connect to this server.",
      '//---------------------------------------------------------------------',
      '//For comments use the // prefix. It can be used after an inserted ID, to easily mark it.',
      '',
      '1111111111112222222222222333333333XXXXXXAAAA\t//Example of a character ID',
    ].join('\r\n'),
    'dayz',
    1,
  ],
  ['a ban.txt of comments', '// nobody\n\n', 'dayz', 0],
  [
    'a BanList.json with its example',
    JSON.stringify({
      m_BanList: [
        {
          playerName: 'user',
          Steam64Id: '00000000000000000',
          GUID: '123456789',
          banReason: 'Example reason',
          issuedBy: 'Example issuer',
          expirationDate: { Hour: 0, Minute: 0, Year: 0, Month: 0, Day: 0, Permanent: 0 },
        },
      ],
    }),
    'vpp',
    1,
  ],
  ['a BanList.json without records', '{"m_BanList": []}', 'vpp', 0],
  ['a bans.txt of notes', '# cheaters\n; griefers\n-----\n// others\n', 'battleye', 3],
  ['an empty file', '', 'battleye', 0],
];

it.each(empty)('takes %s for an empty list', (_, text, format, unread) => {
  expect(parse(format, text)).toEqual({ entries: [], ipBans: 0, unread, blank: text === '' });
});

it.each([
  ['package.json', readFileSync(new URL('../package.json', import.meta.url), 'utf8')],
  ['settings', 'hostname = "EXAMPLE";\npassword = "";\nmaxPlayers = 60;\n'],
  ['a log', '10:01:42 | ##### PlayerList log: 0 players\n10:06:42 | Player "A" (id=x) is connected\n'],
  ['prose', `${'word '.repeat(9)}\n${'other '.repeat(9)}\nThe end.\n`],
  ['priority.txt', `${steamA};${steamB};${steamC}\n`],
  ['ids inside JSON', `["${steamA}",\n"${steamB}"]`],
  ['ids inside a table', `id,reason\n${steamA},x\n${steamB},y\n`],
])('refuses %s as a ban.txt', (_, text) => {
  expect(() => parse('dayz', text)).toThrow(
    /is not a ban file of the format "dayz": a DayZ id, a SteamID64 or a player's name on each line/,
  );
});

it.each([
  ['{', 'is not JSON'],
  ['{"x":1}', 'an object with a list "m_BanList" was expected'],
  [
    '{"m_BanList": [{"id": 1}, 2]}',
    'a Steam64Id or GUID in each record was expected, 2 of 2 hold something else',
  ],
])('refuses %s as a BanList.json', (text, problem) => {
  expect(() => parse('vpp', text)).toThrow(problem);
});

it('reads the names of Nitrado, ids among them', () => {
  const { entries } = parse('nitrado', `Some Name\r\n\r\n${steamA}\n<b>\n`);
  expect(entries).toMatchObject([
    { playerName: 'Some Name' },
    { identity: { steamId64: steamA }, playerName: null },
  ]);
});

it.each([
  ['battleye-arma.txt', 'battleye', 48, { ipBans: 36, unread: 0 }],
  ['battleye-dayz.txt', 'battleye', 1, { ipBans: 1, unread: 0 }],
  ['ban-stock.txt', 'dayz', 1, { ipBans: 0, unread: 2 }],
  ['ban.txt', 'dayz', 2, { ipBans: 0, unread: 2 }],
] as const)('reads %s of the samples', (name, format, bans, counts) => {
  const { entries, ...rest } = readBans(format, readFileSync(`${samples}bans/${name}`));
  expect(entries).toHaveLength(bans);
  expect(rest).toMatchObject(counts);
});
