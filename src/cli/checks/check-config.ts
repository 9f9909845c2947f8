import type { Environment } from '../../config/environment.ts';
import { readEnvironment } from '../../config/load.ts';
import { storeReader } from '../open-store.ts';
import { count, FailedResult, printResult, type Output, type JsonOption } from '../output.ts';
import type { Finding } from './finding.ts';
import { readInstalled, sizeOf, type Installed } from './installation.ts';
import { thisMachine } from './machine.ts';
import { statusMarks } from './report.ts';
import { runSteps } from './run-checks.ts';
import { withChecks } from './table.ts';

interface Options extends JsonOption {
  offline?: boolean;
}

export async function checkConfig(output: Output, file: string | undefined, options: Options): Promise<void> {
  const environment = readEnvironment();
  const path = file ?? environment.configFile;
  const installed = readInstalled(environment, path);
  const findings = await withChecks(
    {
      command: 'check-config',
      ...installed,
      environment,
      machine: thisMachine,
      read: storeReader(environment),
      holder: Promise.resolve(undefined),
    },
    async (checks) =>
      await runSteps(checks, options.offline === true, (done, total) => {
        if (!options.json) output.err(`  ${done} of ${total} game servers queried`);
      }),
  );
  const wrong = findings.filter(({ status }) => status === 'wrong').length;
  const verdict = wrong === 0 ? 'is valid' : `has ${count(wrong, 'problem')}`;
  const lines = [`${path} ${verdict}: ${contentsOf(installed, environment)}.`, ...findings.map(lineOf)];
  printResult(output, options, { ok: wrong === 0, file: path, findings }, lines.join('\n'));
  if (wrong > 0) throw new FailedResult();
}

function contentsOf({ config, discord }: Installed, { remoteService }: Environment): string {
  if (config !== null) return sizeOf(config);
  const { statusPosts = [], leaderboardPosts = [], schedulePosts = [], recapPosts = [] } = discord ?? {};
  const { alerts = [] } = discord ?? {};
  const posts = statusPosts.length + leaderboardPosts.length + schedulePosts.length + recapPosts.length;
  return `a bot for the service at ${remoteService?.apiUrl}, ${count(posts, 'post')}, ${count(alerts.length, 'alert')}`;
}

function lineOf({ key, tried, status, found, next }: Finding): string {
  const line = `  ${statusMarks[status]} ${key}  ${tried}: ${found}`;
  return next === undefined ? line : `${line}\n      → ${next}`;
}
