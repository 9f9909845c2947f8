import type { ByteSource } from '../../../files/blocks.ts';
import type { Database } from '../../../store/engine/database.ts';
import type { RunOutcome } from '../../../store/repositories/logs/run-copies.ts';
import { findOwnServer } from '../../../store/repositories/projects/servers.ts';
import { eventsFormat } from '../formats/events-format.ts';
import { LocalZone } from '../formats/local-clock.ts';
import { readToEnd } from '../reading/read-to-end.ts';
import { openImporter, untilListStays } from './importer.ts';

interface EventsImport {
  serverId: string;
  /** The file's name in messages. */
  name: string;
  source: ByteSource;
  /** Called with the bytes and lines of each block that is read. */
  onBlock?: ((bytes: number, lines: number) => void) | undefined;
  now?: () => number;
}

interface EventsReport {
  serverId: string;
  file: string;
  events: number;
  runs: Record<RunOutcome, number>;
  /** Number of players in the file. */
  players: number;
}

/**
 * Imports the events of one server, one line of NDJSON each. The file is imported completely or, if any line is
 * invalid, not at all. Importing it again changes nothing.
 * @throws SourceError that lists the invalid lines; StoreError when there is no such active server, or another
 * server of the project has a run of the file
 */
export async function importEvents(
  db: Database,
  { serverId, name, source, onBlock, now }: EventsImport,
): Promise<EventsReport> {
  return await untilListStays(async () => {
    const { projectId } = await findOwnServer(db, serverId);
    const importer = await openImporter(db, { serverId, projectId, timezone: null, now });
    // Moments are not local times.
    const counter = importer.counterOf(eventsFormat(name), new LocalZone('UTC'));
    await readToEnd(source, counter, { onBlock });
    const runs = await importer.add(name, counter);
    const players = await importer.finish();
    return { serverId, file: name, events: counter.lines, runs, players };
  });
}
