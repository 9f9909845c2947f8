import type { Component, Embed, Json } from '../discord-types.ts';
import { FormCheck, refusals } from '../errors.ts';
import { messageFlag } from '../state/state.ts';
import { checkComponents } from './components.ts';
import { schemeOf } from './urls.ts';

type Path = (string | number)[];

/** Characters of an embed that count towards the 6000 of a message (Discord: Message, Embed Limits). */
function embedLength(embed: Embed): number {
  const texts = [embed.title, embed.description, embed.footer?.text, embed.author?.name];
  for (const field of embed.fields ?? []) texts.push(field.name, field.value);
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function checkUrl(check: FormCheck, path: Path, value: unknown, schemes: readonly string[]): void {
  if (value === undefined || value === null) return;
  const scheme = schemeOf(value);
  if (scheme === undefined) check.fault(path, 'URL_TYPE_INVALID_URL', 'Not a well formed URL.');
  else if (!schemes.includes(scheme)) {
    const expected = schemes.map((one) => `'${one.slice(0, -1)}'`).join(', ');
    check.fault(
      path,
      'URL_TYPE_INVALID_SCHEME',
      `Scheme "${scheme.slice(0, -1)}" is not supported. Scheme must be one of (${expected}).`,
    );
  }
}

const webSchemes = ['http:', 'https:'];
const mediaSchemes = ['http:', 'https:', 'attachment:'];

function checkEmbed(check: FormCheck, embed: Embed, path: Path): void {
  const optional = (key: string, value: unknown, max: number): void => {
    if (value !== undefined && value !== null) check.length([...path, key], value, 0, max);
  };
  optional('title', embed.title, 256);
  optional('description', embed.description, 4096);
  checkUrl(check, [...path, 'url'], embed.url, webSchemes);
  checkUrl(check, [...path, 'image', 'url'], embed.image?.url, mediaSchemes);
  checkUrl(check, [...path, 'thumbnail', 'url'], embed.thumbnail?.url, mediaSchemes);
  checkUrl(check, [...path, 'author', 'url'], embed.author?.url, webSchemes);
  checkUrl(check, [...path, 'author', 'icon_url'], embed.author?.icon_url, mediaSchemes);
  checkUrl(check, [...path, 'footer', 'icon_url'], embed.footer?.icon_url, mediaSchemes);
  if (embed.author) check.length([...path, 'author', 'name'], embed.author.name, 1, 256);
  if (embed.footer) check.length([...path, 'footer', 'text'], embed.footer.text, 1, 2048);
  const { color, timestamp } = embed;
  if (color !== undefined && color !== null && (!Number.isInteger(color) || color < 0 || color > 0xffffff)) {
    check.fault([...path, 'color'], 'NUMBER_TYPE_MAX', 'int value should be between 0 and 16777215.');
  }
  if (timestamp !== undefined && timestamp !== null && Number.isNaN(Date.parse(timestamp))) {
    check.fault(
      [...path, 'timestamp'],
      'DATE_TIME_TYPE_PARSE',
      `Could not parse ${timestamp}. Should be ISO8601.`,
    );
  }
  const fields = embed.fields ?? [];
  if (fields.length > 25) {
    check.fault([...path, 'fields'], 'BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.');
  }
  for (const [index, field] of fields.entries()) {
    for (const [key, max] of [
      ['name', 256],
      ['value', 1024],
    ] as const) {
      const value: unknown = field[key];
      if (typeof value === 'string' && value.trim() === '') check.required([...path, 'fields', index, key]);
      else check.length([...path, 'fields', index, key], value, 1, max);
    }
  }
}

/** Whether a message with these parts would show anything. */
export function isEmptyMessage(parts: {
  content: string;
  embeds: readonly unknown[];
  components: readonly unknown[];
  files: number;
  flags: number;
}): boolean {
  if (parts.files > 0) return false;
  if (parts.flags & messageFlag.componentsV2) return parts.components.length === 0;
  return parts.content.trim() === '' && parts.embeds.length === 0 && parts.components.length === 0;
}

/** The parts of a message body that were given, checked; absent keys stay absent (an edit leaves them as they are). */
export interface MessageBody {
  content?: string;
  embeds?: Embed[];
  components?: Component[];
  attachments?: { id: string; filename?: string; description?: string }[];
  allowedMentions?: Json;
  flags?: number;
  referenceId?: string;
  /** Only with `enforce_nonce`; without it Discord takes every message for a new one. */
  nonce?: string;
}

const legacyField = (name: string): [code: string, message: string] => [
  'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
  `The '${name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`,
];

/** Flags that a bot may set itself: SUPPRESS_EMBEDS, EPHEMERAL, SUPPRESS_NOTIFICATIONS, IS_COMPONENTS_V2. */
const settableFlags = messageFlag.suppressEmbeds | messageFlag.ephemeral | 4096 | messageFlag.componentsV2;

/**
 * Reads a message body as Discord does.
 * @param before the flags of a message that it changes
 * @throws DiscordError 50035 that names every fault; content over 2000, embeds over their limits, wrong components.
 */
export function readMessageBody(raw: Json, before = 0): MessageBody {
  const check = new FormCheck();
  const body: MessageBody = {};
  if (raw['content'] !== undefined) {
    const content = raw['content'] ?? '';
    check.length(['content'], content, 0, 2000);
    if (typeof content === 'string') body.content = content;
  }
  if (raw['embeds'] !== undefined) {
    const embeds = listOf(check, ['embeds'], raw['embeds']) as Embed[];
    if (embeds.length > 10) {
      check.fault(['embeds'], 'BASE_TYPE_MAX_LENGTH', 'Must be 10 or fewer in length.');
    }
    for (const [index, embed] of embeds.entries()) checkEmbed(check, embed, ['embeds', index]);
    const total = embeds.reduce((sum, embed) => sum + embedLength(embed), 0);
    if (total > 6000) {
      check.fault(['embeds'], 'MAX_EMBED_SIZE_EXCEEDED', 'Embed size exceeds maximum size of 6000');
    }
    body.embeds = embeds.filter((embed) => Object.keys(embed).some((key) => key !== 'type'));
  }
  if (raw['flags'] !== undefined && raw['flags'] !== null) {
    body.flags = Number(raw['flags']) & settableFlags;
  }
  const isV2 = (((body.flags ?? 0) | before) & messageFlag.componentsV2) !== 0;
  if (raw['components'] !== undefined) {
    const components = listOf(check, ['components'], raw['components']) as unknown as Component[];
    checkComponents(check, components, isV2);
    body.components = components;
  }
  if (isV2 && body.content) check.fault(['content'], ...legacyField('content'));
  if (isV2 && body.embeds?.length) check.fault(['embeds'], ...legacyField('embeds'));
  if (raw['attachments'] !== undefined && raw['attachments'] !== null) {
    const attachments = listOf(check, ['attachments'], raw['attachments']);
    if (attachments.length > 10) {
      check.fault(['attachments'], 'BASE_TYPE_MAX_LENGTH', 'Must be 10 or fewer in length.');
    }
    body.attachments = attachments.map((one) => ({
      id: String(one['id']),
      ...(typeof one['filename'] === 'string' && { filename: one['filename'] }),
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
  if (raw['enforce_nonce'] === true) {
    body.nonce = String(raw['nonce']);
    check.length(['nonce'], body.nonce, 1, 25);
  }
  check.done();
  return body;
}

function listOf(check: FormCheck, path: Path, value: unknown): Json[] {
  if (value === null) return [];
  if (Array.isArray(value) && value.every(isObject)) return value;
  check.fault(path, 'LIST_TYPE_CONVERT', 'Only iterables may be used in a ListType');
  return [];
}

/** A type may be parsed or listed by id, never both; at most 100 ids each. */
function checkAllowedMentions(check: FormCheck, allowed: Json): void {
  const parse = Array.isArray(allowed['parse']) ? (allowed['parse'] as unknown[]) : [];
  for (const [index, type] of parse.entries()) {
    if (!['users', 'roles', 'everyone'].includes(String(type))) {
      const message = "Value must be one of ('everyone', 'roles', 'users').";
      check.fault(['allowed_mentions', 'parse', index], 'BASE_TYPE_CHOICES', message);
    }
  }
  for (const key of ['users', 'roles']) {
    const ids = allowed[key];
    if (!Array.isArray(ids)) continue;
    if (ids.length > 100) {
      check.fault(['allowed_mentions', key], 'BASE_TYPE_MAX_LENGTH', 'Must be 100 or fewer in length.');
    }
    if (ids.length > 0 && parse.includes(key)) {
      const message = `parse:["${key}"] and ${key}: [ids...] are mutually exclusive.`;
      check.fault(['allowed_mentions'], 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE', message);
    }
  }
}

/** @throws DiscordError 50006 when nothing would be shown. */
export function refuseEmpty(parts: Parameters<typeof isEmptyMessage>[0]): void {
  if (isEmptyMessage(parts)) throw refusals.emptyMessage();
}
