import type { APIEmbed } from 'discord-api-types/v10';

/*
 * What Discord refuses, or the bot must never send, that Discord's own schemas do not hold: each rule names what is wrong.
 */

/** A message as it is sent: created, edited or answered with. */
export interface MessageBody {
  content?: string | null;
  embeds?: readonly APIEmbed[] | null;
  components?: readonly Row[] | null;
  allowed_mentions?: { parse?: unknown; roles?: unknown; users?: unknown; replied_user?: unknown } | null;
}

interface Row {
  components?: readonly Component[];
}

interface Component {
  type: number;
  custom_id?: string;
  url?: string;
  label?: string;
  emoji?: object;
  style?: number;
  options?: readonly { value: string }[];
}

/** Every text of an embed that Discord reads as markdown. */
export function markdownTexts(embed: APIEmbed): string[] {
  const fields = embed.fields ?? [];
  return [embed.title, embed.description, ...fields.flatMap((field) => [field.name, field.value])].filter(
    (text) => text !== undefined,
  );
}

/** Every text of an embed that somebody reads. */
function textsOf(embed: APIEmbed): string[] {
  const plain = [embed.author?.name, embed.footer?.text].filter((text) => text !== undefined);
  return [...markdownTexts(embed), ...plain];
}

const neverAnywhere = {
  'half a character': /\p{Surrogate}/u,
  'a direction override': /[\u202a-\u202e\u2066\u2067]/,
  'a mention': /@everyone|@here|<@[!&]?\d/,
};
const neverInMarkdown = { 'a tag': /<#\d+>|<a?:\w+:\d+>|<\/[^>\s]+:\d+>|<id:\w+>/ };

/** `/outpost posts` ends the first line of each entry with its channel. */
const withoutOwnChannels = (text: string): string => text.replace(/ · <#\d+>(?=\n-# )/g, '');

/** In code nothing has a meaning. */
const withoutCode = (text: string): string => text.replace(/`[^`\n]*`/g, '');

function found(rules: Record<string, RegExp>, texts: readonly string[]): string[] {
  return texts.flatMap((text) =>
    Object.entries(rules).flatMap(([what, rule]) => (rule.test(text) ? [`${what} in ${text}`] : [])),
  );
}

function twice(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

/** Discord refuses every other scheme, `steam://` among them. */
function strangeAddresses({ url, author, image, thumbnail }: APIEmbed): string[] {
  return [url, author?.url, author?.icon_url, image?.url, thumbnail?.url].filter(
    (address) => address !== undefined && !/^(https?|attachment):\/\//.test(address),
  ) as string[];
}

/** What is wrong with the embeds of one message. */
export function embedViolations(embeds: readonly APIEmbed[]): string[] {
  const total = embeds.flatMap(textsOf).reduce((sum, text) => sum + text.length, 0);
  return [
    ...(total > 6000 ? [`${total} characters in the embeds`] : []),
    ...embeds.flatMap((embed) => {
      const { title, description, fields = [], image } = embed;
      return [
        ...(title || description || fields.length > 0 || image ? [] : ['an empty embed']),
        ...fields.flatMap(({ name, value }) =>
          name.trim() && value.trim() ? [] : [`a blank field ${name}`],
        ),
        ...strangeAddresses(embed).map((address) => `the address ${address}`),
        ...found(neverAnywhere, textsOf(embed)),
        ...found(neverInMarkdown, markdownTexts(embed).map(withoutOwnChannels).map(withoutCode)),
      ];
    }),
  ];
}

function componentViolations(rows: readonly Row[]): string[] {
  const components = rows.flatMap((row) => row.components ?? []);
  const ids = components.flatMap(({ custom_id }) => (custom_id === undefined ? [] : [custom_id]));
  const isButton = ({ type }: Component) => type === 2;
  return [
    ...(rows.length > 5 ? [`${rows.length} rows of components`] : []),
    ...rows.flatMap(({ components: row = [] }) =>
      row.some((one) => !isButton(one)) && row.length > 1 ? ['a menu that shares its row'] : [],
    ),
    ...twice(ids).map((id) => `two components with the custom_id ${id}`),
    ...components.flatMap((component) => [
      ...twice((component.options ?? []).map(({ value }) => value)).map(
        (value) => `two choices with the value ${value}`,
      ),
      ...(!isButton(component) || (component.style === 5 ? component.url : component.custom_id)
        ? []
        : [`a button that does nothing: ${component.label}`]),
      ...(!isButton(component) || component.label || component.emoji ? [] : ['a button without a face']),
    ]),
  ];
}

/** The roles that `content` pings, and nothing and nobody else, may be let through. */
function mentionViolations({ content, embeds, allowed_mentions: allowed }: MessageBody): string[] {
  if (!content && !embeds?.length) return [];
  if (!allowed) return ['no allowed_mentions'];
  const roles = Array.isArray(allowed.roles) ? allowed.roles.map(String) : [];
  return [
    ...(JSON.stringify(allowed.parse) === '[]'
      ? []
      : [`mentions are parsed: ${JSON.stringify(allowed.parse)}`]),
    ...(Array.isArray(allowed.users) && allowed.users.length > 0 ? ['a member may be mentioned'] : []),
    ...(allowed.replied_user ? ['who is answered is mentioned'] : []),
    ...roles.flatMap((role) =>
      content?.includes(`<@&${role}>`) ? [] : [`role ${role} is let through for nothing`],
    ),
  ];
}

/** What is wrong with a message. `isNew`: it is created, not edited; `files`: names of those that come along. */
export function messageViolations(
  message: MessageBody,
  { isNew, files = [] }: { isNew: boolean; files?: readonly string[] },
): string[] {
  const { content, embeds, components } = message;
  const empty = !content?.trim() && !embeds?.length && !components?.length && files.length === 0;
  const shown = (embeds ?? []).flatMap((embed) => [embed.image?.url, embed.thumbnail?.url]);
  const attached = shown.filter((url) => url?.startsWith('attachment://') === true);
  return [
    ...((content?.length ?? 0) > 2000 ? [`${content?.length} characters of content`] : []),
    ...(isNew && empty ? ['an empty message'] : []),
    ...attached.flatMap((url) =>
      !isNew || files.includes(url!.slice(13)) ? [] : [`${url} does not come along`],
    ),
    ...embedViolations(embeds ?? []),
    ...componentViolations(components ?? []),
    ...mentionViolations(message),
  ];
}
