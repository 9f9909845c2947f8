import { emptyMessage, type Json, type Mentions } from '../discord-types.ts';

/**
 * Whom a message's content mentions, after its `allowed_mentions` (Discord: Message, Allowed Mentions Object).
 * Without `allowed_mentions` everything found is parsed, in an edit too. Stricter than Discord on purpose: mentions
 * inside code and behind a backslash count as well, so that a test sees every text that could ping somebody.
 * `pingable` says of a role whether this author may ping it.
 */
export function findMentions(
  content: string,
  allowed: Json | undefined,
  mayMentionEveryone: boolean,
  pingable: (roleId: string) => boolean,
): Mentions {
  if (content === '') return emptyMessage.mentions;
  const users = unique(content.matchAll(/<@!?([0-9]{15,20})>/g));
  const roles = unique(content.matchAll(/<@&([0-9]{15,20})>/g)).filter(pingable);
  const everyone = mayMentionEveryone && /@(everyone|here)\b/.test(content);
  if (!allowed) return { everyone, users, roles };
  const parse = list(allowed['parse']);
  return {
    everyone: everyone && parse.includes('everyone'),
    users: parse.includes('users') ? users : users.filter((id) => list(allowed['users']).includes(id)),
    roles: parse.includes('roles') ? roles : roles.filter((id) => list(allowed['roles']).includes(id)),
  };
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

function unique(matches: Iterable<RegExpMatchArray>): string[] {
  return [...new Set([...matches].map((match) => match[1] ?? ''))];
}
