import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type FtpStandIn, startFtp } from '../../packages/game-files/test/servers/ftp.ts';
import { commandsPace, createWorkplace } from '../harness/outpost-process.ts';

const log = `${'*'.repeat(78)}
AdminLog started on 2024-05-01 at 12:00:00
12:00:00 | Player "Aksel"(id=aSeZrScYkwQmCCVYeYx88yUS-RSUQG7g7xYDDomky38=) is connected
`;

const configFor = ({ port, username }: FtpStandIn, logs = '/logs') => ({
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
          logs,
          files: {
            type: 'ftp' as const,
            host: '127.0.0.1',
            port,
            username,
            password: { env: 'FTP_PASSWORD' },
          },
        },
      ],
      banlists: [
        { id: 'b', name: 'B', sources: [{ file: '/bans.txt', filesOf: 's', format: 'battleye' as const }] },
      ],
    },
  ],
});

it('commands beside a running service leave a host with one connection to it, and show what it has stored', async () => {
  const place = await createWorkplace();
  onTestFinished(() => place.remove());
  const root = join(place.folder, 'host');
  await mkdir(join(root, 'logs'), { recursive: true });
  await writeFile(join(root, 'logs', 'DayZServer_x64.ADM'), log);
  await writeFile(join(root, 'bans.txt'), `${'a'.repeat(32)} -1 cheating\n`);
  const ftp = await startFtp({ root });
  onTestFinished(() => ftp[Symbol.asyncDispose]());
  ftp.mostConnections = 1;
  place.environment['FTP_PASSWORD'] = ftp.password;
  await place.configure(configFor(ftp));
  const outpost = await place.start();
  await expect.poll(() => ftp.logins).toBe(1);
  // Tests look into answers freely.
  // oxlint-disable-next-line typescript/no-explicit-any
  const sources = async (): Promise<any[]> =>
    JSON.parse((await place.outpost('sources', '--json')).stdout).sources;
  await expect.poll(sources, commandsPace).toMatchObject([
    { kind: 'logs', error: null, logs: { files: 1, newest: { position: log.length } } },
    { kind: 'bans', error: null, report: { entries: 1 } },
  ]);
  expect((await place.outpost('sources')).code).toBe(0);
  expect([ftp.logins, ftp.turnedAway]).toEqual([1, 0]);

  // What it could not read is shown, too.
  ftp.mostConnections = 0;
  ftp.cut();
  await expect
    .poll(async () => (await sources())[0].error, commandsPace)
    .toContain('421 Too many connections');
  await outpost.stop();
});
