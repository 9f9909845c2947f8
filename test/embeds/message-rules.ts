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

const neverAnywhere = {
  'half a character': /\p{Surrogate}/u,
  'a direction override': /[\u202a-\u202e\u2066\u2067]/,
  'a mention': /@everyone|@here|<@[!&]?\d/,
};
const neverInMarkdown = { 'a tag': /<#\d+>|<a?:\w+:\d+>|<\/[^>\s]+:\d+>|<id:\w+>/ };

function found(rules: Record<string, RegExp>, texts: readonly string[]): string[] {
  return texts.flatMap((text) =>
    Object.entries(rules).flatMap(([what, rule]) => (rule.test(text) ? [`${what} in ${text}`] : [])),
  );
}

/** What Discord would refuse or must not see: its schema, and the rules that the schema does not hold. */
export function violations(embeds: readonly APIEmbed[]): string[] {
  const parsed = spec.MessageCreateRequestSchema.safeParse({ embeds, allowed_mentions: { parse: [] } });
  const total = embeds.reduce((sum, embed) => sum + embedLength(embed), 0);
  const fields = embeds.flatMap((embed) => embed.fields ?? []);
  return [
    ...(parsed.success ? [] : parsed.error.issues.map((issue) => JSON.stringify(issue))),
    ...(embeds.length === 0 ? ['no embed'] : []),
    ...(total > 6000 ? [`${total} characters`] : []),
    ...embeds.flatMap((embed) => (embed.title || embed.description ? [] : ['an empty embed'])),
    ...fields.flatMap((field) => (field.name.trim() && field.value.trim() ? [] : ['a blank field'])),
    ...embeds.flatMap((embed) => [
      ...found(neverAnywhere, [...markdownTexts(embed), embed.author?.name ?? '', embed.footer?.text ?? '']),
      ...found(neverInMarkdown, markdownTexts(embed)),
    ]),
  ];
}

export function expectSendable(embeds: readonly APIEmbed[]): void {
  expect(violations(embeds)).toEqual([]);
}

/**
 * What is left of a text when everything that Discord would take literally is gone: escaped marks and inline code. Own
 * emphasis and times stay.
 */
export function unescaped(text: string): string {
  return text.replace(/`[^`\n]*`/g, 'x').replace(/\\[^\p{L}\p{N}\s]/gu, 'x');
}
