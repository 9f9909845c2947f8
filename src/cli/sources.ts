import { basename } from 'node:path';
import { readEnvironment } from '../config/load.ts';
import { placeKinds } from '../config/schema/files.ts';
import { gameOf, usualGame } from '../server/games/index.ts';
import {
  overviewOfSources,
  type LogOverview,
  type SourceOverview,
} from '../server/ingest/source-overview.ts';
import { missingText } from '../server/ingest/logs/reading/missing-lines.ts';
import { knownHostsInStore } from '../server/store/repositories/projects/trusted-hosts.ts';
import type { Database } from '../server/store/engine/database.ts';
import type { Config } from '../config/schema.ts';
import { checkRunsCountedTwice } from './checks/stored-ids.ts';
import type { Finding } from './checks/finding.ts';
import { checkSharedFiles } from './checks/shared-files.ts';
import { withSourceFiles } from './source-files.ts';
import { kindsText } from './unread-kinds.ts';
import { activeSources, type Sources } from '../server/ingest/follower/sources.ts';
import { withConfiguredStore, withStore } from './open-store.ts';
import { count, failWithResult, grouped, printResult, type Output, type JsonOption } from './output.ts';

export async function showSources(output: Output, options: JsonOption): Promise<void> {
  const { overview, countedTwice, games } = await withConfiguredStore(
    readEnvironment(),
    async (db, config) => {
      const sources = activeSources(config);
      const games = new Map(sources.servers.map(({ id, game }) => [id, game]));
      return { ...(await readSources(db, config, sources)), games };
    },
    withStore,
  );
  const lines = countedTwice.map(({ key, tried, found, next }) => `! ${key} ${tried}: ${found}; ${next}`);
  const text =
    overview.length === 0
      ? 'The config names no logs, playersDb or ban files.'
      : [listed(overview, games), ...lines].join('\n');
  const result = { sources: overview.map(withTimes), countedTwice };
  const failed = overview.filter(({ error }) => error !== null).length;
  if (failed > 0) {
    const reason = `${failed} of ${overview.length} sources cannot be read or written: see the lines with !`;
    failWithResult(output, options, result, text, reason);
  }
  if (countedTwice.length > 0)
    failWithResult(output, options, result, text, 'servers count the same files: see the lines with !');
  printResult(output, options, result, text);
}

async function readSources(
  db: Database,
  config: Config,
  sources: Sources,
): Promise<{ overview: SourceOverview[]; countedTwice: Finding[] }> {
  const knownHosts = knownHostsInStore(db, Date.now);
  return await withSourceFiles(sources, knownHosts, async (files) => ({
    overview: await overviewOfSources(db, sources, files),
    countedTwice: [...(await checkSharedFiles(config, files)), ...(await checkRunsCountedTwice(config, db))],
  }));
}

function withTimes({ logs, readAt, place, followed, ...source }: SourceOverview): object {
  return {
    ...source,
    place: place?.name ?? null,
    followed: followed === null ? null : { answeredAt: timeOf(followed.answeredAt) },
    readAt: timeOf(readAt),
    logs: logs === null ? null : { ...logs, lastEventAt: timeOf(logs.lastEventAt) },
  };
}

const timeOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
/** `2026-11-20T18:00:00.000Z, 12 minutes ago` */
function timeAndAge(at: number): string {
  const minutes = Math.floor((Date.now() - at) / 60_000);
  const [figure, unit]: [number, string] =
    minutes < 120 ? [minutes, 'minute'] : minutes < 2880 ? [minutes / 60, 'hour'] : [minutes / 1440, 'day'];
  const age = Math.floor(figure);
  // The log's clock may be ahead.
  if (minutes < 1) return `${timeOf(at)}${minutes < 0 ? '' : ', just now'}`;
  return `${timeOf(at)}, ${count(age, unit)} ago`;
}

