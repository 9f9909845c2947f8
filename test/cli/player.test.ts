import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { storeFile } from '../../src/server/store/engine/database.ts';
import { SQLite } from '../../src/server/store/engine/driver.ts';
import { idA, idB, run, steamA } from '../server/ingest/fixture.ts';
import { filesWith } from '../server/store/repositories/rights/rights-world.ts';
import { outpost } from '../harness/command-line.ts';

let folder: string;
let data: string;
let log: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'outpost-player-'));
  data = join(folder, 'data');
  const config = join(folder, 'outpost.yaml');
  writeFileSync(
    config,
    'projects: [{ slug: p, name: P, servers: [{ id: s, name: S, game: dayz, host: localhost, port: 2302, timezone: UTC }] }]',
  );
  vi.stubEnv('OUTPOST_CONFIG', config);
  vi.stubEnv('OUTPOST_DATA', data);
  log = join(folder, 'a.ADM');
  const player = (name: string, id: string, dead = '') =>
    `Player "${name}"${dead} (id=${id} pos=<1.0, 2.0, 3.0>)`;
  writeFileSync(
    log,
    run(
      `12:00:01 | Player "Annabella"(id=${idA}) is connected`,
      `12:00:02 | Player "Bertram"(id=${idB}) is connected`,
      `12:10:00 | ${player('Annabella', idA, ' (DEAD)')} killed by ${player('Bertram', idB)} with M4A1 from 50.5 meters`,
    ),
  );
  expect((await outpost('import', 'adm', '--server', 's', log)).code).toBe(0);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test('finds players by a part of a name, hidden ones too', async () => {
  await outpost('player', 'hide', idA);
  expect(await outpost('player', 'find', 'BELL')).toMatchObject({
    code: 0,
    out: expect.stringMatching(new RegExp(`^${idA}  Annabella  \\(p, hidden, last seen 20\\S+\\)$`)),
  });
  const { out } = await outpost('player', 'find', 'e', '--json');
  const { players } = JSON.parse(out) as { players: { dayzId: string }[] };
  expect(players.map(({ dayzId }) => dayzId).toSorted()).toEqual([idA, idB].toSorted());
  for (const text of ['%', '_', 'Carla'])
    expect(await outpost('player', 'find', text)).toMatchObject({
      code: 0,
      out: `No player has ${text} in a name.`,
    });
});

test('shows names that would control the terminal as text', async () => {
  const sqlite = new SQLite(storeFile(data));
  sqlite
    .prepare("UPDATE player_alias SET name = ? WHERE name = 'Bertram'")
    .run('\u001B[2JBert\u009B\nr\u202Eam');
  sqlite.close();
  expect(await outpost('player', 'find', 'bert')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^\S+ {3}\[2JBert {2}r am {2}\(p, last seen \S+\)$/),
  });
});

test('hides a player and shows the player again, by any identifier', async () => {
  expect(await outpost('player', 'hide', idA)).toMatchObject({ code: 0, out: 'Hidden: 1 player.' });
  expect(await outpost('player', 'show', steamA)).toMatchObject({ code: 0, out: 'Shown again: 1 player.' });
  expect(await outpost('player', 'hide', '--name', 'bertram', '--json')).toMatchObject({ code: 0 });
  expect(await outpost('player', 'hide', '76561197960265729')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Nothing was changed'),
  });
});

