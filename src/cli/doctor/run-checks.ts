import { ConfigError } from '../../config/error.ts';
import { within } from '../../process/time-limit.ts';
import { SourceError } from '../../server/files/errors.ts';
import { StoreError } from '../../server/store/engine/error.ts';
import type { Finding } from '../check-config/finding.ts';

/** The groups of the report, in its order. */
export const groups = {
  program: 'Program',
  config: 'Config',
  data: 'Data folder',
  service: 'Service',
  servers: 'Game servers and their files',
  discord: 'Discord',
} as const;

export type Group = keyof typeof groups;

/** One check. It may take long, or throw; neither stops the others. */
export interface Check {
  group: Group;
  /** What is checked, for the message when it does not end: `the store`. */
  subject: string;
  /** Default: that of `RunOptions`. */
  timeoutMs?: number;
  run(): Promise<readonly Finding[]>;
}

export interface GroupedFinding extends Finding {
  group: Group;
}

export interface RunOptions {
  /** A check that takes longer is given up. */
  timeoutMs: number;
  /** Called when a check has ended. */
  onEnd?: (done: number, total: number) => void;
}

/** Runs all checks at once. Never rejects. @returns the findings in the order of groups, then of checks */
export async function runChecks(
  checks: readonly Check[],
  { timeoutMs, onEnd }: RunOptions,
): Promise<GroupedFinding[]> {
  let done = 0;
  onEnd?.(done, checks.length);
  const results = await Promise.all(
    checks.map(async (check) => {
      const findings = await attempt(check, check.timeoutMs ?? timeoutMs);
      onEnd?.(++done, checks.length);
      return findings.map((finding): GroupedFinding => ({ group: check.group, ...finding }));
    }),
  );
  const order = Object.keys(groups);
  return results.flat().toSorted((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
}

async function attempt({ subject, run }: Check, timeoutMs: number): Promise<readonly Finding[]> {
  const about = { key: 'doctor', tried: subject };
  try {
    const findings = await within(run(), timeoutMs);
    if (findings !== 'late') return findings;
    return [
      {
        ...about,
        status: 'warning',
        found: `could not be checked: no result within ${timeoutMs / 1000} s`,
        next: 'a disk, share or host may hang, or this machine is busy: run the doctor again',
      },
    ];
  } catch (error) {
    return [{ ...about, ...failure(error) }];
  }
}

const expectedErrors = [ConfigError, SourceError, StoreError];

function failure(error: unknown): Pick<Finding, 'status' | 'found' | 'next'> {
  const message = error instanceof Error ? error.message : String(error);
  if (expectedErrors.some((kind) => error instanceof kind)) {
    return { status: 'wrong', found: message, next: 'follow the message, then run the doctor again' };
  }
  return {
    status: 'warning',
    found: `could not be checked: ${message}`,
    next: 'run the doctor again; if this repeats, report it with this message',
  };
}
