import { z } from 'zod';
import { mayHoldSecret } from './schema/secret.ts';

/** A mistake and where it is. */
export interface Issue {
  path: readonly PropertyKey[];
  message: string;
}

/** Words an issue of zod for owners. Each unknown key becomes a mistake at its own line; a wrong value is quoted. */
export function ownersIssues(issue: z.core.$ZodIssue): Issue[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [...path, key],
      message: /^(?:bot|discord)?_?token$/i.test(key)
        ? 'unknown key: the token does not belong in this file. Put the line DISCORD_TOKEN=… into .env instead'
        : `unknown key; expected one of ${issue.message}`,
    }));
  // The schema's own message, which quotes no value.
  if (mayHoldSecret(issue.message)) return [{ path, message: issue.message }];
  const isWrongType = issue.code === 'invalid_type' && issue.message.startsWith('Invalid input');
  const message = isWrongType
    ? `expected ${typeNames[issue.expected] ?? issue.expected}`
    : (boundOf(issue) ??
      issue.message.replace(/^Invalid (input|option): /, '').replace(/, received \w+$/, ''));
  const isMissing = issue.input === undefined && issue.code !== 'custom';
  const end = isMissing ? ', but it is missing' : `${gotText(issue)}${quotesHint(issue)}`;
  return [{ path, message: message + end }];
}

/** Has zod report unknown keys with those that are known there, and everything else in its own words. */
export function messageForZod({ code, inst }: z.core.$ZodRawIssue): string | undefined {
  if (code !== 'unrecognized_keys') return undefined;
  const keys = inst instanceof z.ZodRecord ? (inst.keyType as z.ZodEnum).options : [];
  return (inst instanceof z.ZodObject ? Object.keys(inst.shape) : keys).join(', ');
}

/** Words a limit for which the schema has no message of its own; null: it has one, or this is no limit. */
function boundOf(issue: z.core.$ZodIssue): string | null {
  if (!/^Too (?:small|big): /.test(issue.message)) return null;
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return null;
  const bound = issue.code === 'too_small' ? `at least ${issue.minimum}` : `at most ${issue.maximum}`;
  if (issue.origin === 'string') return `expected a text of ${bound} characters`;
  if (issue.origin === 'array') return `expected ${bound} entries`;
  return `expected a number of ${bound}`;
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

/** YAML takes a text in quotes for no number, and a number without quotes for no text. */
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

function gotText(issue: z.core.$ZodIssue): string {
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
