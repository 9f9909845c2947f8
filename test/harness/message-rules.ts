import type { APIEmbed } from 'discord-api-types/v10';

/*
 * What the bot must never send although Discord takes it: each rule names what is wrong. What Discord refuses stands in its own
 * schemas (discord-api-spec), and what those lack in packages/local-discord/src/rules/.
 */

/** A message as it is sent: created, edited or answered with. */
export interface MessageBody {
  content?: string | null;
  embeds?: readonly APIEmbed[] | null;
  components?: readonly object[] | null;
  allowed_mentions?: { parse?: unknown; roles?: unknown; users?: unknown; replied_user?: unknown } | null;
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

/** Alerts about watched players say in small text who added the entry. In embeds nobody is notified. */
const withoutOwnMembers = (text: string): string =>
  text.replace(/^(-# [^\n]*)<@\d+>([^\n]*<t:\d+:D>[^\n]*)$/gm, '$1$2');

/** `/outpost posts` says in small text which role an alert mentions. */
const withoutOwnRoles = (text: string): string => text.replace(/^(-# [^\n]*) · <@&\d+>(?= · |$)/gm, '$1');

/** In code nothing has a meaning. */
const withoutCode = (text: string): string => text.replace(/`[^`\n]*`/g, '');

function found(rules: Record<string, RegExp>, texts: readonly string[]): string[] {
  return texts.flatMap((text) =>
    Object.entries(rules).flatMap(([what, rule]) => (rule.test(text) ? [`${what} in ${text}`] : [])),
  );
}

/** What is wrong with one embed. */
function embedViolations(embed: APIEmbed): string[] {
  const { title, description, fields = [], image } = embed;
  return [
    ...(title || description || fields.length > 0 || image ? [] : ['an empty embed']),
    ...found(neverAnywhere, textsOf(embed).map(withoutOwnMembers).map(withoutOwnRoles)),
    ...found(neverInMarkdown, markdownTexts(embed).map(withoutOwnChannels).map(withoutCode)),
  ];
}

/** The texts among components, in whatever depth. */
function shownTexts(components: readonly object[] | null = []): string[] {
  return (components ?? []).flatMap((component) => [
    ...('content' in component ? [String(component.content)] : []),
    ...('components' in component ? shownTexts(component.components as object[]) : []),
  ]);
}

/** The roles that `content` pings, and nothing and nobody else, may be let through. */
function mentionViolations({
  content,
  embeds,
  components,
  allowed_mentions: allowed,
}: MessageBody): string[] {
  if (!content && !embeds?.length && shownTexts(components).length === 0) return [];
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
  { isNew, files }: { isNew: boolean; files: readonly string[] },
): string[] {
  const embeds = message.embeds ?? [];
  const attached = embeds
    .flatMap(({ image, thumbnail }) => [image?.url, thumbnail?.url])
    .filter((url) => url?.startsWith('attachment://') === true);
  return [
    ...attached.flatMap((url) =>
      !isNew || files.includes(url!.slice(13)) ? [] : [`${url} does not come along`],
    ),
    ...embeds.flatMap(embedViolations),
    ...found({ ...neverAnywhere, ...neverInMarkdown }, shownTexts(message.components).map(withoutCode)),
    ...mentionViolations(message),
  ];
}
