import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { dayzIdOf } from '../../src/api/identifiers.ts';
import { callersPace, type Running, type Workplace } from '../harness/outpost-process.ts';

/** Four servers whose files can be read, and one whose cannot. */
export const names = ['a', 'b', 'c', 'd', 'hung'] as const;
export const healthy = names.slice(0, 4);

export const messages =
  '<messages><message><deadline>240</deadline><shutdown>1</shutdown><text>x</text></message></messages>';
export const idOf = (name: string): string =>
  dayzIdOf(`7656119800000000${names.findIndex((one) => one === name)}`);
export const logOf = (name: string): string =>
  `AdminLog started on 2024-05-01 at 12:00:00\n12:00:00 | Player "${name}"(id=${idOf(name)}) is connected\n`;

/** Gives each server a folder of its own, named after it, for every kind of source. */
export async function configureFive(place: Workplace): Promise<void> {
  const folderOf = (name: string): string => join(place.folder, name);
  await place.configure({
    projects: [
      {
        slug: 'p',
        name: 'P',
        // The players whose time is read are in the ban files.
        leaderboards: { banned: 'show' },
        servers: names.map((id) => ({
          id,
          name: id,
          host: '127.0.0.1',
          port: 2302,
          logs: folderOf(id),
          playersDb: join(folderOf(id), 'players.db'),
          schedules: [{ source: 'messages.xml', file: join(folderOf(id), 'messages.xml') }],
        })),
        banlists: names.map((id) => ({
          id: `bans-${id}`,
          name: id,
          sources: [{ file: join(folderOf(id), 'ban.txt'), format: 'dayz' }],
        })),
      },
    ],
  });
}

/** Writes the files of a server into a folder. */
export async function fill(folder: string, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'x.ADM'), logOf(name));
  await writeFile(join(folder, 'messages.xml'), messages);
  await writeFile(join(folder, 'ban.txt'), `${idOf(name)}\n`);
}

/** Reads the play time of each server's player from the service. */
export function playtimes(
  outpost: Running,
  headers: Record<string, string>,
): () => Promise<Map<string, number>> {
  return async () => {
    const answer = await fetch(`${outpost.url}/v1/leaderboards?metric=PLAYTIME`, { headers });
    const { leaderboards } = (await answer.json()) as {
      leaderboards: { rows: { value: number; player: { name: string } }[] }[];
    };
    return new Map(leaderboards[0]?.rows.map(({ value, player }) => [player.name, value]));
  };
}

/** Writes a minute more into the logs of the healthy servers, and waits until all of it counts. */
export async function keepPace(
  place: Workplace,
  read: () => Promise<Map<string, number>>,
  minute: number,
): Promise<void> {
  const time = `12:${String(minute).padStart(2, '0')}:00`;
  for (const name of healthy) await appendFile(join(place.folder, name, 'x.ADM'), `${time} | #####\n`);
  await expect
    .poll(async () => {
      const all = await read();
      return healthy.map((name) => all.get(name));
    }, callersPace)
    .toEqual(healthy.map(() => minute * 60));
}

export const warningsOf = (outpost: Running, text: string): string[] =>
  outpost
    .output()
    .split('\n')
    .filter((line) => line.includes('source not readable') && line.includes(text));
