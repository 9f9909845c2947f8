import { appendFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { callersPace, commandsPace, createWorkplace, type Workplace } from '../harness/outpost-process.ts';

const idA = 'aSeZrScYkwQmCCVYeYx88yUS-RSUQG7g7xYDDomky38=';
const log = `${'*'.repeat(78)}
AdminLog started on 2024-05-01 at 12:00:00
12:00:00 | Player "Aksel"(id=${idA}) is connected
12:05:00 | Aksel was teleported to <1.0, 2.0, 3.0> by 76561198207985320 from 10.1.2.3
`;

let place: Workplace;
let logs: string;
beforeEach(async () => {
  place = await createWorkplace();
  logs = join(place.folder, 'logs');
  await mkdir(logs);
  await writeFile(join(logs, 'DayZServer_x64.ADM'), log);
  await place.configure({
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
            playersDb: join(place.folder, 'players.db'),
          },
        ],
      },
    ],
  });
});
afterEach(() => place.remove());

// Tests look into answers freely.
// oxlint-disable-next-line typescript/no-explicit-any
const source = async (kind: string): Promise<any> =>
  // It ends with 1 where a source cannot be read, and says so of each.
  JSON.parse((await place.outpost('sources', '--json')).stdout).sources.find(
    (one: { kind: string }) => one.kind === kind,
  );

it('lists how far each source was read, beside a running service and after it', async () => {
  const before = await place.outpost('sources');
  expect([before.code, before.stderr]).toEqual([1, expect.stringContaining('there is no store in')]);
  const outpost = await place.start();
  await expect.poll(async () => (await source('logs')).logs.lines, commandsPace).toBe(4);
  await outpost.stop();
  const { logs: read, error } = await source('logs');
  expect(error).toBeNull();
  expect(read).toMatchObject({
    lines: 4,
    unreadLines: 1,
    lastEventAt: '2024-05-01T12:05:00.000Z',
    newest: { position: log.length },
  });
  expect(await source('playersDb')).toMatchObject({ report: null, error: 'no such file' });

  const { stdout } = await place.outpost('sources');
  expect(stdout).toMatch(/last event 2024-05-01T12:05:00.000Z, [0-9,]+ days ago; 4 lines, 1 unread/);
  expect(stdout).not.toMatch(/Aksel|76561|10\.1\.2/);
});

it('follows what a game server writes, warns once of a missing folder, and continues when it is back', async () => {
  const outpost = await place.start();
  const headers = await place.newCaller(outpost.url, 'p');
  const playtime = async (): Promise<unknown> => {
    const answer = await fetch(`${outpost.url}/v1/leaderboards?metric=PLAYTIME`, { headers });
    return (await answer.json()).leaderboards[0].rows[0]?.value;
  };
  await expect.poll(playtime, callersPace).toBe(300);
  await rename(logs, `${logs}-away`);
  const warnings = (): string[] =>
    outpost
      .output()
      .split('\n')
      .filter((line) => line.includes('source not readable') && line.includes('"kind":"logs"'));
  await expect.poll(warnings).toHaveLength(1);
  await appendFile(join(`${logs}-away`, 'DayZServer_x64.ADM'), '12:10:00 | #####\n');
  await rename(`${logs}-away`, logs);
  await outpost.logged('source readable again');
  await expect.poll(playtime, callersPace).toBe(600);
  expect(warnings()).toHaveLength(1);
});
