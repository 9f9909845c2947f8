import { expect, test } from 'vitest';
import { savePresence } from '../../../../../src/server/store/repositories/logs/presence.ts';
import { readRosters } from '../../../../../src/server/store/repositories/logs/rosters.ts';
import { findPlayersByName } from '../../../../../src/server/store/repositories/players/player-profiles.ts';
import { savePeople } from '../../../../../src/server/store/repositories/players/players.ts';
import { idA, temporaryStore } from '../../../ingest/fixture.ts';

/** What arrives, and what both engines hold and find. */
const texts: [name: string, stored: string][] = [
  ['a\0b', 'a\uFFFDb'],
  ['\0', '\uFFFD'],
  ['half \uD83D', 'half \uFFFD'],
  ['\uDE00 half', '\uFFFD half'],
  ['whole 😀', 'whole 😀'],
  ['\\u0000 \\ud83d', '\\u0000 \\ud83d'],
  ['{"a",\\"NULL\\"}', '{"a",\\"NULL\\"}'],
  ['NULL', 'NULL'],
  ["'); DROP TABLE player;--", "'); DROP TABLE player;--"],
  ['\u202E\u0007\n\t', '\u202E\u0007\n\t'],
  ['x'.repeat(1_000_000), 'x'.repeat(128)],
  [`${'x'.repeat(127)}😀`, 'x'.repeat(127)],
];

test.each(texts)(
  'a name is stored alike on either engine, and found by what it was: %j',
  async (name, stored) => {
    const db = await temporaryStore();
    const span = { firstSeenAt: 1, lastSeenAt: 2 };
    const names = [[name, span]] as [string, typeof span][];
    const person = { identity: { dayzId: idA }, serverId: 's', names, ...span };
    await db.transaction().execute((tx) => savePeople(tx, 'p', [person, person]));
    const aliases = await db.selectFrom('player_alias').select(['name', 'first_seen_at']).execute();
    expect(aliases).toEqual([{ name: stored, first_seen_at: 1 }]);
    const asked = name.length > stored.length ? stored : name;
    const found = await findPlayersByName(db, 'p', asked, 5);
    expect(found.map(({ player }) => player.name)).toEqual([stored]);
  },
);

test('two names that are stored alike become one', async () => {
  const db = await temporaryStore();
  const span = (at: number) => ({ firstSeenAt: at, lastSeenAt: at });
  const names: [string, ReturnType<typeof span>][] = [
    ['a\0', span(1)],
    ['a\uFFFD', span(3)],
    ['a\uD800', span(2)],
  ];
  const person = { identity: { dayzId: idA }, serverId: 's', names, firstSeenAt: 1, lastSeenAt: 3 };
  await db.transaction().execute((tx) => savePeople(tx, 'p', [person]));
  expect(await db.selectFrom('player_alias').selectAll().execute()).toMatchObject([
    { name: 'a\uFFFD', first_seen_at: 1, last_seen_at: 3 },
  ]);
});

test('who is on is stored whatever the name', async () => {
  const db = await temporaryStore();
  const players = texts.map(
    ([name], index) => [`id${index}`, { name, connectedAt: 1, absentAt: null }] as const,
  );
  const run = {
    header: 'h',
    follows: null,
    loggedAt: 1,
    isNew: true,
    isComplete: true,
    listedAt: null,
    players,
  };
  const part = {
    serverId: 's',
    change: { ended: new Map(), visits: [], left: new Map(), run },
    asOf: 1,
    pollEveryMs: 1,
    age: 'live' as const,
  };
  await savePresence(db, [part], { projectId: 'p', playerOf: () => undefined, now: 1 });
  const roster = (await readRosters(db, ['s'])).get('s')?.players ?? [];
  const stored = new Map(roster.map(([id, { name }]) => [id, name]));
  for (const [index, [name, expected]] of texts.entries()) {
    expect(stored.get(`id${index}`)).toBe(name.length > expected.length ? name : expected);
  }
});
