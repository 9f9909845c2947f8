import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { host, path } from '../../../src/config/schema/values.ts';
import { readBans } from 'dayz-files';
import { importBanFile, storeBanFile } from '../../../src/server/ingest/bans/import.ts';
import { importPlayersFile } from '../../../src/server/ingest/players/import-players-json.ts';
import { saveRestartFile } from '../../../src/server/store/repositories/projects/restart-files.ts';
import { trustHost } from '../../../src/server/store/repositories/projects/trusted-hosts.ts';
import { saveSourceStates } from '../../../src/server/store/repositories/logs/source-states.ts';
import { createSourceWatch, importLogs } from '../../harness/logs.ts';
import {
  idA,
  idB,
  run,
  statsOf,
  steamA,
  steamB,
  temporaryFiles,
  temporaryFolder,
  temporaryStore,
} from './fixture.ts';

/** PostgreSQL refuses a row of an index that is longer than 2,704 bytes once it is compressed, so chance has to write it. */
const long = (bytes = 10_000): string => randomBytes(bytes / 2).toString('hex');

test('names, weapons and ammunition of 10 kB in a log are cut, and everything counts', async () => {
  const db = await temporaryStore();
  const [name, weapon] = [long(), long(4_000)];
  const a = `Player "${name}" (id=${idA} pos=<1, 2, 3>)`;
  const killed = `Player "${long(4_000)}" (DEAD) (id=${idB} pos=<4, 5, 6>) killed by Player "A" (id=${idA} pos=<1, 2, 3>)`;
  const files = temporaryFiles({
    'a.ADM': run(`12:00:00 | ${a}`, `12:00:01 | ${killed} with ${weapon} from 9 meters `),
  });
  expect(await importLogs(db, { serverId: 's', files })).toMatchObject({ failures: [] });
  expect(await statsOf(db, idA)).toMatchObject({ player_kills: 1 });
  const names = await db.selectFrom('player_alias').select('name').execute();
  expect(names.map((row) => row.name)).toContain(name.slice(0, 128));
  const deaths = await db.selectFrom('death').select('weapon').execute();
  expect(deaths).toEqual([{ weapon: weapon.slice(0, 64) }]);
});

test('names and reasons of 10 kB in a file of bans and of players are cut', async () => {
  const db = await temporaryStore();
  const [reason, name] = [long(), long()];
  const [battleye = '', dayz = '', vpp = '', players = ''] = temporaryFiles({
    'bans.txt': `${'a'.repeat(32)} -1 ${reason}\n${long()} -1 who\n`,
    'ban.txt': `${idA} // ${reason}\n${long()}\n`,
    'BanList.json': JSON.stringify({
      m_BanList: [
        { playerName: name, Steam64Id: steamB, GUID: long(), banReason: reason },
        { playerName: name, Steam64Id: long(), GUID: long(), banReason: reason },
      ],
    }),
    'players.json': JSON.stringify([{ steamId64: steamA, name, aliases: [long()] }]),
  });
  for (const [file, format] of [
    [battleye, 'battleye'],
    [dayz, 'dayz'],
    [vpp, 'vpp'],
  ] as const) {
    const report = await importBanFile(db, { listId: 'bans', file, format });
    expect(report).toMatchObject({ added: 1, unread: 1 });
  }
  await importPlayersFile(db, { project: 'p', file: players });
  const bans = await db.selectFrom('ban').select('reason').execute();
  expect(bans.map((ban) => ban.reason)).toEqual(Array.from({ length: 3 }, () => reason.slice(0, 1_000)));
  const names = await db.selectFrom('player_alias').select('name').execute();
  expect(names.map((row) => row.name)).toContain(name.slice(0, 128));
});

/** A folder whose path has about so many bytes. */
function deepFolder(bytes: number): string {
  let folder = temporaryFolder();
  while (folder.length < bytes)
    folder = join(folder, long(Math.min(200, Math.max(2, bytes - folder.length))));
  mkdirSync(folder, { recursive: true });
  return folder;
}

test.skipIf(process.platform === 'win32')(
  'follows a log at a path of 2,000 bytes, and says that it leaves a longer one alone (Windows has no such paths)',
  async () => {
    const db = await temporaryStore();
    const folder = deepFolder(1_900);
    const log = run(`12:00:00 | Player "A"(id=${idA}) is connected`);
    writeFileSync(join(folder, 'a.ADM'), log);
    writeFileSync(join(folder, `${long(180)}.ADM`), log);
    const watch = createSourceWatch(db);
    const [outcome] = await watch.importChanged({ servers: [{ id: 's', logs: folder }], banlists: [] });
    expect(outcome).toMatchObject({ kind: 'logs', report: { runs: { new: 1 } } });
    expect(outcome?.error).toContain('not read, a path of at most 2000 bytes was expected. Shorten it');
    const files = await db.selectFrom('log_file').select('path').execute();
    expect(files).toEqual([{ path: join(folder, 'a.ADM') }]);
  },
);

test('keeps what belongs to the longest paths and hosts that the config admits', async () => {
  const db = await temporaryStore();
  const longest = (admits: z.ZodType): string => {
    let bytes = 4_000;
    while (!admits.safeParse('x'.repeat(bytes)).success) bytes -= 1;
    return long(bytes).padEnd(bytes, 'x');
  };
  const [file, server] = [longest(path), 's'.repeat(63)];
  await saveSourceStates(db, [{ kind: 'messages', ownerId: server, path: file, report: {}, error: null }], 1);
  await saveRestartFile(db, file, 240);
  await trustHost(db, `${longest(host)}:22`, 'SHA256:x');
  const content = readBans('nitrado', Buffer.from('é'.repeat(64)));
  const ban = {
    listId: 'bans',
    file,
    filesOf: server,
    format: 'nitrado',
    content,
    origin: 'config',
  } as const;
  expect(await storeBanFile(db, ban)).toMatchObject({ added: 1 });
  expect(await storeBanFile(db, ban)).toMatchObject({ added: 0 });
});
