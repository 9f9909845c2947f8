import { z } from 'zod';
import { mayHoldSecret } from './schema/secret.ts';

/** A mistake and where it is. */
export interface Issue {
  path: readonly PropertyKey[];
  message: string;
}

/** Words an issue for owners: what was expected, and what the file has. Each unknown key becomes a mistake at its own line. */
export function issuesForOwners(issue: z.core.$ZodIssue): Issue[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [...path, key],
      message: /^(?:bot|discord)?_?token$/i.test(key)
        ? 'unknown key: the token does not belong in this file. Put the line DISCORD_TOKEN=… into .env instead'
        : `unknown key; expected one of ${issue.message}`,
    }));
  // The value may be a secret in the wrong place, so the message of the schema stands alone.
  if (mayHoldSecret(issue.message)) return [{ path, message: issue.message }];
  // Only zod's own messages are worded anew; those of the schema say what it expects.
  const isWrongType = issue.code === 'invalid_type' && issue.message.startsWith('Invalid input');
  const withoutZodsWords = issue.message
    .replace(/^Invalid (input|option): /, '')
    .replace(/, received \w+$/, '');
  const expected = isWrongType
    ? `expected ${typeNames[issue.expected] ?? issue.expected}`
    : (limitText(issue) ?? withoutZodsWords);
  const isMissing = issue.input === undefined && issue.code !== 'custom';
  const found = isMissing ? ', but it is missing' : `${valueText(issue)}${quotesHint(issue)}`;
  return [{ path, message: expected + found }];
}

/** The option `error` of zod: the message about unknown keys lists the known ones. Undefined: zod's own message stays. */
export function knownKeysMessage({ code, inst }: z.core.$ZodRawIssue): string | undefined {
  if (code !== 'unrecognized_keys') return undefined;
  const keys = inst instanceof z.ZodRecord ? (inst.keyType as z.ZodEnum).options : [];
  return (inst instanceof z.ZodObject ? Object.keys(inst.shape) : keys).join(', ');
}

/** What a limit expects. Null: the issue is about no limit, or the schema has a message of its own for it. */
function limitText(issue: z.core.$ZodIssue): string | null {
  if (!/^Too (?:small|big): /.test(issue.message)) return null;
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return null;
  const limit = issue.code === 'too_small' ? `at least ${issue.minimum}` : `at most ${issue.maximum}`;
  if (issue.origin === 'string') return `expected a text of ${limit} characters`;
  if (issue.origin === 'array') return `expected ${limit} entries`;
  return `expected a number of ${limit}`;
}

/** What a value has to be, for readers who know no YAML. */
const typeNames: Readonly<Record<string, string>> = {
  array: 'a list, each entry on a line of its own that starts with "- "',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'keys with values, on the lines below and further to the right',
  record: 'keys with values, on the lines below and further to the right',
  string: 'a text',
};

/** In YAML, a number in quotes is a text, and a number or `true` without quotes is not. */
function quotesHint(issue: z.core.$ZodIssue): string {
  const { input } = issue;
  if (issue.code !== 'invalid_type') return '';
  if (['number', 'int'].includes(issue.expected) && typeof input === 'string' && /^\d+$/.test(input))
    return ': leave out the quotes';
  const isUnquoted = typeof input === 'number' || typeof input === 'boolean';
  return issue.expected === 'string' && isUnquoted ? `: put it in 'single quotes'` : '';
}

/** A longer text where a section belongs may be a token or the URL of a database, so it is not quoted. */
const longestForSection = 20;

/** What the file has; empty if quoting it would show a secret or a wrong number. */
function valueText(issue: z.core.$ZodIssue): string {
  const { input } = issue;
  const isForSection = issue.code === 'invalid_type' && issue.expected === 'object';
  if (isForSection && String(input).length > longestForSection) return '';
  if (input === null) return ', but the value is empty';
  // A Discord id without quotes: read as a number, it has lost its last digits.
  if (Number.isInteger(input) && !Number.isSafeInteger(input)) return '';
  return typeof input === 'string' || typeof input === 'number' || typeof input === 'boolean'
    ? `, got ${JSON.stringify(input).slice(0, 80)}`
    : '';
}
