import { ConfigError } from '../../config/error.ts';
import { within } from '../../process/time-limit.ts';
import { SourceError } from '../../server/files/errors.ts';
import { StoreError } from '../../server/store/engine/error.ts';
import { about, type CheckResult, type Finding, warning, wrong } from './finding.ts';

/** The groups of the doctor's report, in its order. */
export const groups = {
  program: 'Program',
  config: 'Config',
  data: 'Data folder',
  service: 'Service',
  servers: 'Game servers and their files',
  discord: 'Discord',
} as const;

export type Group = keyof typeof groups;

/** The steps of `check-config`, one after another. */
const steps = ['projects', 'files', 'store', 'config', 'network', 'queries'] as const;

/** One check, and the commands that run it. It may take long, or throw. */
export interface Check {
  /** Where the doctor reports it; left out: the doctor does not run it. */
  doctor?: Group;
  /** When `check-config` runs it; left out: it does not. */
  checkConfig?: (typeof steps)[number];
  /** It asks another machine or a game server, so `check-config --offline` leaves it out. */
  isOnline?: boolean;
  /** What is checked, for the message when it does not end: `the store`. */
  subject: string;
  /** Default: that of `RunOptions`. */
  timeoutMs?: number;
  run(): Promise<readonly Finding[]>;
}

export interface GroupedFinding extends Finding {
  group: Group;
}

interface RunOptions {
  /** A check that takes longer is given up. */
  timeoutMs: number;
  /** Called when a check has ended. */
  onEnd?: ((done: number, total: number) => void) | undefined;
}

/**
 * Runs all checks of the doctor at once. A check that hangs or throws stops no other. Never rejects.
 * @returns the findings in the order of groups, then of checks
 */
export async function runChecks(
  checks: readonly Check[],
  { timeoutMs, onEnd }: RunOptions,
): Promise<GroupedFinding[]> {
  const own = checks.flatMap((check) =>
    check.doctor === undefined ? [] : [{ ...check, group: check.doctor }],
  );
  let done = 0;
  onEnd?.(done, own.length);
  const results = await Promise.all(
    own.map(async ({ group, ...check }) => {
      const findings = await attempt(check, check.timeoutMs ?? timeoutMs);
      onEnd?.(++done, own.length);
      return findings.map((finding): GroupedFinding => ({ group, ...finding }));
    }),
  );
  const order = Object.keys(groups);
  return results.flat().toSorted((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
}

/**
 * Runs the checks of `check-config`, those of a step at once.
 * @param onQuery called before the first game server is queried, and when one has answered or not
 * @throws what a check throws
 */
export async function runSteps(
  checks: readonly Check[],
  isOffline: boolean,
  onQuery: (done: number, total: number) => void,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const step of steps) {
    const own = checks.filter(
      ({ checkConfig, isOnline }) => checkConfig === step && !(isOffline && isOnline === true),
    );
    let done = 0;
    const report = (): void => {
      if (step === 'queries' && own.length > 0) onQuery(done++, own.length);
    };
    report();
    const results = own.map(async ({ run }) => {
      const found = await run();
      report();
      return found;
    });
    findings.push(...(await Promise.all(results)).flat());
  }
  return findings;
}

async function attempt({ subject, run }: Check, timeoutMs: number): Promise<readonly Finding[]> {
  const check = about('doctor', subject);
  try {
    const findings = await within(run(), timeoutMs);
    if (findings !== 'late') return findings;
    return [
      check.warning(
        `could not be checked: no result within ${timeoutMs / 1000} s`,
        'a disk, share or host may hang, or this machine is busy: run the doctor again',
      ),
    ];
  } catch (error) {
    return [check.is(failure(error))];
  }
}

const expectedErrors = [ConfigError, SourceError, StoreError];

function failure(error: unknown): CheckResult {
  const message = error instanceof Error ? error.message : String(error);
  if (expectedErrors.some((kind) => error instanceof kind))
    return wrong(message, 'follow the message, then run the doctor again');
  return warning(
    `could not be checked: ${message}`,
    'run the doctor again; if this repeats, report it with this message',
  );
}
