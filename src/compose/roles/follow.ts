import type { Core } from '../core.ts';
import { type SourceSchedule, startSources } from '../source-schedule.ts';

/** The role `follow`: reads the files of game servers and writes ban files. */
export function startFollow({ data, config, log, leases, closers }: Core): SourceSchedule {
  const shared = data.writer.shared === undefined ? null : leases;
  const sources = startSources(data.location, config, log, shared);
  closers.push(sources.stop);
  return sources;
}
