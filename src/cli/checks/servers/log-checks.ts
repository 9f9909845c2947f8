import type { ServerConfig } from '../../../config/schema.ts';
import { gameOf, gamesWithLogs } from '../../../server/games/index.ts';
import { type ByteSource, readBlocks } from '../../../server/files/blocks.ts';
import type { FilePort } from '../../../server/files/file-port.ts';
import { noFormats } from '../../../server/ingest/logs/formats/log-format.ts';
import { LocalZone } from '../../../server/ingest/logs/formats/local-clock.ts';
import { fileNamesOf, formatOf, type LogFormat } from '../../../server/ingest/logs/formats/log-format.ts';
import {
  findRunOffZone,
  offZoneProblem,
  offZoneRemedy,
} from '../../../server/ingest/logs/reading/off-zone-logs.ts';
import { headOf } from '../../../server/ingest/logs/reading/read-rest.ts';
import { EventReader, openWhole } from '../../../server/ingest/logs/reading/read-to-end.ts';
import { newestLogs } from '../../log-clock.ts';
import { count } from '../../output.ts';
import { type CheckResult, good, warning, wrong } from '../finding.ts';
import { isSeldomPolled } from './newest-log.ts';

/** Of the logs at a provider that limits requests, so many are opened. */
const fewLogs = 10;

/** Checks a folder of logs: whether the newest is one of the game, and whether its clock is in the server's zone. */
export async function checkLogs(
  folder: string,
  { game, timezone }: ServerConfig,
  port: FilePort,
): Promise<CheckResult> {
  const known = gameOf(game);
  if (known === null || known.logs.length === 0) {
    return wrong(noFormats(game), `leave logs out; logs can be read of: ${gamesWithLogs.join(', ')}`);
  }
  const { logs: formats, words } = known;
  const runFormats = formats.filter(({ holds }) => holds === 'runs');
  const entries = await port.list(folder, { matching: fileNamesOf(formats), stat: 'all' });
  const logs = newestLogs(entries, formats);
  const identities = entries.filter(({ name }) => formatOf(formats, name)?.holds === 'identities').length;
  const [newest] = logs;
  if (newest === undefined) {
    const [missing] = runFormats.flatMap((one) => one.missing ?? []);
    return wrong(missing?.found ?? 'no log of the game in this folder', missing?.next ?? 'check the path');
  }
  const { format } = newest;
  const log = await openWhole(port, port.path.join(folder, newest.name));
  const header = await firstHeader(log, format, timezone);
  const hasIdentityFormat =
    formats.length > runFormats.length && format.withoutSteamIds?.test(newest.name) !== true;
  const identityFiles = formats.filter(({ holds }) => holds === 'identities').map(({ files }) => files);
  const beside = hasIdentityFormat
    ? `, ${count(identities, 'log')} with SteamID64s (${identityFiles.join(', ')})`
    : '';
  const found = `${count(logs.length, words.log)}${beside}`;
  // It was emptied while the game was writing it, and the service knows whether its run goes on.
  const isRest = header === null && format.recovery?.startsWith(...(await headOf(log))) === 'line';
  if (header === null && !isRest) {
    return warning(
      `${found}; ${newest.name} ${format.notThis ?? 'is no log of the game'}`,
      `check that the folder is that of a server of the game "${game}"; a log that has only just started is fine`,
    );
  }
  const start = isRest ? 'has lost its start' : `started on ${header}`;
  const latest = `${found}; the latest, ${newest.name}, ${start}`;
  const offZone = await findRunOffZone(
    logs.slice(0, isSeldomPolled(port) ? fewLogs : undefined).map(({ name }) => port.path.join(folder, name)),
    { formats, timezone, port },
  );
  if (offZone !== null) return warning(`${latest}; ${offZoneProblem(offZone, timezone)}`, offZoneRemedy);
  if (identities > 0 || !hasIdentityFormat) return good(latest);
  return warning(
    latest,
    `keep the ${identityFiles[0]} files in the same folder: without them few players have a SteamID64`,
  );
}

/** The header of the first run in a log; null: the log has none so far. */
async function firstHeader(log: ByteSource, format: LogFormat, timezone: string): Promise<string | null> {
  const headers: string[] = [];
  const reader = new EventReader(format, { zone: new LocalZone(timezone), state: null }, (event) => {
    if (event.kind === 'run-started') headers.push(event.header);
  });
  for await (const block of readBlocks(log)) {
    reader.read(block);
    break;
  }
  return headers[0] ?? null;
}