/** What a source is. @param type GameDig's, of its server */
function wordOf(kind: SourceOverview['kind'], type: string | undefined): string {
  const { words, logs, characterFile } = (type === undefined ? null : gameOf(type)) ?? usualGame;
  const identityFiles = logs.filter(({ holds }) => holds === 'identities').map(({ files }) => files);
  const kinds = {
    logs: `${words.log}s`,
    identities: identityFiles.join(', '),
    playersDb: characterFile?.name ?? 'characters',
    bans: 'ban file',
    messages: 'messages.xml',
  } as const satisfies Record<SourceOverview['kind'], string>;
  return kinds[kind];
}

/** @param games GameDig's types, by the id of the server */
function listed(overview: readonly SourceOverview[], games: ReadonlyMap<string, string | undefined>): string {
  return overview
    .flatMap((source) => [
      `${source.id}  ${wordOf(source.kind, games.get(source.id))}  ${source.path}${source.place === null ? '' : `  at ${source.place.name}`}`,
      ...(source.logs === null ? fileLines(source) : logLines(source.logs, source.followed !== null)).map(
        (line) => `  ${line}`,
      ),
      ...(source.logs === null ? [] : lateLines(source.place)),
      ...(source.followed === null
        ? []
        : [`  as the running Outpost has stored it; ${answerText(source.followed)}`]),
      ...(source.error === null ? [] : [`  ! ${source.error}`]),
    ])
    .join('\n');
}

function lateLines(place: SourceOverview['place']): string[] {
  const late = place === null ? undefined : placeKinds[place.type].provider?.logsLate;
  return late === undefined ? [] : [`  ${late}`];
}

/** When the host of a source that a running service follows answered last. */
function answerText(followed: SourceOverview['followed']): string {
  const answeredAt = followed?.answeredAt ?? null;
  return answeredAt === null
    ? 'the host has not answered it yet'
    : `the host last answered it ${timeAndAge(answeredAt)}`;
}

/**
 * The first line says how far they have been read.
 * @param isStored whether files that have not been read yet are unknown
 */
export function logLines(
  {
    files,
    lines,
    unreadLines,
    unreadKinds,
    lastEventAt,
    lagBytes,
    staleFiles,
    missing,
    zoneProblem,
    newest,
  }: LogOverview,
  isStored: boolean,
): string[] {
  const toRead = lagBytes === 0 ? 'all read' : `${count(lagBytes, 'byte')} still to be read`;
  const read =
    newest === null
      ? `no file${isStored ? ' read yet' : ''}`
      : `${basename(newest.path)}: ${grouped(newest.position)} of ${count(newest.size, 'byte')} read`;
  return [
    `${read}; ${count(files, 'file')}${isStored ? ' seen' : ''}, ${toRead}`,
    ...(staleFiles === 0
      ? []
      : [
          `${grouped(staleFiles)} of them are being read again: an earlier version of Outpost, or another time zone, was used for them`,
        ]),
    `last event ${lastEventAt === null ? 'unknown' : timeAndAge(lastEventAt)}; ${count(lines, 'line')}, ${grouped(unreadLines)} unread${unreadKinds.length === 0 ? '' : `: ${kindsText(unreadKinds)}`}`,
    ...missing.map(({ path, ...lines }) => `! ${basename(path)}: ${missingText(lines)}`),
    ...(zoneProblem === null ? [] : [`! ${zoneProblem}`]),
  ];
}

function fileLines({ size, readAt, report, followed }: SourceOverview): string[] {
  const figures = Object.entries(report ?? {})
    .filter(([, value]) => typeof value === 'number')
    .map(([name, value]) => `${name} ${grouped(value as number)}`);
  return [
    `${followed === null ? `${size === null ? 'not there' : count(size, 'byte')}, ` : ''}${readAt === null ? 'not read yet' : `read ${timeAndAge(readAt)}`}` +
      (figures.length === 0 ? '' : `: ${figures.join(', ')}`),
  ];
}
