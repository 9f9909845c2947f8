import { isIP } from 'node:net';
import { validate as isCronExpression } from 'node-cron';
import { z } from 'zod';
import { isSupported, locales } from '../../locales/tags.ts';

/** Kinds of values that several keys of the config share. */

export const id = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, {
  error: 'expected 1 to 63 of a-z 0-9 . _ - , starting with a letter or digit',
});
export const text = (max: number) =>
  z.string().trim().min(1, { error: 'expected a text that is not empty' }).max(max);
const intBetween = (min: number, max: number, error: string) =>
  z.int({ error }).min(min, { error }).max(max, { error });
/** @param of `backups` */
export const wholeNumber = (of: string, min: number, max: number) =>
  intBetween(min, max, `expected a whole number of ${of}, from ${min} to ${max}`);
export const port = intBetween(1, 65_535, 'expected a port from 1 to 65535');
/** Where Outpost itself listens; 0: any free port. */
export const ownPort = intBetween(0, 65_535, 'expected a port: a whole number from 0 to 65535');
export const webAddress = z.url({ protocol: /^https?$/, error: 'expected a web address, https://…' });
export const joinAddress = z
  .string()
  .refine(
    (text) =>
      /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[1-9][0-9]{0,4})?$/.test(text) &&
      URL.canParse(`http://${text}`),
    { error: 'expected an address such as play.example.org or 203.0.113.7:2302' },
  );
export const timezone = z.string().refine(isTimeZone, {
  error: 'expected an IANA time zone such as Europe/Berlin or UTC',
});
/** A host name or address, without scheme, port or path. */
export const host = z
  .string()
  .min(1, { error: 'expected an address or host name', abort: true })
  .max(253, { error: 'expected an address or host name of at most 253 characters' })
  .refine((text) => isIP(text) > 0 || /^[\p{L}\p{N}._-]+$/u.test(text), {
    error:
      'expected an address or host name alone, without http:// and without a port (which has a key of its own)',
  });
/** Bytes in UTF-8. The store finds files by their paths, and a name of a file comes on top of a folder's. */
const longestPath = 1_500;
/** `~` is replaced by shells alone; elsewhere it would be a folder of that name. */
export const startsAtHome = (text: string): boolean => /^~(?:[\\/]|$)/.test(text);
export const homeExpectation =
  'expected a path without ~, which only a shell knows: write the home folder out, such as /home/kim/dayz';
export const path = z
  .string()
  .min(1, { error: 'expected a path', abort: true })
  .refine((text) => Buffer.byteLength(text) <= longestPath, {
    error: `expected a path of at most ${longestPath} bytes`,
  })
  .refine((text) => !startsAtHome(text), { error: homeExpectation })
  .refine((text) => !/\p{Cc}/u.test(text), {
    error:
      'expected a path, found a line break, tab or the like in it: in "double quotes" \\n and \\t mean those. ' +
      "Write it in 'single quotes', or with / instead of \\",
  });
const dayMs = 86_400_000;
const spans: Readonly<Record<string, number>> = { d: dayMs, w: 7 * dayMs, y: 365 * dayMs };
/** `90d`, in milliseconds. */
export const timeSpan = z
  .string({ error: 'expected a time span such as 90d, 12w or 1y' })
  .regex(/^[1-9][0-9]{0,3}[dwy]$/, { error: 'expected a time span: a number and d, w or y, such as 90d' })
  .transform((text) => Number(text.slice(0, -1)) * (spans[text.slice(-1)] ?? dayMs));
/** A moment, in epoch milliseconds. */
export const moment = z.iso
  .datetime({
    offset: true,
    error: 'expected a date and time with its offset, such as 2026-11-01T18:00:00+01:00',
  })
  .transform((text) => Date.parse(text));
export const locale = z
  .string()
  .refine(isSupported, {
    error: `expected a language that the bot speaks: ${locales.join(', ')}`,
  })
  .meta({ examples: ['de'] });
export const cron = z.string().refine(isCronExpression, {
  error: 'expected a cron expression such as "*/2 * * * *" (minute hour day month weekday)',
});
export const snowflake = z
  .string({ error: 'expected a Discord id in quotes, such as "123456789012345678"' })
  .regex(/^[0-9]{17,20}$/, { error: 'expected a Discord id: 17 to 20 digits, in quotes' })
  .meta({ examples: ['123456789012345678'] });

function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export const serverIds = z
  .array(id)
  .min(1, { error: 'expected at least one server id' })
  .meta({ examples: [['northwood-1']] });
