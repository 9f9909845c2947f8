import { expect } from 'vitest';
import type { Invocation, LocalDiscord, Message, RequestRecord } from 'local-discord';
import { channelId, guildId, member } from './discord-world.ts';

/** A command of an ordinary member. */
export const ask = (discord: LocalDiscord, commandName: string, options: Record<string, string> = {}) =>
  discord.invoke({ guildId, channelId, user: member, commandName, options });

/** Attempts to acknowledge an interaction, as Discord recorded them. */
export const callbacksOf = (discord: LocalDiscord, interactionId: string): RequestRecord[] =>
  discord.requests.filter(({ path }) =>
    new RegExp(`^/interactions/${interactionId}/.*/callback$`).test(path),
  );

const codeOf = ({ answer }: RequestRecord) => (answer as { code?: number } | undefined)?.code;

/** Whether a person can read something there. */
export function isReadable(message: Message | null): boolean {
  const texts = [message?.content, ...(message?.embeds ?? []).flatMap((one) => [one.title, one.description])];
  return texts.some((text) => text !== undefined && text.trim() !== '');
}

/**
 * Discord took exactly one acknowledgement of this interaction (in time: it knows no late ones), never saw a second
 * one, and the member has one message to read.
 */
export function expectAnsweredOnce(discord: LocalDiscord, answer: Invocation): void {
  const callbacks = callbacksOf(discord, answer.id);
  expect(callbacks.filter(({ status }) => status >= 200 && status < 300)).toHaveLength(1);
  expect(callbacks.filter((one) => codeOf(one) === 40060)).toEqual([]);
  expect(isReadable(answer.message)).toBe(true);
  expect(answer.followUps).toEqual([]);
}
