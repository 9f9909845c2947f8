import { appendFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openDirect } from 'game-files';
import { battleyeGuidOf } from '../../../../../src/api/identifiers.ts';
import { adminLog, LocalZone } from 'dayz-files';
import { addBan } from '../../../../../src/server/ingest/bans/by-hand.ts';
import { importBanFile } from '../../../../../src/server/ingest/bans/import.ts';
import { LogWriter } from '../../../../../src/server/ingest/logs/writing/log-writer.ts';
import { countLog } from '../../../../../src/server/ingest/logs/reading/count-log.ts';
import { storeAlone } from '../../../../../src/server/ingest/logs/writing/store-together.ts';
import { importPlayersFile } from '../../../../../src/server/ingest/players/import-players-json.ts';
import { listBans } from '../../../../../src/server/store/repositories/bans/ban-lists.ts';
import type { Database } from '../../../../../src/server/store/engine/database.ts';
import { readKillBoard } from '../../../../../src/server/store/repositories/kills/boards.ts';
import { readDeathsAfter } from '../../../../../src/server/store/repositories/kills/deaths.ts';
import { readLogFiles } from '../../../../../src/server/store/repositories/logs/log-files.ts';
import { readRosters } from '../../../../../src/server/store/repositories/logs/rosters.ts';
import {
  findProfile,
  findPlayersByName,
} from '../../../../../src/server/store/repositories/players/player-profiles.ts';
import { readLeaderboard } from '../../../../../src/server/store/repositories/players/leaderboards.ts';
import { setLink } from '../../../../../src/server/store/repositories/links/player-links.ts';
import { exportPlayer } from '../../../../../src/server/store/repositories/rights/export-player.ts';
import { forgetPlayer } from '../../../../../src/server/store/repositories/rights/forget-player.ts';
import {
  ListChangedError,
  nameForm,
  readForgottenList,
} from '../../../../../src/server/store/repositories/rights/forgotten-list.ts';
import { setHidden } from '../../../../../src/server/store/repositories/rights/hide-player.ts';
import { createSourceWatch, importLogs } from '../../../../harness/logs.ts';
import {
  idA,
  idB,
  idC,
  run,
  statsOf,
  steamA,
  temporaryFiles,
  temporaryFolder,
  temporaryStore,
} from '../../../ingest/fixture.ts';
import { othersFigures, tracesOf, wipe } from './rights-world.ts';

const player = (name: string, id: string, dead = ''): string =>
  `Player "${name}"${dead} (id=${id} pos=<100.0, 200.0, 10.0>)`;
const kill = (time: string, victim: [string, string], killer: [string, string]): string =>
  `${time} | ${player(...victim, ' (DEAD)')} killed by ${player(...killer)} with M4A1 from 50.5 meters`;
const connected = (time: string, name: string, id: string): string =>
  `${time} | Player "${name}"(id=${id}) is connected`;

const anna: [string, string] = ['Annabella', idA];
const bert: [string, string] = ['Bertram', idB];
const cid: [string, string] = ['Cidonia', idC];

const lines = [
  connected('12:00:01', ...anna),
  connected('12:00:02', ...bert),
  connected('12:00:03', ...cid),
  kill('12:10:00', bert, anna),
  kill('12:20:00', anna, cid),
  kill('12:30:00', cid, bert),
];
const later = [kill('12:40:00', anna, bert), kill('12:50:00', anna, cid), kill('12:55:00', bert, anna)];

let folder: string;
let db: Database;
beforeEach(async () => {
  folder = temporaryFolder();
  db = await temporaryStore(['s'], 'UTC', folder);
});

const logOf = (...texts: string[]): string[] => temporaryFiles({ 'a.ADM': run(...texts) });
const forgetAnna = async () => await forgetPlayer(db, { identity: { dayzId: idA } });
const board = async () => await readKillBoard(db, 'p', 'M4A1', 10);
const deaths = async () => (await readDeathsAfter(db, ['s'], 0, 100)).deaths;

