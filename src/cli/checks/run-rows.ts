import { ConfigError } from '../../config/error.ts';
import { within } from '../../process/time-limit.ts';
import { SourceError } from '../../server/files/errors.ts';
import { StoreError } from '../../server/store/engine/error.ts';
import { about, inTwo, type Finding } from './finding.ts';
import { groups, type GroupedFinding, type Group, type Row } from './row.ts';

interface RunOptions {
  /** A check that takes longer is given up. */
  timeoutMs: number;
  /** Called when a check has ended. */
  onEnd?: ((done: number, total: number) => void) | undefined;
}

/**
 * Runs checks group by group, those of a group at once: a large store is read through in this thread, and must not
 * make others late. A check that hangs or throws stops no other. Never rejects.
 */
export async function runRows(
  rows: readonly Row[],
  { timeoutMs, onEnd }: RunOptions,
): Promise<GroupedFinding[]> {
  const findings: GroupedFinding[] = [];
  let done = 0;
  onEnd?.(done, rows.length);
  for (const group of Object.keys(groups) as Group[]) {
    const results = rows
      .filter((row) => row.group === group)
      .map(async (row) => {
        const found = await attempt(row, timeoutMs);
        onEnd?.(++done, rows.length);
        return found.map((finding): GroupedFinding => ({ group, ...finding }));
      });
    findings.push(...(await Promise.all(results)).flat());
  }
  return findings;
}

const expectedErrors = [ConfigError, SourceError, StoreError];

async function attempt({ subject, run }: Row, timeoutMs: number): Promise<readonly Finding[]> {
  const report = about('check', subject);
  try {
    const findings = await within(run(), timeoutMs);
    return findings === 'late' ? [report('check.late', { seconds: timeoutMs / 1000 })] : findings;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return expectedErrors.some((kind) => error instanceof kind)
      ? [report('check.refused', inTwo(message, 'follow the message, then run the check again'))]
      : [report('check.failed', { message })];
  }
}
