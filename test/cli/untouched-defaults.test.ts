import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../../src/config/load.ts';
import { activeSources } from '../../src/server/ingest/follower/sources.ts';
import { openWriter, storeFile } from '../../src/server/store/engine/database.ts';
import { reconcile } from '../../src/server/store/repositories/projects/reconcile.ts';
import { createSourceWatch } from '../harness/logs.ts';
import { outpost } from '../harness/command-line.ts';

const ruler = `//${'-'.repeat(101)}`;
const example = '1111111111112222222222222333333333XXXXXXAAAA\t//Example of a character ID';
const listed = (first: string) =>
  [
    first,
    ruler,
    '//For comments use the // prefix. It can be used after an inserted ID, to easily mark it.',
    '',
    example,
  ].join('\r\n');

/** A day of .RPT: a banner, then a line for each hour, those below ten padded with a blank. */
const rpt = [
  '=====================================================================',
  '== DayZServer_x64.exe -config=serverDZ.cfg -port=2302 -profiles=profiles',
  '=====================================================================',
  'Exe timestamp: 2026/03/01 00:00:00',
  ...Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2)}:00:01.824 [CE][Hive] :: Spawner`),
  '',
].join('\r\n');

const messages = (more = '') => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<messages>
<!--
Example messages:
    <message>
        <deadline>600</deadline>
        <shutdown>1</shutdown>
        <text>#name will shutdown in #tmin minutes.</text>
    </message>
    -->
${more}
</messages>`;

/** The files of a DayZ server in its first hour, as the game, BattlEye and VPP ship and write them. */
const fresh: Record<string, string> = {
  'serverDZ.cfg': 'hostname = "EXAMPLE NAME";  // Server name\r\npassword = "";\r\nmaxPlayers = 60;\r\n',
  'ban.txt': listed("//Players added to the ban.txt won't be able to connect to this server."),
  'whitelist.txt': listed("//Players not included in the whitelist.txt won't be able to connect."),
  'priority.txt': '',
  'battleye/BEServer_x64.cfg': 'RConPassword example\r\nRestrictRCon 0\r\n',
  'profiles/DayZServer_x64.ADM': `\r\n\r\n${'*'.repeat(78)}\r\nAdminLog started on 2026-03-01 at 00:00:01\r\n\r\n`,
  'profiles/DayZServer_x64_2026-03-01_00-00-00.RPT': rpt,
  'profiles/VPPAdminTools/BanList.json': JSON.stringify({
    m_BanList: [
      {
        playerName: 'user',
        Steam64Id: '00000000000000000',
        GUID: '123456789',
        banReason: 'Example reason',
        issuedBy: 'Example',
        expirationDate: { Hour: 0, Minute: 0, Year: 0, Month: 0, Day: 0, Permanent: 0 },
      },
    ],
  }),
  'mpmissions/dayzOffline.chernarusplus/db/messages.xml': messages(),
};

function place(changes: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'outpost-fresh-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries({ ...fresh, ...changes })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const file = join(folder, 'outpost.yaml');
  const source = (path: string, format: string) => ({ file: path, format });
  const config = {
    projects: [
      {
        slug: 'p',
        name: 'P',
        servers: [
          {
            id: 's',
            name: 'S',
            host: '127.0.0.1',
            port: 2302,
            logs: 'profiles',
            playersDb: 'mpmissions/dayzOffline.chernarusplus/storage_1/players.db',
            schedules: [{ source: 'messages.xml' }],
          },
        ],
        banlists: [
          {
            id: 'b',
            name: 'B',
            sources: [
              source('ban.txt', 'dayz'),
              source('battleye/bans.txt', 'battleye'),
              source('profiles/VPPAdminTools/BanList.json', 'vpp'),
            ],
          },
        ],
      },
    ],
  };
  writeFileSync(file, JSON.stringify(config));
  vi.stubEnv('OUTPOST_CONFIG', file);
  vi.stubEnv('OUTPOST_DATA', join(folder, 'data'));
  onTestFinished(() => void vi.unstubAllEnvs());
  return { folder, file };
}

const storage = 'mpmissions/dayzOffline.chernarusplus/storage_1/players.db';
const onConnect = '<message><delay>2</delay><onConnect>1</onConnect><text>Welcome</text></message>';

describe.each([
  ['whose mission was never started', {}],
  ['whose players.db is empty', { [storage]: '' }],
  [
    'whose messages.xml greets',
    { 'mpmissions/dayzOffline.chernarusplus/db/messages.xml': messages(onConnect) },
  ],
])('a fresh DayZ server %s', (_, changes: Record<string, string>) => {
  test('passes check-config without a warning', async () => {
    const { file } = place(changes);
    const { code, out } = await outpost('check-config', file);
    expect(out).not.toMatch(/^ *[!✗]/m);
    expect(code).toBe(0);
  });

  test('is read without an error, and nothing is counted that did not happen', async () => {
    const { folder, file } = place(changes);
    const config = readConfig(file);
    const { db, close } = await openWriter(storeFile(join(folder, 'data')));
    const before = await outpost('sources');
    expect(before).toMatchObject({ code: 0, out: expect.not.stringMatching(/^ *! /m) });
    await reconcile(db, config);
    const watch = createSourceWatch(db);
    const outcomes = [
      ...(await watch.importChanged(activeSources(config))),
      ...(await watch.importChanged(activeSources(config))),
    ];
    expect(outcomes.filter(({ error }) => error !== undefined)).toEqual([]);
    for (const table of ['ban', 'player', 'player_stats', 'log_run_player', 'character'] as const) {
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
    expect(await db.selectFrom('log_run').select('header').execute()).toEqual([
      { header: '2026-03-01 00:00:01' },
    ]);
    await close();
    expect(await outpost('sources')).toMatchObject({ code: 0, out: expect.not.stringMatching(/^ *! /m) });
  });
});

test('a mission folder that is not there is a mistake in the path of its players.db', async () => {
  const { file, folder } = place();
  rmSync(join(folder, 'mpmissions'), { recursive: true });
  const { code, out } = await outpost('check-config', file);
  expect(out).toMatch(/✗ s\.playersDb .*: no such file/);
  expect(code).toBe(1);
});