describe('a forgotten player', () => {
  test('becomes nobody in the kills of others, who keep theirs', async () => {
    await importLogs(db, { serverId: 's', files: logOf(...lines) });
    const before = await othersFigures(db, idA);
    await forgetAnna();
    expect((await deaths()).map(({ victim, killer }) => [victim.name, killer?.name])).toEqual([
      ['Bertram', null],
      [null, 'Cidonia'],
      ['Cidonia', 'Bertram'],
    ]);
    expect((await board()).map(({ player, value }) => [player.name, value])).toEqual(
      expect.arrayContaining([
        ['Cidonia', 1],
        ['Bertram', 1],
      ]),
    );
    expect(await board()).toHaveLength(2);
    expect((await deaths())[1]?.victim.streak).toBe(0);
    expect(await othersFigures(db, idA)).toEqual(before);
  });

  test.each([
    ['is forgotten before the log is read', 0],
    ['is forgotten while the log grows', 1],
    ['is forgotten after the log was read', 2],
  ])('%s: others end with the same', async (_, when) => {
    const whole = await temporaryStore();
    await importLogs(whole, { serverId: 's', files: logOf(...lines, ...later) });
    const logs = temporaryFolder();
    const file = join(logs, 'a.ADM');
    const sources = { servers: [{ id: 's', logs }], banlists: [] };
    const watch = createSourceWatch(db);
    if (when === 0) await forgetAnna();
    writeFileSync(file, run(...lines));
    await watch.importChanged(sources);
    const first = await deaths();
    if (when === 1) await forgetAnna();
    appendFileSync(file, `${later.join('\n')}\n`);
    for (let polls = 0; polls < 3; polls += 1) await watch.followOn(sources);
    if (when === 2) await forgetAnna();
    await watch.importChanged(sources);
    // The same after a restart.
    await createSourceWatch(db).importChanged(sources);
    const mine = await othersFigures(db, idA);
    expect(mine).toEqual(await othersFigures(whole, idA));
    // Deaths keep their ids, so that no feed posts one again.
    expect((await deaths()).slice(0, first.length).map(({ id }) => id)).toEqual(first.map(({ id }) => id));
    expect(await deaths()).toHaveLength(6);
    await wipe(db);
    for (const text of anna) expect(await tracesOf(db, folder, text)).toEqual([]);
    const roster = (await readRosters(db, ['s'])).get('s');
    expect(roster?.players.map(([, { name }]) => name).toSorted()).toEqual(['', 'Bertram', 'Cidonia']);
    expect(roster?.unnamed.size).toBe(1);
  });

  test('leaves no trace in an open player list, in kinds of unread lines and in open sessions', async () => {
    const logs = temporaryFolder();
    const open = [
      '12:20:00 | ##### PlayerList log: 2 players',
      `12:20:00 | ${player(...anna)}`,
      '12:20:00 | a mod says Annabella did something new',
      '12:20:00 | [annabella] hello',
      '12:20:00 | [Trader] Annabella bought a hat',
      '12:20:00 | [Annabella says] hello',
    ];
    writeFileSync(join(logs, 'a.ADM'), run(...lines.slice(0, 3), ...open));
    await createSourceWatch(db).importChanged({ servers: [{ id: 's', logs }], banlists: [] });
    await forgetAnna();
    await wipe(db);
    for (const text of anna) expect(await tracesOf(db, folder, text)).toEqual([]);
    const rest = [
      `12:20:00 | ${player(...bert)}`,
      '12:20:00 | #####',
      'and Annabella again',
      '12:20:00 | [Annabella] bye',
    ];
    appendFileSync(join(logs, 'a.ADM'), `${rest.join('\n')}\n`);
    await createSourceWatch(db).importChanged({ servers: [{ id: 's', logs }], banlists: [] });
    await wipe(db);
    for (const text of anna) expect(await tracesOf(db, folder, text)).toEqual([]);
    expect((await readRosters(db, ['s'])).get('s')?.players).toHaveLength(2);
    const [file] = (await readLogFiles(db, 's')).values();
    expect(file?.unreadKinds).toEqual([
      { kind: 'other', lines: 4 },
      { kind: '[Trader]', lines: 1 },
    ]);
  });

  test('who has only a name leaves it in no kind of unread lines', async () => {
    const logs = temporaryFolder();
    writeFileSync(join(logs, 'a.ADM'), run(...lines, '12:59:00 | [Someone] hello'));
    await createSourceWatch(db).importChanged({ servers: [{ id: 's', logs }], banlists: [] });
    await forgetPlayer(db, { name: 'someone' });
    await wipe(db);
    expect(await tracesOf(db, folder, 'Someone')).toEqual([]);
  });

  test.each([
    ['an import names', 'import'],
    ['an identity log names', 'logs'],
    ['an identity log beside a followed log names', 'follow'],
  ])('stays forgotten under an identifier that %s later', async (_, by) => {
    await importLogs(db, { serverId: 's', files: logOf(...lines) });
    expect(await forgetPlayer(db, { identity: { battleyeGuid: battleyeGuidOf(steamA) } })).toEqual({
      players: 0,
      banned: 0,
      links: 0,
    });
    expect(await statsOf(db, idA)).toBeDefined();
    const before = await othersFigures(db, idA);
    // An identity log joins the two.
    const rpt = temporaryFiles({
      'a.ADM': run(...lines, ...later.slice(0, 1)),
      'DayZServer_x64_2024-05-01_12-00-00.RPT': [
        'Exe timestamp: 2021/04/28 15:03:34',
        'Current time:  2024/05/01 12:00:00',
        'Version 1.12.153891',
        `12:00:01.500 Player "Annabella" is connected (steamID=${steamA})`,
        '',
      ].join('\n'),
    });
    const people = temporaryFiles({ 'p.json': JSON.stringify([{ steamId64: steamA, name: 'Annabella' }]) });
    if (by === 'import') {
      await importPlayersFile(db, { project: 'p', file: people[0] ?? '' });
      expect(await statsOf(db, idA)).toBeUndefined();
    }
    if (by === 'follow') {
      const watch = createSourceWatch(db);
      const sources = { servers: [{ id: 's', logs: dirname(rpt[0] ?? '') }], banlists: [] };
      for (let polls = 0; polls < 3; polls += 1) await watch.importChanged(sources);
    } else await importLogs(db, { serverId: 's', files: rpt });
    expect(await findProfile(db, 'p', { kind: 'steamId64', value: steamA })).toBeNull();
    expect(await findPlayersByName(db, 'p', 'Annabella', 5)).toEqual([]);
    expect(await deaths()).toHaveLength(4);
    expect((await othersFigures(db, idA))['player']).toHaveLength(before['player']?.length ?? 0);
    await wipe(db);
    for (const text of anna) expect(await tracesOf(db, folder, text)).toEqual([]);
  });

  test('is not stored from what was read before', async () => {
    const forgotten = await readForgottenList(db);
    const options = { serverId: 's', projectId: 'p', timezone: 'UTC', now: Date.now, forgotten };
    const writer = new LogWriter(db, { ...options, store: storeAlone(db) });
    const source = openDirect(logOf(...lines)[0] ?? '');
    const log = { path: 'a.ADM', format: adminLog, changedAt: 0 };
    const read = { zone: new LocalZone('UTC'), forgotten, now: Date.now };
    const { changes } = await countLog(log, source, { known: new Map(), others: new Map() }, read);
    source.close();
    await writer.add({ changes });
    await forgetAnna();
    await expect(writer.finish()).rejects.toThrow(ListChangedError);
    expect(await deaths()).toEqual([]);
    expect(await statsOf(db, idA)).toBeUndefined();
  });

  test('keeps only identifiers in bans, in whatever way they come', async () => {
    const file = temporaryFiles({
      'BanList.json': JSON.stringify({
        m_BanList: [
          { playerName: 'Annabella', Steam64Id: steamA, GUID: idA, banReason: 'Annabella, a cheater' },
        ],
      }),
    })[0] as string;
    const read = async () => await importBanFile(db, { listId: 'bans', file, format: 'vpp' });
    await importLogs(db, { serverId: 's', files: logOf(...lines) });
    await read();
    expect(await forgetAnna()).toEqual({ players: 1, banned: 1, links: 0 });
    const expected = { steamId64: steamA, name: null, aliases: [] };
    const served = async () => (await listBans(db, 'p', 'bans', 10, Date.now())) ?? [];
    expect((await served())[0]).toMatchObject({ player: expected, reason: '… a cheater' });
    expect(await read()).toMatchObject({ added: 0, updated: 0, unchanged: 1, lifted: 0 });
    await addBan(db, {
      listId: 'bans',
      player: { kind: 'steamId64', value: steamA },
      category: 'CHEATING',
      reason: null,
      expiresAt: null,
    });
    await importLogs(db, { serverId: 's', files: logOf(...lines, ...later) });
    expect((await served()).map(({ player: banned }) => banned)).toEqual([expect.objectContaining(expected)]);
    expect(await findProfile(db, 'p', { kind: 'steamId64', value: steamA })).toBeNull();
    expect(await deaths()).toHaveLength(6);
    await wipe(db);
    expect(await tracesOf(db, folder, 'Annabella')).toEqual([]);
  });

  test('who has only a name is forgotten with everybody of that name', async () => {
    const twins = [...lines, connected('12:58:00', 'annabella', idB)];
    await importLogs(db, { serverId: 's', files: logOf(...twins) });
    expect(await forgetPlayer(db, { name: 'ANNABELLA' })).toEqual({ players: 2, banned: 0, links: 0 });
    expect(await findPlayersByName(db, 'p', 'Annabella', 5)).toEqual([]);
    expect(await findPlayersByName(db, 'p', 'Cidonia', 5)).toHaveLength(1);
  });

  test('is nobody where the name is blank, though players may have none', async () => {
    await importLogs(db, { serverId: 's', files: logOf(...lines) });
    await db.updateTable('player_alias').set({ name: '' }).execute();
    for (const name of ['', ' \t']) {
      expect(await setHidden(db, { name }, true)).toBe(0);
      expect(await forgetPlayer(db, { name })).toMatchObject({ players: 0 });
    }
  });

  test.each([
    ['Änna', 'änna'],
    ['Änna'.normalize('NFD'), 'ÄNNA'],
    ['Änna', 'Änna'.normalize('NFD')],
    ['Ёжик', 'ёжик'],
  ])('who has only the name %s is found as %s', async (name, typed) => {
    await importLogs(db, {
      serverId: 's',
      files: logOf(connected('12:00:01', name, idA), ...lines.slice(1)),
    });
    expect(await forgetPlayer(db, { name: typed })).toEqual({ players: 1, banned: 0, links: 0 });
    const list = await readForgottenList(db);
    expect([name, typed].map((each) => list.has(nameForm(each)))).toEqual([true, true]);
  });
});

