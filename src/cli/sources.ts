import { basename } from 'node:path';
import { FileError, type KnownHosts, type Place, RemotePlaces } from 'game-files';
import { placeKinds } from '../config/schema/files.ts';
import { fileProblem } from '../server/files/errors.ts';
import { activeSources } from '../server/ingest/follower/sources.ts';
import type { UnreadKind } from '../server/ingest/logs/reading/unread-kinds.ts';
import {
  overviewOfSources,
  type LogOverview,
  type SourceOverview,
} from '../server/ingest/source-overview.ts';
import {
  findTrustedHost,
  howToAccept,
  trustHost,
} from '../server/store/repositories/projects/trusted-hosts.ts';
import { configuredServer } from './configured-server.ts';
import { confirm } from './confirm.ts';
import { keyAddressOf } from './known-hosts.ts';
import { limits } from './limits.ts';
import { withConfiguredStore, withNewStore, withStore } from './open-store.ts';
import { CommandFailure, count, failWithResult, grouped, printResult, type Output } from './output.ts';

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

export function logLines(logs: LogOverview): string[] {
  const { files, lines, unreadLines, unreadKinds, lastEventAt, zoneProblem, newest } = logs;
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

/** The most frequent kinds of unread lines: `120 × [TraderPlus], 3 × other`. */
export function kindsText(kinds: readonly UnreadKind[]): string {
  const shown = kinds.slice(0, limits.unreadKinds).map(({ kind, lines }) => `${grouped(lines)} × ${kind}`);
  const rest = kinds.length - shown.length;
  return [...shown, ...(rest > 0 ? [count(rest, 'more kind')] : [])].join(', ');
}

function fileLine({ readAt, report }: SourceOverview): string {
  const figures = Object.entries(report ?? {})
    .filter(([, value]) => typeof value === 'number')
    .map(([name, value]) => `${name} ${grouped(value as number)}`);
  const read = readAt === null ? 'not read yet' : `read ${timeAndAge(readAt)}`;
  return [read, ...(figures.length === 0 ? [] : [figures.join(', ')])].join(': ');
}

export async function trust(output: Output, id: string, options: { yes?: boolean }): Promise<void> {
  const { place, address } = securedPlace(id);
  const now = await shownKey(place);
  await withNewStore(async (db) => {
    const before = await findTrustedHost(db, address);
    const result = { server: id, address, before, now };
    const keys = [address, `  known by  ${before ?? 'nothing yet'}`, `  shows now ${now}`];
    if (now === before) {
      const text = [...keys, 'Nothing needs to be accepted.'].join('\n');
      printResult(output, { ...result, accepted: false }, text);
      return;
    }
    if (options.yes !== true) {
      if (!output.json) output.err(keys.join('\n'));
      await confirm(
        'Is this the key that the host announced?',
        'Nothing was accepted.',
        `${keys.join('\n')}\nIf this is the key that the host announced, add --yes.`,
      );
    }
    await trustHost(db, address, now);
    const text = [...keys, 'Accepted. A running Outpost tries it within a minute.'].join('\n');
    printResult(output, { ...result, accepted: true }, text);
  });
}

function securedPlace(id: string): { place: Place; address: string } {
  const { files } = configuredServer(id);
  if (files === undefined) throw new CommandFailure(`The files of ${id} are on this machine.`);
  const address = keyAddressOf(files);
  if (address !== null) return { place: files, address };
  throw new CommandFailure(`The files of ${id} are ${placeKinds[files.type].noKey}.`);
}

/** The fingerprint that a host shows now, or `knownAuthority`. Nothing secret is sent. */
async function shownKey(place: Place): Promise<string> {
  let shown: string | null = null;
  const knownHosts: KnownHosts = {
    howToAccept,
    find: async () => null,
    async trust(_, fingerprint) {
      shown = fingerprint;
      throw new FileError({ code: 'EREMOTE', message: 'the login ends here' });
    },
  };
  const remote = new RemotePlaces({ knownHosts });
  try {
    await remote.at(place).login();
  } catch (error) {
    if (shown === null) throw new CommandFailure(fileProblem(error), { cause: error });
  } finally {
    await remote.close();
  }
  if (shown === null) throw new CommandFailure('the host shows no key');
  return shown;
}
