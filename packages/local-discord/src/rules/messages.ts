import type { APIEmbed } from 'discord-api-types/v10';
import { type Component, type Json, messageFlag } from '../discord-types.ts';
import { FormCheck, type Path, refusals } from '../errors.ts';
import { checkComponents } from './components.ts';
import { isObject, objectsOf, schemeOf } from './values.ts';

/** Characters of an embed that count towards the 6000 of a message (Discord: Message, Embed Limits). */
function embedLength(embed: APIEmbed): number {
  const texts = [embed.title, embed.description, embed.footer?.text, embed.author?.name];
  for (const field of embed.fields ?? []) texts.push(field.name, field.value);
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
}

const webSchemes = ['http', 'https'];
const mediaSchemes = [...webSchemes, 'attachment'];

function checkUrl(check: FormCheck, path: Path, value: unknown, schemes: readonly string[]): void {
  if (value === undefined || value === null) return;
  const scheme = schemeOf(value);
  if (schemes.includes(scheme)) return;
  const expected = schemes.map((one) => `'${one}'`).join(', ');
  const message = `Scheme "${scheme}" is not supported. Scheme must be one of (${expected}).`;
  check.fault(path, ['URL_TYPE_INVALID_SCHEME', message]);
}

function checkEmbed(check: FormCheck, embed: APIEmbed, path: Path): void {
  const { url, image, thumbnail, author, footer, fields = [] } = embed;
  checkUrl(check, [...path, 'url'], url, webSchemes);
  checkUrl(check, [...path, 'author', 'url'], author?.url, webSchemes);
  checkUrl(check, [...path, 'image', 'url'], image?.url, mediaSchemes);
  checkUrl(check, [...path, 'thumbnail', 'url'], thumbnail?.url, mediaSchemes);
  checkUrl(check, [...path, 'author', 'icon_url'], author?.icon_url, mediaSchemes);
  checkUrl(check, [...path, 'footer', 'icon_url'], footer?.icon_url, mediaSchemes);
  for (const [index, field] of fields.entries())
    for (const key of ['name', 'value'] as const)
      if (!field[key]?.trim()) check.required([...path, 'fields', index, key]);
}

/** @throws DiscordError 50006 when a message with these parts would show nothing */
export function refuseEmpty(parts: {
  content: string;
  embeds: readonly unknown[];
  components: readonly unknown[];
  files: number;
}): void {
  const { content, embeds, components, files } = parts;
  if (files + embeds.length + components.length === 0 && content.trim() === '') throw refusals.emptyMessage();
}

/** The parts of a message body that were given; absent keys stay absent (an edit leaves them as they are). */
export interface MessageBody {
  content?: string;
  embeds?: APIEmbed[];
  components?: Component[];
  attachments?: { id: string; description?: string }[];
  allowedMentions?: Json;
  flags?: number;
  referenceId?: string;
  /** Only with `enforce_nonce`; without it Discord takes every message for a new one. */
  nonce?: string;
}

/** Flags that a bot may set itself: SUPPRESS_EMBEDS, EPHEMERAL, SUPPRESS_NOTIFICATIONS. */
const settableFlags = messageFlag.suppressEmbeds | messageFlag.ephemeral | 4096;

/**
 * Reads a message body as Discord does.
 * @throws DiscordError 50035 that names every fault
 */
export function readMessageBody(raw: Json): MessageBody {
  const check = new FormCheck();
  const body: MessageBody = {};
  if (raw['content'] !== undefined) {
    body.content = typeof raw['content'] === 'string' ? raw['content'] : '';
    if (body.content.length > 2000)
      check.fault(['content'], ['BASE_TYPE_BAD_LENGTH', 'Must be 2000 or fewer in length.']);
  }
  if (raw['embeds'] !== undefined) {
    const embeds = objectsOf(raw['embeds']) as APIEmbed[];
    for (const [index, embed] of embeds.entries()) checkEmbed(check, embed, ['embeds', index]);
    const total = embeds.reduce((sum, embed) => sum + embedLength(embed), 0);
    const message = 'Embed size exceeds maximum size of 6000';
    if (total > 6000) check.fault(['embeds'], ['MAX_EMBED_SIZE_EXCEEDED', message]);
    body.embeds = embeds.filter((embed) => Object.keys(embed).some((key) => key !== 'type'));
  }
  if (raw['flags'] !== undefined && raw['flags'] !== null) {
    body.flags = Number(raw['flags']) & settableFlags;
  }
  if (raw['components'] !== undefined) {
    body.components = objectsOf(raw['components']) as unknown as Component[];
    checkComponents(check, body.components);
  }
  if (raw['attachments'] !== undefined && raw['attachments'] !== null) {
    body.attachments = objectsOf(raw['attachments']).map((one) => ({
      id: String(one['id']),
      ...(typeof one['description'] === 'string' && { description: one['description'] }),
    }));
  }
  if (isObject(raw['allowed_mentions'])) {
    body.allowedMentions = raw['allowed_mentions'];
    checkAllowedMentions(check, raw['allowed_mentions']);
  }
  if (isObject(raw['message_reference'])) {
    const id = raw['message_reference']['message_id'];
    if (typeof id === 'string') body.referenceId = id;
  }
  if (raw['enforce_nonce'] === true) body.nonce = String(raw['nonce']);
  check.done();
  return body;
}

/** A type may be parsed or listed by id, never both. */
function checkAllowedMentions(check: FormCheck, allowed: Json): void {
  const parse = Array.isArray(allowed['parse']) ? (allowed['parse'] as unknown[]) : [];
  for (const key of ['users', 'roles']) {
    const ids = allowed[key];
    if (!Array.isArray(ids) || ids.length === 0 || !parse.includes(key)) continue;
    const message = `parse:["${key}"] and ${key}: [ids...] are mutually exclusive.`;
    check.fault(['allowed_mentions'], ['MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE', message]);
  }
}
