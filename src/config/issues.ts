import { z } from 'zod';
import { mayHoldSecret } from './schema/secret.ts';

/** A mistake and where it is. */
export interface Issue {
  path: readonly PropertyKey[];
  message: string;
}

/** What zod found, as an owner reads it. Each unknown key becomes a mistake at its own line; a wrong value is quoted. */
export function issuesOf(issue: z.core.$ZodIssue): Issue[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [...path, key],
      message: /^(?:bot|discord)?_?token$/i.test(key)
        ? 'unknown key: the token does not belong in this file. Put the line DISCORD_TOKEN=… into .env instead'
        : `unknown key; expected one of ${issue.message}`,
    }));
  if (mayHoldSecret(issue.message)) return [{ path, message: issue.message }];
  const isPlain = issue.code === 'invalid_type' && issue.message.startsWith('Invalid input');
  const message = isPlain
    ? `expected ${kinds[issue.expected] ?? issue.expected}`
    : (boundOf(issue) ??
      issue.message.replace(/^Invalid (input|option): /, '').replace(/, received \w+$/, ''));
  const isMissing = issue.input === undefined && issue.code !== 'custom';
  const end = isMissing ? ', but it is missing' : `${got(issue)}${quotesHint(issue)}`;
  return [{ path, message: message + end }];
}

/** The message of an unknown key: the keys that are known there. All others have zod's own message. */
export function knownKeys({ code, inst }: z.core.$ZodRawIssue): string | undefined {
  if (code !== 'unrecognized_keys') return undefined;
  const keys = inst instanceof z.ZodRecord ? (inst.keyType as z.ZodEnum).options : [];
  return (inst instanceof z.ZodObject ? Object.keys(inst.shape) : keys).join(', ');
}

/** A limit of which the schema says nothing else. */
function boundOf(issue: z.core.$ZodIssue): string | null {
  if (!/^Too (?:small|big): /.test(issue.message)) return null;
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return null;
  const bound = issue.code === 'too_small' ? `at least ${issue.minimum}` : `at most ${issue.maximum}`;
  if (issue.origin === 'string') return `expected a text of ${bound} characters`;
  if (issue.origin === 'array') return `expected ${bound} entries`;
  return `expected a number of ${bound}`;
}

/** What a value has to be, for readers who know no YAML. */
const kinds: Readonly<Record<string, string>> = {
  array: 'a list, each entry on a line of its own that starts with "- "',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'keys with values, on the lines below and further to the right',
  record: 'keys with values, on the lines below and further to the right',
  string: 'a text',
};

/** YAML takes a text in quotes for no number, and a number without quotes for no text. */
function quotesHint(issue: z.core.$ZodIssue): string {
  const { input } = issue;
  if (issue.code !== 'invalid_type') return '';
  if (['number', 'int'].includes(issue.expected) && typeof input === 'string' && /^\d+$/.test(input))
    return ': leave out the quotes';
  const isUnquoted = typeof input === 'number' || typeof input === 'boolean';
  return issue.expected === 'string' && isUnquoted ? `: put it in 'single quotes'` : '';
}

/** Longer than what somebody may write for a whole section, such as `on`. */
const longestForSection = 20;

function got(issue: z.core.$ZodIssue): string {
  const { input } = issue;
  // A token or the URL of a database in the place of a section.
  const isForSection = issue.code === 'invalid_type' && issue.expected === 'object';
  if (isForSection && String(input).length > longestForSection) return '';
  if (input === null) return ', but the value is empty';
  // An id of Discord without quotes: as a number, its last digits are others.
  if (Number.isInteger(input) && !Number.isSafeInteger(input)) return '';
  return typeof input === 'string' || typeof input === 'number' || typeof input === 'boolean'
    ? `, got ${JSON.stringify(input).slice(0, 80)}`
    : '';
}
