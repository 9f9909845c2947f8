import { ConfigError } from '../../config/error.ts';
import { within } from '../../process/time-limit.ts';
import { SourceError } from '../../server/files/errors.ts';
import { StoreError } from '../../server/store/engine/error.ts';
import { about, inTwo, type Finding, type Findings } from './finding.ts';

/** The groups of the report, in its order. */
export const groups = {
  program: 'Program',
  config: 'Config',
  data: 'Data',
  service: 'Service',
  servers: 'Game servers and their files',
  discord: 'Discord',
} as const;

export type Group = keyof typeof groups;

/** One check. It may take long, or throw. */
export interface Row {
  group: Group;
  /** What is checked, for the message when it does not end: `the store`. */
  subject: string;
  /** Whether it asks nobody but this machine's disks, so that `check-config` runs it, too. */
  offline: boolean;
  run(): Promise<Findings>;
}

export interface GroupedFinding extends Finding {
  group: Group;
}

/**
 * Runs checks group by group, those of a group at once: a large store is read through in this thread, and must not
 * make others late. A check that hangs or throws stops no other. Never rejects.
 */
export async function runRows(
  rows: readonly Row[],
  timeoutMs: number,
  onEnd?: (done: number, total: number) => void,
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
        return [found].flat().map((finding): GroupedFinding => ({ group, ...finding }));
      });
    findings.push(...(await Promise.all(results)).flat());
  }
  return findings;
}

const expectedErrors = [ConfigError, SourceError, StoreError];

async function attempt({ subject, run }: Row, timeoutMs: number): Promise<Findings> {
  const report = about('check', subject);
  try {
    const findings = await within(run(), timeoutMs);
    if (findings !== 'late') return findings;
    return report.warning(
      `could not be checked: no result within ${timeoutMs / 1000} s`,
      'a disk, share or host may hang, or this machine is busy: run the check again',
    );
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (expectedErrors.some((kind) => error instanceof kind))
      return report.wrong(...inTwo(message, 'follow the message, then run the check again'));
    return report.warning(
      `could not be checked: ${message}`,
      'run the check again; if this repeats, report it with this message',
    );
  }
}
