import { basename } from 'node:path';
import { placeKinds } from '../config/schema/files.ts';
import { activeSources } from '../server/ingest/follower/sources.ts';
import {
  overviewOfSources,
  type LogOverview,
  type SourceOverview,
} from '../server/ingest/source-overview.ts';
import { withConfiguredStore, withStore } from './open-store.ts';
import { kindsText } from './unread-kinds.ts';
import { count, failWithResult, grouped, printResult, type Output } from './output.ts';

export async function showSources(output: Output): Promise<void> {
  const overview = await withConfiguredStore(
    async (db, config) => await overviewOfSources(db, activeSources(config)),
    withStore,
  );
  const text = overview.map(sourceText).join('\n') || 'The config names no logs, playersDb or ban files.';
  const result = { sources: overview.map(withTimes) };
  const failed = overview.filter(({ error }) => error !== null).length;
  if (failed === 0) return printResult(output, result, text);
  const reason = `${failed} of ${overview.length} sources cannot be read: see the lines with !`;
  failWithResult(output, result, text, reason);
}

function withTimes({ logs, readAt, place, ...source }: SourceOverview): object {
  return {
    ...source,
    place: place?.name ?? null,
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
  const { kind, id, path, place, logs, error } = source;
  const late = logs && place && placeKinds[place.type].provider?.logsLate;
  const lines = [
    ...(logs === null ? [fileLine(source)] : logLines(logs)),
    ...(late == null ? [] : [late]),
    ...(error === null ? [] : [`! ${error}`]),
  ];
  const title = `${id}  ${kinds[kind]}  ${path}${place === null ? '' : `  at ${place.name}`}`;
  return [title, ...lines.map((line) => `  ${line}`)].join('\n');
}

export function logLines({
  files,
  lines,
  unreadLines,
  unreadKinds,
  lastEventAt,
  zoneProblem,
  newest,
}: LogOverview): string[] {
  const read =
    newest === null
      ? 'no file read yet'
      : `${count(files, 'file')}; ${basename(newest.path)}: ${count(newest.position, 'byte')} read`;
  const lastEvent = lastEventAt === null ? 'unknown' : timeAndAge(lastEventAt);
  const unread = unreadKinds.length === 0 ? '' : `: ${kindsText(unreadKinds)}`;
  return [
    read,
    `last event ${lastEvent}; ${count(lines, 'line')}, ${grouped(unreadLines)} unread${unread}`,
    ...(zoneProblem === null ? [] : [`! ${zoneProblem}`]),
  ];
}

function fileLine({ readAt, report }: SourceOverview): string {
  const figures = Object.entries(report ?? {})
    .filter(([, value]) => typeof value === 'number')
    .map(([name, value]) => `${name} ${grouped(value as number)}`);
  const read = readAt === null ? 'not read yet' : `read ${timeAndAge(readAt)}`;
  return [read, ...(figures.length === 0 ? [] : [figures.join(', ')])].join(': ');
}
