import type { SourceOverview } from '../../../server/ingest/source-overview.ts';
import { answerText, fileLines, logLines } from '../../sources.ts';
import { about, type CheckResult, type Finding, good, warning, wrong } from '../finding.ts';

/** The place of a server whose files a running service follows. */
export function followedPlace(serverId: string, { place, followed }: SourceOverview): Finding {
  return about(`${serverId}.files`, place?.name ?? '')[followed?.answeredAt == null ? 'warning' : 'good'](
    `used by the running Outpost, so not logged in a second time; ${answerText(followed)}`,
  );
}

/** What the running service has stored of a source. */
export function followedResult(source: SourceOverview): CheckResult {
  const { error, logs, followed } = source;
  const stored = `as the running Outpost has stored it; ${answerText(followed)}`;
  if (error !== null) {
    return wrong(
      `${error} (${stored})`,
      'the running Outpost tries again by itself; after a change restart it: it tries at once',
    );
  }
  const zoneProblem = logs?.zoneProblem ?? null;
  if (zoneProblem !== null) return warning(zoneProblem);
  const [first = ''] = logs === null ? fileLines(source) : logLines(logs, true);
  return (logs !== null && logs.newest === null ? warning : good)(`${first} (${stored})`);
}
