import type { FileAccess } from 'game-files';
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
import { openWhole } from '../../server/ingest/logs/following/followed-file.ts';
import { findZoneProblem } from '../../server/ingest/source-overview.ts';
import type { Reader } from '../../server/store/engine/database.ts';
import { countSharedRuns } from '../../server/store/repositories/logs/runs-of-others.ts';
import { newestLogs } from '../console-logs.ts';
import { count } from '../output.ts';
import { about, type Finding, type Report } from './finding.ts';

/** Checks whether the newest file in a folder of logs is one of the game. */
export async function checkLogs(
  folder: string,
  { game, timezone }: ServerConfig,
  files: FileAccess,
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
  const entries = await files.list(folder, { matching: fileNamesOf(formats), stat: 'all' });
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
  const log = await openWhole(files, files.path.join(folder, name));
  const identities = entries.filter((entry) => formatOf(formats, entry.name)?.holds === 'identities').length;
  const hasIdentityFormat = formats.length > runFormats.length && format.withoutSteamIds?.test(name) !== true;
  const identityFiles = formats.filter(({ holds }) => holds === 'identities').map(({ files }) => files);
  const beside = hasIdentityFormat
    ? `, ${count(identities, 'log')} with SteamID64s (${identityFiles.join(', ')})`
    : '';
  const found = `${count(logs.length, words.log)}${beside}`;
  const header = await firstHeader(log, format, timezone);
  if (header === null) {
    const reason = format.mismatch ?? 'is no log of the game';
    return report.warning(
      `${found}; ${name} ${reason}`,
      `check that the folder is that of a server of the game "${game}"; a log that has only just started is fine`,
    );
  }
  const latest = `${found}; the latest, ${name}, started on ${header}`;
  if (identities > 0 || !hasIdentityFormat) return report.good(latest);
  return report.warning(
    latest,
    `keep the ${identityFiles[0]} files in the same folder: without them few players have a SteamID64`,
  );
}

/** Checks whether the lines that were read of servers' logs are in the time zones with which they were read. */
export async function checkTimeZones(servers: readonly ServerConfig[], db: Reader): Promise<Finding[]> {
  const findings = servers.map(async ({ id, logs = '' }) => {
    const problem = await findZoneProblem(db, id);
    return problem === null ? [] : [about(id, logs).warning(...problem)];
  });
  return (await Promise.all(findings)).flat();
}

/** Names servers of which runs are counted that are another one's. */
export async function checkSharedRuns(db: Reader): Promise<Finding[]> {
  const shared = await countSharedRuns(db);
  return shared.map(({ serverId, otherId, runs }) =>
    about(`${serverId}.logs`, 'the store').wrong(
      `${count(runs, 'run')} of the server "${otherId}" ${runs === 1 ? 'is' : 'are'} counted here, too`,
      `take the logs that are not its own out of its folder. To take back what was counted: take the server out of the config, run "outpost server forget ${serverId}", and add it again`,
    ),
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