test('forgets a player so that no file in the data folder has the player, and names older backups', async () => {
  const sqlite = new SQLite(storeFile(data));
  sqlite
    .prepare(`INSERT INTO player_link SELECT project_id, '123', id, 1, 0 FROM player WHERE dayz_id = ?`)
    .run(idA);
  sqlite.close();
  const backup = await outpost('backup');
  expect(backup.code).toBe(0);
  expect(filesWith(data, idA)).not.toEqual([]);
  expect(await outpost('player', 'forget', steamA)).toMatchObject({
    code: 1,
    err: expect.stringContaining('add --yes'),
  });

  const { code, out, err } = await outpost('player', 'forget', steamA, '--yes', '--json');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const result = JSON.parse(out) as { backups: string[] };
  expect(result).toMatchObject({ players: 1, banned: 0, links: 1, wiped: true });
  expect(result.backups).toEqual([expect.stringContaining('backups')]);
  const isBackup = (file: string): boolean => file.includes('backups');
  for (const text of [idA, steamA, 'Annabella'])
    expect(filesWith(data, text).filter((file) => !isBackup(file))).toEqual([]);

  // A backup from before comes back without the player.
  const again = await outpost('restore', result.backups[0] as string, '--json');
  expect(again.code).toBe(0);
  expect(JSON.parse(again.out)).toMatchObject({ forgotten: 1 });
  const kept = (file: string): boolean => isBackup(file) || file.includes('before-restore');
  for (const text of [idA, steamA, 'Annabella'])
    expect(filesWith(data, text).filter((file) => !kept(file))).toEqual([]);
  expect((await outpost('import', 'adm', '--server', 's', log)).code).toBe(0);
  expect(filesWith(data, idA).filter((file) => !kept(file))).toEqual([]);
  expect(filesWith(data, idB)).not.toEqual([]);
});

test('says that a player is forgotten even where the backups cannot be listed', async () => {
  writeFileSync(join(data, 'backups'), 'no folder');
  const { code, out } = await outpost('player', 'forget', idA, '--yes', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ players: 1, backups: [] });
});

test('a backup carries the list, also into a data folder with a list of its own', async () => {
  await outpost('player', 'forget', idA, '--yes');
  const backup = join(folder, 'a.backup');
  expect((await outpost('backup', backup)).code).toBe(0);
  vi.stubEnv('OUTPOST_DATA', join(folder, 'other'));
  expect((await outpost('import', 'adm', '--server', 's', log)).code).toBe(0);
  expect((await outpost('player', 'forget', idB, '--yes')).code).toBe(0);
  expect((await outpost('restore', backup)).code).toBe(0);
  expect((await outpost('import', 'adm', '--server', 's', log)).code).toBe(0);
  const isPresent = (file: string): boolean => !file.includes('before-restore');
  for (const id of [idA, idB]) expect(filesWith(join(folder, 'other'), id).filter(isPresent)).toEqual([]);
});

test('a restore says how many forgotten players it deleted again', async () => {
  const backup = join(folder, 'a.backup');
  await outpost('backup', backup);
  expect((await outpost('restore', backup)).out).not.toContain('forgotten');
  await outpost('player', 'forget', idA, '--yes');
  await outpost('player', 'forget', idB, '--yes');
  const { out } = await outpost('restore', backup);
  expect(out).toContain('2 players were forgotten since the backup, and were deleted from it again.');
  await outpost('backup', join(folder, 'b.backup'));
  expect(JSON.parse((await outpost('restore', join(folder, 'b.backup'), '--json')).out)).toMatchObject({
    forgotten: 0,
  });
});

test('who was hidden since a backup is hidden in the restored store', async () => {
  const backup = join(folder, 'a.backup');
  await outpost('backup', backup);
  await outpost('player', 'hide', idA);
  expect((await outpost('restore', backup)).code).toBe(0);
  const hiddenOf = async (id: string): Promise<unknown> => {
    const { players } = JSON.parse((await outpost('player', 'export', id)).out) as {
      players: { player: { hidden: number }[] }[];
    };
    return players[0]?.player[0]?.hidden;
  };
  expect([await hiddenOf(idA), await hiddenOf(idB)]).toEqual([1, 0]);
});

test('prints what is stored of a player', async () => {
  const { players } = JSON.parse((await outpost('player', 'export', idA)).out) as { players: object[] };
  expect(players).toEqual([
    expect.objectContaining({
      player: [expect.objectContaining({ name: 'Annabella', dayz_id: idA })],
      deaths: [expect.objectContaining({ weapon: 'M4A1' })],
    }),
  ]);
});

test.each([[[]], [['nobody']], [[steamA, '--name', 'Annabella']]])('expects one player: %j', async (args) => {
  expect(await outpost('player', 'hide', ...args)).toMatchObject({
    code: 2,
    err: expect.stringContaining('SteamID64'),
  });
});
