import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dayzIdOf } from '../src/api/identifiers.ts';

const samples = fileURLToPath(new URL('../packages/dayz-files/test/samples/', import.meta.url));
const dayMs = 86_400_000;

export interface WrittenLogs {
  files: number;
  lines: number;
  bytes: number;
}

/**
 * Writes admin logs of one server into a folder, as its rotation leaves them: the samples again and again, each time
 * a day later and with other people, until there are so many lines.
 * @param fromDay of two servers of a project, those of one must not have the days of the other
 */
export function writeAdminLogs(folder: string, lines: number, fromDay = 0): WrittenLogs {
  mkdirSync(folder, { recursive: true });
  const templates = readTemplates();
  const headers = new Set<string>();
  const written = { files: 0, lines: 0, bytes: 0 };
  for (let copy = fromDay; written.lines < lines; copy += 1) {
    const people = new Map<string, string>();
    for (const { name, parts, lines: own } of templates) {
      if (written.lines >= lines) break;
      const text = parts.map((part) => renew(part, copy, people, headers)).join('');
      // Sorted by name, they are in the order of their days, as names that carry a date are.
      writeFileSync(join(folder, `${String(copy).padStart(5, '0')}_${name}.ADM`), text);
      written.files += 1;
      written.lines += own;
      written.bytes += Buffer.byteLength(text);
    }
  }
  return written;
}

type Part = string | { kind: 'header' | 'id' | 'name'; text: string; steamId?: string };

interface Template {
  name: string;
  parts: Part[];
  lines: number;
}

const token =
  /(?<header>(?<=AdminLog started on )[0-9-]{10} at [0-9:]{8})|(?<=(?:\(|=|\b))(?<id>[\w-]{43}=|[0-9A-F]{40}|7656[0-9]{13})|(?<name>(?<=Player ")[^"\n]+(?="))/g;

function readTemplates(): Template[] {
  const paths = readdirSync(samples, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ADM'),
  );
  const texts = paths.map((path) => readFileSync(join(samples, path), 'utf8'));
  const steamIds = new Set(texts.flatMap((text) => text.match(/7656[0-9]{13}/g) ?? []));
  const steamIdOf = new Map(Array.from(steamIds, (steamId) => [dayzIdOf(steamId), steamId]));
  return paths.map((path, index) => {
    const text = texts[index] as string;
    const parts: Part[] = [];
    let end = 0;
    for (const { index: at, 0: match, groups } of text.matchAll(token)) {
      const kind = (['header', 'id', 'name'] as const).find((name) => groups?.[name] !== undefined) ?? 'name';
      const steamId = steamIdOf.get(match);
      parts.push(text.slice(end, at), { kind, text: match, ...(steamId !== undefined && { steamId }) });
      end = at + match.length;
    }
    parts.push(text.slice(end));
    const name = path.replaceAll(/[^\w]+/g, '_').replace(/_ADM$/, '');
    return { name, parts, lines: text.split('\n').length - 1 };
  });
}

function renew(part: Part, copy: number, people: Map<string, string>, headers: Set<string>): string {
  if (typeof part === 'string') return part;
  if (part.kind === 'header') return newHeader(part.text, copy, headers);
  if (part.kind === 'name') return `${part.text} ${copy}`;
  let id = people.get(part.text);
  if (id === undefined) {
    id = newId(part.text, copy, part.steamId);
    people.set(part.text, id);
  }
  return id;
}

function newHeader(text: string, copy: number, headers: Set<string>): string {
  let at = Date.parse(`${text.replace(' at ', 'T')}Z`) + copy * dayMs;
  let header: string;
  do {
    header = new Date(at).toISOString().slice(0, 19).replace('T', ' at ');
    at += 1000;
  } while (headers.has(header));
  headers.add(header);
  return header;
}

function newId(id: string, copy: number, steamId?: string): string {
  if (steamId !== undefined) return dayzIdOf(newId(steamId, copy));
  const hash = createHash('sha256').update(`${copy} ${id}`).digest();
  if (id.length === 17) return `7656119${String(hash.readUIntBE(0, 6) % 1e10).padStart(10, '0')}`;
  return id.length === 40
    ? hash.toString('hex').slice(0, 40).toUpperCase()
    : `${hash.toString('base64url')}=`;
}
