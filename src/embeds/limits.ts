import type { APIEmbed } from 'discord-api-types/v10';
import { cutMarkdown, plain } from './text.ts';

/** Discord's limits in characters. `total` applies to the texts of all embeds in a message. */
export const embedLimits = {
  embeds: 10,
  title: 256,
  description: 4096,
  fields: 25,
  fieldName: 256,
  fieldValue: 1024,
  footer: 2048,
  author: 256,
  total: 6000,
} as const;

/** Our own limits for texts of other people: enough for real names, short enough for a phone. */
export const textLimits = { name: 64, serverName: 100, title: 120, reason: 240, description: 600 } as const;

/** The characters that count towards `total`. */
export function embedLength({ title, description, footer, author, fields = [] }: APIEmbed): number {
  const texts = (title?.length ?? 0) + (description?.length ?? 0);
  const around = (footer?.text.length ?? 0) + (author?.name.length ?? 0);
  return fields.reduce((sum, { name, value }) => sum + name.length + value.length, texts + around);
}

const isWebAddress = (text: string | undefined): text is string =>
  text !== undefined && text.length <= 2048 && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

const isImage = (url: string): boolean => url.startsWith('attachment://') || isWebAddress(url);

function fitOne(embed: APIEmbed): APIEmbed {
  const { title, description, url, footer, author, thumbnail, image, fields = [], ...rest } = embed;
  const fitted: APIEmbed = { ...rest };
  if (title?.trim()) fitted.title = cutMarkdown(title, embedLimits.title);
  if (isWebAddress(url)) fitted.url = url;
  if (description?.trim()) fitted.description = cutMarkdown(description, embedLimits.description);
  // Without its invisible characters a name may be empty, which Discord refuses.
  const authorName = plain(author?.name ?? '', embedLimits.author);
  if (author && authorName !== '') {
    fitted.author = { name: authorName };
    if (isWebAddress(author.url)) fitted.author.url = author.url;
    if (isWebAddress(author.icon_url)) fitted.author.icon_url = author.icon_url;
  }
  if (thumbnail && isWebAddress(thumbnail.url)) fitted.thumbnail = thumbnail;
  if (image && isImage(image.url)) fitted.image = image;
  const kept = fields.filter(({ name, value }) => name.trim() && value.trim());
  if (kept.length > 0)
    fitted.fields = kept.slice(0, embedLimits.fields).map((field) => ({
      ...field,
      name: cutMarkdown(field.name, embedLimits.fieldName),
      value: cutMarkdown(field.value, embedLimits.fieldValue),
    }));
  const footerText = plain(footer?.text ?? '', embedLimits.footer);
  if (footerText !== '') fitted.footer = { ...footer, text: footerText };
  return fitted;
}

/** Removes about `excess` characters from the longest text of an embed. Drops the last field once all fields are short. */
function shorten(embed: APIEmbed, excess: number): APIEmbed {
  const { description = '', fields = [] } = embed;
  const [longest] = fields.toSorted((one, other) => other.value.length - one.value.length);
  if (longest === undefined || description.length >= longest.value.length)
    return { ...embed, description: cutMarkdown(description, Math.max(description.length - excess, 80)) };
  const { length } = longest.value;
  if (length <= 120) return { ...embed, fields: fields.slice(0, -1) };
  // At most a quarter at a time, so that all long fields are shortened.
  const value = cutMarkdown(longest.value, Math.max(length - excess, Math.floor(length * 0.75), 100));
  return { ...embed, fields: fields.map((field) => (field === longest ? { ...field, value } : field)) };
}

/**
 * The last step of every answer: applies Discord's limits to the embeds of a message. Cut texts end with an ellipsis. Drops
 * blank fields, blank texts and addresses that are not http(s), since Discord rejects them.
 */
export function fit(embeds: readonly APIEmbed[]): APIEmbed[] {
  let fitted = embeds.slice(0, embedLimits.embeds).map(fitOne);
  for (;;) {
    const excess = fitted.reduce((sum, embed) => sum + embedLength(embed), -embedLimits.total);
    if (excess <= 0) return fitted;
    const largest = fitted.toSorted((one, other) => embedLength(other) - embedLength(one))[0]!;
    const shorter = shorten(largest, excess);
    const left = embedLength(shorter) < embedLength(largest) ? [shorter] : [];
    fitted = fitted.flatMap((embed) => (embed === largest ? left : [embed]));
  }
}
