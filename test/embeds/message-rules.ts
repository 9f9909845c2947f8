import type { APIEmbed } from 'discord-api-types/v10';
import * as spec from 'discord-api-spec/zod';
import { expect } from 'vitest';
import { embedLength } from '../../src/embeds/limits.ts';

/** Every text of an embed that Discord reads as markdown. */
export function markdownTexts(embed: APIEmbed): string[] {
  const fields = embed.fields ?? [];
  return [embed.title, embed.description, ...fields.flatMap((field) => [field.name, field.value])].filter(
    (text) => text !== undefined,
  );
}

const lone = /\p{Surrogate}/u;

/** Discord's schema of a message's embeds, and the rules that the schema does not hold. */
export function expectSendable(embeds: readonly APIEmbed[]): void {
  const parsed = spec.MessageCreateRequestSchema.safeParse({ embeds, allowed_mentions: { parse: [] } });
  expect(parsed.success ? [] : parsed.error.issues).toEqual([]);
  expect(embeds.length).toBeGreaterThan(0);
  expect(embeds.reduce((sum, embed) => sum + embedLength(embed), 0)).toBeLessThanOrEqual(6000);
  for (const embed of embeds) {
    expect((embed.title ?? '') + (embed.description ?? '')).not.toBe('');
    for (const field of embed.fields ?? []) {
      expect(field.name.trim()).not.toBe('');
      expect(field.value.trim()).not.toBe('');
    }
    for (const text of [...markdownTexts(embed), embed.author?.name ?? '', embed.footer?.text ?? '']) {
      expect(text).not.toMatch(lone);
      expect(text).not.toMatch(/[\u202a-\u202e\u2066\u2067]/);
      expect(text).not.toMatch(/@everyone|@here|<@[!&]?\d/);
    }
    for (const text of markdownTexts(embed)) {
      expect(text).not.toMatch(/<@[!&]?\d+>|<#\d+>|<a?:\w+:\d+>|<\/[^>\s]+:\d+>|<id:\w+>/);
    }
  }
}

/**
 * What is left of a text when everything that Discord would take literally is gone: escaped marks and inline code. Own
 * emphasis and times stay.
 */
export function unescaped(text: string): string {
  return text.replace(/`[^`\n]*`/g, 'x').replace(/\\[^\p{L}\p{N}\s]/gu, 'x');
}
