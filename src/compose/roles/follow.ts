import { inheritedEnvironment } from '../../config/load.ts';
import { entryModule } from '../../process/own-files.ts';
import { Follower } from '../../server/ingest/follower/follower.ts';
import { activeSources } from '../../server/ingest/follower/sources.ts';
import type { Core } from '../core.ts';

/** The role `follow`: reads the files of game servers. */
export function startFollow({ data, config, log, leases, closers }: Core): Follower {
  const follower = new Follower({
    module: entryModule('compose/follow-process'),
    environment: inheritedEnvironment(),
    store: data.location,
    sources: () => activeSources(config()),
    log,
    // Without a shared store this process is the only one.
    leases: data.writer.shared === undefined ? null : leases,
  });
  closers.push(() => follower.stop());
  return follower;
}
