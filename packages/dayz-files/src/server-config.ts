import { isUtf8 } from 'node:buffer';
import { decodeUtf16, withoutMark } from './utf16.ts';
import { maxProblems, readSyntax, type Assignment, type SyntaxProblem } from './server-config-syntax.ts';

/** The folder of a mission's storage is `storage_<instanceId>`. */
export const defaultInstanceId = 1;

/** A larger file is not a `serverDZ.cfg`. */
export const maxServerConfigBytes = 1024 * 1024;

const numbers = {
  steamQueryPort: [1, 65_535],
  instanceId: [0, 2_147_483_647],
  maxPlayers: [1, 10_000],
  adminLogPlayerHitsOnly: [0, 1],
  adminLogPlayerList: [0, 1],
} as const satisfies Record<string, readonly [least: number, most: number]>;
type NumberKey = keyof typeof numbers;

/**
 * What is read of a `serverDZ.cfg`. Null: the setting is left out or cannot be read, so the game uses its default.
 * Passwords are not read.
 */
export interface DayzServerConfig extends Record<NumberKey, number | null> {
  hostname: string | null;
  /** Name of a folder of `mpmissions`: `dayzOffline.chernarusplus`. */
  missionTemplate: string | null;
  /** Lines of the settings above, by name; to say where to change one. */
  lines: ReadonlyMap<string, number>;
  /** What cannot be read or is set twice, by line. Quotes no values: one may be a password. */
  problems: readonly SyntaxProblem[];
}

/** Reads a `serverDZ.cfg`. Never throws: what cannot be read is a problem with its line. */
export function readServerConfig(bytes: Buffer): DayzServerConfig {
  if (bytes.length > maxServerConfigBytes) {
    return meaningOf(
      [],
      [{ line: 1, problem: 'the file is larger than 1 MiB, so it is not a serverDZ.cfg' }],
    );
  }
  const { assignments, problems } = readSyntax(decode(bytes).replaceAll('\0', '').replaceAll(/\r\n?/g, '\n'));
  return meaningOf(assignments, problems);
}

/** Whether a file is a game server's config, whatever its name: other programs have `.cfg` files as well. */
export const isServerConfig = ({ hostname, missionTemplate, instanceId }: DayzServerConfig): boolean =>
  missionTemplate !== null || (hostname !== null && instanceId !== null);

function meaningOf(
  assignments: readonly Assignment[],
  syntaxProblems: readonly SyntaxProblem[],
): DayzServerConfig {
  const problems = [...syntaxProblems];
  const lines = new Map<string, number>();
  const valueOf = (key: string): string | null => {
    const own = assignments.filter((one) => one.classes.length === 0 && one.key === key.toLowerCase());
    const [first, second] = own;
    if (first && second && own.some(({ value }) => value !== first.value)) {
      problems.push({ line: second.line, problem: `${key} is already set in line ${first.line}: keep one` });
    }
    const last = own.at(-1);
    if (last !== undefined) lines.set(key, last.line);
    return last?.value ?? null;
  };
  const numberOf = (key: NumberKey): number | null => {
    const value = valueOf(key);
    if (value === null) return null;
    const [least, most] = numbers[key];
    const figure = flags.get(value.toLowerCase()) ?? (/^\d{1,10}$/.test(value) ? Number(value) : NaN);
    if (figure >= least && figure <= most) return figure;
    problems.push({
      line: lines.get(key) ?? 1,
      problem: `${key}: expected a number from ${least} to ${most}`,
    });
    return null;
  };
  /** Of the first class in `class Missions`, as the game starts it. */
  const templateOf = (): string | null => {
    const template = assignments.find(
      ({ classes, key }) => classes.length === 2 && classes[0] === 'missions' && key === 'template',
    );
    if (template === undefined) return null;
    const { value, line } = template;
    lines.set('template', line);
    if (value !== null && isMissionName(value)) return value;
    problems.push({ line, problem: 'template: expected a mission, such as dayzOffline.chernarusplus' });
    return null;
  };
  const hostname = printable(valueOf('hostname'));
  const figures = Object.fromEntries(
    Object.keys(numbers).map((key) => [key, numberOf(key as NumberKey)]),
  ) as Record<NumberKey, number | null>;
  const missionTemplate = templateOf();
  const byLine = problems.toSorted((a, b) => a.line - b.line).slice(0, maxProblems);
  return { hostname, ...figures, missionTemplate, lines, problems: byLine };
}

const flags = new Map([
  ['true', 1],
  ['false', 0],
]);

/** The name becomes a part of paths. Braces are those of a panel's template for the file, such as AMP's. */
export const isMissionName = (name: string): boolean =>
  name.length <= 200 && /^[^\\/:*?"<>|{}\p{Cc}]+$/u.test(name) && !/^\.+$/.test(name);

/** A blank name is none. */
function printable(text: string | null): string | null {
  const shown = text?.replaceAll(/[\p{Cc}\p{Cs}]+/gu, ' ').trim() ?? '';
  return shown === '' ? null : shown;
}

function decode(bytes: Buffer): string {
  // In plain text, UTF-16 without a mark has a zero in every other byte.
  if (bytes.length >= 4 && bytes[1] === 0 && bytes[3] === 0) return decodeUtf16(bytes, 'utf-16le').toString();
  if (bytes.length >= 4 && bytes[0] === 0 && bytes[2] === 0) return decodeUtf16(bytes, 'utf-16be').toString();
  return decodeOneByte(withoutMark(bytes));
}

/** UTF-8, or a code page of Windows: in Cyrillic text its letters stand side by side, in Western text seldom. */
function decodeOneByte(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const text = bytes.toString('latin1');
  if (/[\xC0-\xFF]{3}/.test(text)) return new TextDecoder('windows-1251').decode(bytes);
  return text.replaceAll(/[\x80-\x9F]/g, (c) => windows1252[c.charCodeAt(0) - 0x80] ?? c);
}

/** 0x80 to 0x9F. Node's own decoder for windows-1252 reads them as Latin-1. */
const windows1252 = '€\uFFFD‚ƒ„…†‡ˆ‰Š‹Œ\uFFFDŽ\uFFFD\uFFFD‘’“”•–—˜™š›œ\uFFFDžŸ';
