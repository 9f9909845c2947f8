import { textOf } from 'dayz-files';
import { z } from 'zod';
import { directFiles } from 'game-files';
import { battleyeGuidOf } from '../../../api/identifiers.ts';
import { type MetricCode, metricCodes, metrics } from '../../../api/metrics.ts';
import { playerStats } from '../../../api/resources.ts';
import type { Database } from '../../store/engine/database.ts';
import { writeProject } from '../../store/engine/transactions.ts';
import { saveImportedStats } from '../../store/repositories/players/imported-stats.ts';
import { findProjectId } from '../../store/repositories/projects/projects.ts';
import { savePeople } from '../../store/repositories/players/players.ts';
import { boundedName, type PersonSeen } from '../../store/repositories/players/sightings.ts';
import { eachChunk } from '../../store/engine/each-chunk.ts';
import { markStale, refreshStale } from '../../store/repositories/players/stale-statistics.ts';
import { readSource } from '../read-source.ts';
import { type Span, widen } from '../counting/sightings.ts';

const name = z.string().trim().min(1).transform(boundedName);
const dayMs = 86_400_000;
/** Programs write what they do not know as the year 1, or 1970. A clock may be ahead. */
const moment = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text))
  .refine((at) => at > dayMs && at < Date.now() + dayMs, {
    error: 'expected a moment after 1970 that is not in the future, or null where it is unknown',
  });
const spanFields = { firstSeenAt: moment.nullish(), lastSeenAt: moment.nullish() };
const isInOrder = ({ firstSeenAt, lastSeenAt }: z.infer<z.ZodObject<typeof spanFields>>): boolean =>
  firstSeenAt == null || lastSeenAt == null || firstSeenAt <= lastSeenAt;
const orderError = { error: 'expected a moment not before firstSeenAt', path: ['lastSeenAt'] };

const quotedDigits = { error: 'expected 17 digits, in quotes' };

const entrySchema = z
  .strictObject({
    steamId64: z
      .string(quotedDigits)
      .regex(/^[0-9]{17}$/, quotedDigits)
      .nullish(),
    battleyeGuid: z
      .string()
      .regex(/^[0-9a-f]{32}$/i, { error: 'expected 32 hex digits' })
      .toLowerCase()
      .nullish(),
    cftoolsId: z
      .string()
      .regex(/^[0-9a-f]{24}$/i, { error: 'expected 24 hex digits' })
      .toLowerCase()
      .nullish(),
    name: name.nullish(),
    aliases: z
      .array(
        z.union([
          name.transform((text) => ({ name: text, firstSeenAt: undefined, lastSeenAt: undefined })),
          z.strictObject({ name, ...spanFields }).refine(isInOrder, orderError),
        ]),
      )
      .default([]),
    stats: playerStats.partial().optional(),
    ...spanFields,
  })
  .refine(isInOrder, orderError)
  .refine((entry) => entry.steamId64 ?? entry.battleyeGuid ?? entry.cftoolsId, {
    error: 'expected at least one of steamId64, battleyeGuid, cftoolsId',
  })
  .refine(
    ({ steamId64, battleyeGuid }) =>
      steamId64 == null || battleyeGuid == null || battleyeGuidOf(steamId64) === battleyeGuid,
    { error: 'the battleyeGuid is not that of the steamId64', path: ['battleyeGuid'] },
  );

type Entry = z.infer<typeof entrySchema>;

interface PlayersFileReport {
  project: string;
  file: string;
  players: number;
  /** Number of players with figures in the file. */
  withStats: number;
}

/**
 * Imports players and figures: a JSON list of `{ steamId64?, battleyeGuid?, cftoolsId?, name?, aliases?, stats?,
 * firstSeenAt?, lastSeenAt? }`, as the contract has a player. They are added to the project's
 * other sources. Importing a file twice changes nothing.
 * @param options.project slug of the project
 * @throws SourceError with the place and expectation of every mistake (the first ten); nothing is stored
 */
export async function importPlayersFile(
  db: Database,
  options: {
    project: string;
    file: string;
    onProgress?: (progress: { done: number; total: number }) => void;
  },
): Promise<PlayersFileReport> {
  const { project, file, onProgress } = options;
  const projectId = await findProjectId(db, project);
  const entries = await readEntries(file);
  let withStats = 0;
  let done = 0;
  // In short transactions: other writers wait for each, and what is interrupted is completed by importing again.
  await eachChunk(entries, async (chunk) => {
    withStats += await writeProject(db, projectId, async (tx) => {
      const { ids, merged } = await savePeople(tx, projectId, chunk.map(personOf));
      const imported = chunk.flatMap((entry, i) => {
        const playerId = ids[i] ?? null;
        if (entry.stats === undefined || playerId === null) return [];
        return [{ entry: entryKey(entry), playerId, figures: figuresOf(entry.stats) }];
      });
      await markStale(tx, [...(await saveImportedStats(tx, projectId, imported)), ...merged]);
      return imported.length;
    });
    done += chunk.length;
    onProgress?.({ done, total: entries.length });
  });
  await refreshStale(db);
  return { project, file, players: entries.length, withStats };
}

const maxProblems = 10;
const maxFileBytes = 512 * 1024 * 1024;

async function readEntries(file: string): Promise<Entry[]> {
  return await readSource(directFiles, file, maxFileBytes, (bytes) => {
    const { success, data, error } = z
      .array(entrySchema, { error: 'expected a list of players, [{ … }, { … }] (docs/files.md shows one)' })
      .safeParse(parseJson(textOf(bytes)));
    if (success) return data;
    const problems = error.issues
      .slice(0, maxProblems)
      .map((issue) => `${placeOf(issue.path)}: ${issue.message}`);
    throw new Error(['is not a list of players:', ...problems].join('\n  '));
  });
}

function parseJson(text: string): unknown {
  if (text.startsWith('SQLite format')) {
    throw new Error(
      'is a database, and JSON was expected; "outpost import players-db" reads the players.db of a game',
    );
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

function placeOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the whole file';
  return path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
}

function personOf(entry: Entry): PersonSeen {
  const { steamId64 = null, battleyeGuid = null, cftoolsId = null, name: currentName = null } = entry;
  const names = new Map<string, Span>();
  for (const { name: alias, firstSeenAt = null, lastSeenAt = null } of entry.aliases) {
    names.set(alias, { firstSeenAt, lastSeenAt });
  }
  // A player was seen whenever one of the names was, and last under the current one.
  const seen: Span = { firstSeenAt: entry.firstSeenAt ?? null, lastSeenAt: entry.lastSeenAt ?? null };
  for (const { firstSeenAt, lastSeenAt } of names.values()) widen(seen, firstSeenAt, lastSeenAt);
  if (currentName !== null) {
    const firstSeenAt = names.get(currentName)?.firstSeenAt ?? null;
    names.set(currentName, { firstSeenAt, lastSeenAt: seen.lastSeenAt });
  }
  return { identity: { steamId64, battleyeGuid, cftoolsId }, names, currentName, ...seen };
}

/** One person has one entry, whether identified by a SteamID64 or by the GUID derived from it. */
function entryKey({ steamId64, battleyeGuid, cftoolsId }: Entry): string {
  const guid = steamId64 == null ? battleyeGuid : battleyeGuidOf(steamId64);
  return guid == null ? `cftoolsId:${cftoolsId}` : `battleyeGuid:${guid}`;
}

function figuresOf(stats: NonNullable<Entry['stats']>): Partial<Record<MetricCode, number | null>> {
  return Object.fromEntries(metricCodes.map((code) => [code, stats[metrics[code].stat] ?? null]));
}
