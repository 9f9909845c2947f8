import type { SourceOverview } from '../../server/ingest/source-overview.ts';
import { answerText, fileLines, logLines } from '../sources.ts';
import type { CheckResult, Finding } from './finding.ts';

/** The place of a server whose files a running service follows. */
export function followedPlace(serverId: string, { place, followed }: SourceOverview): Finding {
  return {
    key: `${serverId}.files`,
    tried: place?.name ?? '',
    status: followed?.answeredAt == null ? 'warning' : 'good',
    found: `used by the running Outpost, so not logged in a second time; ${answerText(followed)}`,
  };
}

/** What the running service has stored of a source. */
export function followedResult(source: SourceOverview): CheckResult {
  const { error, logs, followed } = source;
  const stored = `as the running Outpost has stored it; ${answerText(followed)}`;
  if (error !== null) {
    return {
      status: 'wrong',
      found: `${error} (${stored})`,
      next: 'the running Outpost tries again by itself; after a change restart it: it tries at once',
    };
  }
  const zoneProblem = logs?.zoneProblem ?? null;
  if (zoneProblem !== null) return { status: 'warning', found: zoneProblem };
  const [first = ''] = logs === null ? fileLines(source) : logLines(logs, true);
  const status = logs !== null && logs.newest === null ? 'warning' : 'good';
  return { status, found: `${first} (${stored})` };
}
