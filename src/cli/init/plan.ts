import { type FilePort, hostAndPort } from 'game-files';
import { dayz } from '../../server/games/dayz/facts/index.ts';
import { readMessagesFile } from '../../server/ingest/schedules/read-messages-file.ts';
import { isOnConsole } from '../console-logs.ts';
import type { FoundServer } from '../dayz/find-servers.ts';
import type { FoundServers, Known, PlannedServer, World } from './answers.ts';
import { deniedText } from './find.ts';
import { tryQueryPort, type TriedAddress } from './query-port.ts';

/** Queries the servers that were found or named, and reports each. */
export async function planServers(answers: Known, world: World): Promise<PlannedServer[]> {
  const planned: PlannedServer[] = [];
  for (const group of answers.found ?? [])
    for (const server of group.servers) planned.push(await planServer(server, group, answers, world));
  return planned;
}

/** Where a found server answers: under the address that was named, else where its files are. */
export async function triedAddress(
  { gamePort, queryPort }: FoundServer,
  hosts: readonly string[],
  { address = null, queryPort: given = null }: Known,
): Promise<TriedAddress> {
  const port = address?.port ?? gamePort;
  return await tryQueryPort(address === null ? hosts : [address.host], port, given ?? queryPort);
}

async function planServer(
  found: FoundServer,
  { files, place, keyFile, hosts, state }: FoundServers,
  answers: Known,
  { report, warn }: World,
): Promise<PlannedServer> {
  const { name, isNamed, logs, playersDb, messagesFile, banFiles } = found;
  const tried =
    state === undefined
      ? await triedAddress(found, hosts, answers)
      : { host: hosts[0] as string, gamePort: found.gamePort, queryPort: 0, answer: null };
  const answer = state?.status === 'ONLINE' ? state : tried.answer;
  const isMute = state !== undefined || (answer === null && (await isOnConsole(dayz.type, logs, files)));
  const at = hostAndPort({ host: tried.host, port: tried.queryPort });
  const planned: PlannedServer = {
    name,
    isNamed,
    host: tried.host,
    port: tried.gamePort,
    queryPort: isMute ? null : tried.queryPort,
    place,
    keyFile,
    logs,
    playersDb,
    messagesFile: messagesFile && (await ifItRestarts(messagesFile, files)),
    banFiles,
  };
  let status = `no answer at ${at}`;
  if (answer !== null) status = answerText(answer);
  else if (state !== undefined) status = 'does not run, says its host';
  else if (isMute) status = 'unknown: a server on a console answers no query';
  report(summary(found, planned, status, files));
  if (found.denied.length > 0) warn(deniedText(found.denied));
  return planned;
}

function summary(
  { root, configFile }: FoundServer,
  { name, logs, playersDb, messagesFile, banFiles }: PlannedServer,
  status: string,
  files: FilePort,
): string {
  if (root === null) return `${name}: ${status}`;
  const below = (path: string | null): string => {
    if (path === null) return 'not found';
    const relative = files.path.relative(root, path);
    return relative === '' || relative.startsWith('..') ? path : relative;
  };
  const rows = {
    folder: root,
    config: below(configFile),
    status,
    logs: below(logs),
    characters: below(playersDb),
    restarts: below(messagesFile),
    ...(banFiles.length > 0 && { bans: banFiles.map(({ file }) => below(file)).join(', ') }),
  };
  return [name, ...Object.entries(rows).map(([row, text]) => `  ${row.padEnd(10)}  ${text}`)].join('\n');
}

/** One line for the owner. */
function answerText({ players, maxPlayers, map }: NonNullable<TriedAddress['answer']>): string {
  return `${players ?? '?'} of ${maxPlayers ?? '?'} players${map === null ? '' : ` on ${map}`}`;
}

async function ifItRestarts(file: string, files: FilePort): Promise<string | null> {
  const messages = await readMessagesFile(dayz.type, file, files).catch(() => null);
  return messages?.restartMinutes == null ? null : file;
}
