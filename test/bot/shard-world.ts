import { expect } from 'vitest';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Invocation, LocalDiscord } from 'local-discord';
import { member } from './discord-world.ts';
import { builtProgram } from '../harness/built-program.ts';
import { callbacksOf, isReadable } from './faults.ts';

const program = builtProgram(new URL('./shard-process.ts', import.meta.url));

/** One guild on each of so many shards. */
export const guildsOn = (shards: number) =>
  Array.from({ length: shards }, (_, shard) => ({
    id: String((BigInt(4 + shard) << 22n) + (1n << 60n)),
    name: `Guild ${shard}`,
    channels: [{ id: String(1_100_000_000_000_000_200n + BigInt(shard)), name: 'general' }],
  }));
export const guilds = guildsOn(4);

/** Starts `shard-process.ts`, and calls back with what it says. */
export function forkBot(
  place: string,
  { apiUrl }: LocalDiscord,
  onMessage: (message: unknown, child: ChildProcess) => void,
): ChildProcess {
  const child = fork(program, [place, apiUrl], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.on('message', (message) => onMessage(message, child));
  return child;
}

export async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

export const askIn = (discord: LocalDiscord) => (guild: (typeof guilds)[number]) =>
  discord.invoke({
    guildId: guild.id,
    channelId: guild.channels[0]?.id ?? '',
    user: member,
    commandName: 'schedule',
  });

/** Discord took one acknowledgement, and the member has one answer. */
export function expectOneAnswer(discord: LocalDiscord, answer: Invocation): void {
  const taken = callbacksOf(discord, answer.id).filter(({ status }) => status < 300);
  expect(taken).toHaveLength(1);
  expect(isReadable(answer.message)).toBe(true);
  expect(answer.followUps).toEqual([]);
}
