import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  startLocalDiscord,
  type Invocation,
  type LocalDiscord,
  type LocalDiscordOptions,
} from 'local-discord';
import { openValuesOf } from '../harness/small-values.ts';
import { token, until } from './discord-world.ts';
import type { LeaseAnswer, LeaseQuestion } from './shard-process.ts';
import { askIn, end, expectOneAnswer, forkBot, guilds } from './shard-world.ts';

let discord: LocalDiscord;
let folder: string;
let children: ChildProcess[];
/** Which process holds a name. */
let holders: Map<string, ChildProcess>;
/** Shards of each process, at most. */
let share: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-shards-'));
  // Made before processes start at once: only one makes a store in real life, which locks its folder.
  await (await openValuesOf(folder)).close();
  children = [];
  holders = new Map();
  share = Infinity;
});
afterEach(async () => {
  await Promise.all(children.map((child) => end(child, 'SIGKILL')));
  await discord.close();
  await rm(folder, { recursive: true });
});

async function startDiscord(options: Partial<LocalDiscordOptions> = {}): Promise<void> {
  // A machine under load may be slower than Discord's three seconds.
  discord = await startLocalDiscord({ token, guilds, acknowledgeWithinMs: 60_000, ...options });
}

const shardsOf = (child: ChildProcess): string[] =>
  [...holders].flatMap(([name, holder]) => (holder === child && name.startsWith('shard:') ? [name] : []));

function mayTake(child: ChildProcess, name: string): boolean {
  if (holders.has(name)) return false;
  return !name.startsWith('shard:') || shardsOf(child).length < share;
}

/** Starts a process and waits until its first shard is connected. */
async function start(): Promise<ChildProcess> {
  return await new Promise<ChildProcess>((resolve, reject) => {
    const child = forkBot(folder, discord, (message, from) => {
      if (message === 'ready') return resolve(from);
      const { id, does, name } = message as LeaseQuestion;
      const taken = does === 'take' && mayTake(from, name);
      if (taken) holders.set(name, from);
      if (does === 'release' && holders.get(name) === from) holders.delete(name);
      from.send({ id, taken } satisfies LeaseAnswer, () => undefined);
    });
    children.push(child);
    child.on('exit', () => reject(new Error('the process ended')));
  });
}

async function stop(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  await end(child, signal);
  for (const [name, holder] of holders) if (holder === child) holders.delete(name);
}

const ask = (guild: (typeof guilds)[number]): Promise<Invocation> => askIn(discord)(guild);
const expectAnswered = (answer: Invocation): void => expectOneAnswer(discord, answer);

it('is followed by a process that logs in anew, when it was killed', async () => {
  await startDiscord();
  const first = await start();
  expectAnswered(await ask(guilds[0]!));
  await stop(first, 'SIGKILL');
  await until(() => discord.gateway.connected === 0);
  await start();
  expectAnswered(await ask(guilds[0]!));
  expect(discord.gateway).toMatchObject({ identifies: 2, resumes: 0, connected: 1 });
});

describe('two processes with two shards each', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'log in one after the other; after %s of one the other logs its shards in and answers everywhere',
    async (signal) => {
      await startDiscord({ shards: 4, maxConcurrency: 2 });
      share = 2;
      const [first, second] = await Promise.all([start(), start()]);
      await until(() => discord.gateway.shards.length === 4);
      expect([shardsOf(first).length, shardsOf(second).length]).toEqual([2, 2]);
      expect(discord.gateway).toMatchObject({ identifies: 4, logins: 4, tooSoon: 0 });
      for (const answer of await Promise.all(guilds.map(ask))) expectAnswered(answer);

      share = 4;
      await stop(first, signal);
      // Discord may not have noticed yet that the process is gone.
      await until(() => discord.gateway.identifies === 6 && discord.gateway.shards.length === 4);
      expect(shardsOf(second)).toHaveLength(4);
      expect(discord.gateway).toMatchObject({ identifies: 6, logins: 6, resumes: 0, tooSoon: 0 });
      for (const answer of await Promise.all(guilds.map(ask))) expectAnswered(answer);
    },
  );
});
