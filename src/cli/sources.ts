import { basename } from 'node:path';
import { placeKinds } from '../config/schema/files.ts';
import { activeSources } from '../server/ingest/follower/sources.ts';
import {
  overviewOfSources,
  type LogOverview,
  type SourceOverview,
} from '../server/ingest/source-overview.ts';
import { knownHostsInStore } from '../server/store/repositories/projects/trusted-hosts.ts';
import { withConfiguredStore, withStore } from './open-store.ts';
import { count, failWithResult, grouped, printResult, type Output } from './output.ts';
import { withSourceFiles } from './source-files.ts';
import { kindsText } from './unread-kinds.ts';

export async function showSources(output: Output): Promise<void> {
  const overview = await withConfiguredStore(async (db, config) => {
    const sources = activeSources(config);
    return await withSourceFiles(
      sources,
      knownHostsInStore(db, Date.now),
      async (files) => await overviewOfSources(db, sources, files),
    );
  }, withStore);
  const text = overview.map(sourceText).join('\n') || 'The config names no logs, playersDb or ban files.';
  const result = { sources: overview.map(withTimes) };
  const failed = overview.filter(({ error }) => error !== null).length;
  if (failed === 0) return printResult(output, result, text);
  const reason = `${failed} of ${overview.length} sources cannot be read: see the lines with !`;
  failWithResult(output, result, text, reason);
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
  const [age, unit]: [number, string] =
    minutes < 120 ? [minutes, 'minute'] : minutes < 2880 ? [minutes / 60, 'hour'] : [minutes / 1440, 'day'];
  // The log's clock may be ahead.
  return minutes < 1 ? `${timeOf(at)}` : `${timeOf(at)}, ${count(Math.floor(age), unit)} ago`;
}

/** What a source is. */
const kinds: Readonly<Record<SourceOverview['kind'], string>> = {
  logs: 'admin logs',
  identities: 'logs with SteamID64s',
  playersDb: 'characters',
  bans: 'ban file',
  messages: 'messages.xml',
};

function sourceText(source: SourceOverview): string {
  const { kind, id, path, place, logs, followed, error } = source;
  const late = logs && place && placeKinds[place.type].provider?.logsLate;
  const answer =
    followed?.answeredAt == null
      ? 'has not answered it yet'
      : `last answered it ${timeAndAge(followed.answeredAt)}`;
  const lines = [
    ...(logs === null ? [fileLine(source)] : logLines(logs, followed !== null)),
    ...(late == null ? [] : [late]),
    ...(followed === null ? [] : [`as the running Outpost has stored it; the host ${answer}`]),
    ...(error === null ? [] : [`! ${error}`]),
  ];
  const title = `${id}  ${kinds[kind]}  ${path}${place === null ? '' : `  at ${place.name}`}`;
  return [title, ...lines.map((line) => `  ${line}`)].join('\n');
}

/**
 * The first line says how far they have been read.
 * @param isStored whether files that have not been read yet are unknown
 */
export function logLines(
  { files, lines, unreadLines, unreadKinds, lastEventAt, lagBytes, zoneProblem, newest }: LogOverview,
  isStored: boolean,
): string[] {
  const toRead = lagBytes === 0 ? 'all read' : `${count(lagBytes, 'byte')} still to be read`;
  const read =
    newest === null
      ? `no file${isStored ? ' read yet' : ''}`
      : `${basename(newest.path)}: ${grouped(newest.position)} of ${count(newest.size, 'byte')} read`;
  const lastEvent = lastEventAt === null ? 'unknown' : timeAndAge(lastEventAt);
  const unread = unreadKinds.length === 0 ? '' : `: ${kindsText(unreadKinds)}`;
  return [
    `${read}; ${count(files, 'file')}${isStored ? ' seen' : ''}, ${toRead}`,
    `last event ${lastEvent}; ${count(lines, 'line')}, ${grouped(unreadLines)} unread${unread}`,
    ...(zoneProblem === null ? [] : [`! ${zoneProblem}`]),
  ];
}

function fileLine({ size, readAt, report, followed }: SourceOverview): string {
  const figures = Object.entries(report ?? {})
    .filter(([, value]) => typeof value === 'number')
    .map(([name, value]) => `${name} ${grouped(value as number)}`);
  const there = size === null ? 'not there, ' : `${count(size, 'byte')}, `;
  const read = readAt === null ? 'not read yet' : `read ${timeAndAge(readAt)}`;
  return `${followed === null ? there : ''}${read}${figures.length === 0 ? '' : `: ${figures.join(', ')}`}`;
}
