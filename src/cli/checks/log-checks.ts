import type { FilePort } from 'game-files';
import type { ServerConfig } from '../../config/schema.ts';
import { gameOf, gamesWithLogs, noLogFormats } from '../../server/games/index.ts';
import {
  type ByteSource,
  fileNamesOf,
  formatOf,
  LocalZone,
  type LogFormat,
  namesOfFiles,
  readBlocks,
} from 'dayz-files';
import {
  findRunOffZone,
  offZoneProblem,
  offZoneRemedy,
} from '../../server/ingest/logs/reading/off-zone-logs.ts';
import { openWhole, startOf } from '../../server/ingest/logs/reading/read-log.ts';
import { newestLogs } from '../console-logs.ts';
import { count } from '../output.ts';
import type { Finding, Report } from './finding.ts';
import { limits } from '../limits.ts';

/** Such a provider lets its files be polled seldom. */
const seldomMs = 60_000;

/** Checks a folder of logs: whether the newest is one of the game, and whether its clock is in the server's zone. */
export async function checkLogs(
  folder: string,
  { game, timezone }: ServerConfig,
  port: FilePort,
  report: Report,
): Promise<Finding> {
  const known = gameOf(game);
  if (known === null || known.logs.length === 0)
    return report.wrong(
      noLogFormats(game),
      `leave logs out; logs can be read of: ${gamesWithLogs.join(', ')}`,
    );
  const { logs: formats, words } = known;
  const runFormats = formats.filter(({ holds }) => holds === 'runs');
  const entries = await port.list(folder, { matching: fileNamesOf(formats), stat: 'all' });
  const logs = newestLogs(entries, formats);
  const [newest] = logs;
  if (newest === undefined) {
    const files = namesOfFiles(runFormats, 'or');
    return report.wrong(
      `no ${files} file in this folder`,
      `${words.startLogsIn('<this folder>')}, or name the folder of its ${files} files`,
    );
  }
  const { format, name } = newest;
  const log = await openWhole(port, port.path.join(folder, name));
  const identities = entries.filter((entry) => formatOf(formats, entry.name)?.holds === 'identities').length;
  const hasIdentityFormat = formats.length > runFormats.length && format.withoutSteamIds?.test(name) !== true;
  const identityFiles = formats.filter(({ holds }) => holds === 'identities').map(({ files }) => files);
  const beside = hasIdentityFormat
    ? `, ${count(identities, 'log')} with SteamID64s (${identityFiles.join(', ')})`
    : '';
  const found = `${count(logs.length, words.log)}${beside}`;
  const header = await firstHeader(log, format, timezone);
  // It was emptied while the game was writing it.
  const isRest = header === null && (await startOf(format, log)) === 'rest';
  if (header === null && !isRest) {
    const reason = format.notThis ?? 'is no log of the game';
    return report.warning(
      `${found}; ${name} ${reason}`,
      `check that the folder is that of a server of the game "${game}"; a log that has only just started is fine`,
    );
  }
  const start = isRest ? 'has lost its start' : `started on ${header}`;
  const latest = `${found}; the latest, ${name}, ${start}`;
  const offZone = await findRunOffZone(
    logs
      .slice(0, port.pollEveryMs >= seldomMs ? limits.logsAtProvider : undefined)
      .map((each) => port.path.join(folder, each.name)),
    { formats, timezone, port },
  );
  if (offZone !== null)
    return report.warning(`${latest}; ${offZoneProblem(offZone, timezone)}`, offZoneRemedy);
  if (identities > 0 || !hasIdentityFormat) return report.good(latest);
  return report.warning(
    latest,
    `keep the ${identityFiles[0]} files in the same folder: without them few players have a SteamID64`,
  );
}

/** The header of the first run in a log; null: the log has none so far. */
async function firstHeader(log: ByteSource, format: LogFormat, timezone: string): Promise<string | null> {
  const headers: string[] = [];
  const reader = format.open({ zone: new LocalZone(timezone) });
  for await (const block of readBlocks(log)) {
    reader.read(block, (event) => {
      if (event.kind === 'run-started') headers.push(event.header);
    });
    break;
  }
  return headers[0] ?? null;
}