describe('a hidden player', () => {
  test('is on no board, found by nobody, unnamed in kills and lists, and comes back', async () => {
    const logs = temporaryFolder();
    writeFileSync(join(logs, 'a.ADM'), run(...lines));
    await createSourceWatch(db).importChanged({ servers: [{ id: 's', logs }], banlists: [] });
    const seen = async () => ({
      board: await board(),
      stats: await readLeaderboard(db, 'p', 'PLAYER_KILLS', 10),
      named: await findPlayersByName(db, 'p', 'Annabella', 5),
      deaths: (await deaths()).map(({ victim, killer }) => [victim.name, killer?.name]),
      unnamed: (await readRosters(db, ['s'])).get('s')?.unnamed,
    });
    const before = await seen();
    expect(await setHidden(db, { identity: { dayzId: idA } }, true)).toBe(1);
    const hidden = await seen();
    expect(JSON.stringify(hidden)).not.toContain('Annabella');
    expect(hidden.board).toHaveLength(2);
    expect(hidden.stats.rows).toHaveLength(2);
    expect(hidden.unnamed).toEqual(new Set([idA]));
    // Reading on changes nothing about it.
    await importPlayersFile(db, {
      project: 'p',
      file: temporaryFiles({ 'p.json': JSON.stringify([{ steamId64: steamA, name: 'Annabella' }]) })[0] ?? '',
    });
    expect(JSON.stringify(await seen())).not.toContain('Annabella');
    expect(await setHidden(db, { identity: { steamId64: steamA } }, false)).toBe(1);
    const after = await seen();
    expect(after.deaths).toEqual(before.deaths);
    expect(after.named).toHaveLength(1);
    expect(after.board.map(({ value }) => value)).toEqual(before.board.map(({ value }) => value));
  });

  test('stays hidden when joined with another row of the same person', async () => {
    await importLogs(db, { serverId: 's', files: logOf(...lines) });
    const guid = battleyeGuidOf(steamA);
    await importPlayersFile(db, {
      project: 'p',
      file: temporaryFiles({ 'p.json': JSON.stringify([{ battleyeGuid: guid, name: 'Other' }]) })[0] ?? '',
    });
    await setHidden(db, { identity: { battleyeGuid: guid } }, true);
    await importPlayersFile(db, {
      project: 'p',
      file: temporaryFiles({ 'p.json': JSON.stringify([{ steamId64: steamA, name: 'Other' }]) })[0] ?? '',
    });
    expect(await findProfile(db, 'p', { kind: 'steamId64', value: steamA })).toBeNull();
  });
});

