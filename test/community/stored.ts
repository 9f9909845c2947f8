import pino from 'pino';
import { storedProject, type StoredProject } from '../../src/community/stored-project.ts';
import type { Config } from '../../src/config/schema.ts';
import type { Clock } from '../../src/process/clock.ts';
import type { Database, Reader } from '../../src/server/store/engine/database.ts';
import { createTestClock } from '../harness/clock.ts';

/** The first project of a config, in a store that is read and written. */
export function storedFrom(
  config: () => Config,
  db: Database | Reader,
  clock: Clock = createTestClock(),
): StoredProject {
  const log = pino({ level: 'silent' });
  const sources = { config, reader: db, writer: db as Database, revision: () => 0, clock, log };
  return storedProject(config().projects[0]!.slug, sources);
}
