import type { APIEmbed } from 'discord-api-types/v10';
import { expect } from 'vitest';
import { answerViolations } from '../harness/request-rules.ts';

/** Fails when Discord would refuse the embeds of one message, or when they mention somebody. */
export function expectSendable(embeds: readonly APIEmbed[], files: readonly { name: string }[] = []): void {
  expect(answerViolations({ embeds, files })).toEqual([]);
}