test('an export has everything about a person and nothing about others', async () => {
  // A run that goes on.
  const logs = temporaryFolder();
  writeFileSync(join(logs, 'a.ADM'), run(...lines));
  await createSourceWatch(db).importChanged({ servers: [{ id: 's', logs }], banlists: [] });
  await addBan(db, {
    listId: 'bans',
    player: { kind: 'steamId64', value: steamA },
    category: 'CHEATING',
    reason: null,
    expiresAt: null,
  });
  const { id: playerId } = await db
    .selectFrom('player')
    .select('id')
    .where('dayz_id', '=', idA)
    .executeTakeFirstOrThrow();
  const memberId = '1100000000000000301';
  await setLink(db, 'p', { memberId, playerId, isProven: true, linkedAt: 1 });
  const exported = await exportPlayer(db, { identity: { dayzId: idA } });
  const online = Date.parse('2024-05-01T12:00:01Z');
  expect(exported).toMatchObject([
    {
      player_link: [expect.objectContaining({ member_id: memberId, proven: 1 })],
      roster_player: [
        { server_id: 's', game_id: idA, name: 'Annabella', connected_at: online, absent_at: online },
      ],
    },
  ]);
  const text = JSON.stringify(exported);
  expect(text).toContain('Annabella');
  for (const other of [...bert, ...cid]) expect(text).not.toContain(other);
});
