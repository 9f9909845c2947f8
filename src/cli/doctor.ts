import { version } from '../process/version.ts';
import { diagnose, type DiagnoseOptions } from './checks/diagnose.ts';
import { countFindings, reportText } from './checks/report.ts';
import { FailedResult, printResult, type Output } from './output.ts';
import { showProgress } from './progress.ts';

/** Checks everything, or what can be checked without asking another machine. */
export async function doctor(output: Output, { offline = false }: { offline?: boolean }): Promise<void> {
  await report(output, { isOffline: offline });
}

/** What the doctor checks of a config without asking another machine. */
export async function checkConfig(output: Output, configFile: string | undefined): Promise<void> {
  await report(output, { isOffline: true, configFile });
}

async function report(output: Output, what: DiagnoseOptions): Promise<void> {
  const { update, end } = showProgress<string>(output, (text) => text);
  const onEnd = (done: number, total: number): void => update(`checking… ${done} of ${total}`);
  const findings = await diagnose({ ...what, onEnd });
  end();
  const counts = countFindings(findings);
  const text = reportText(findings, output.terminal ?? null);
  printResult(output, { ok: counts.wrong === 0, version, ...counts, findings }, text, true);
  if (counts.wrong > 0) throw new FailedResult();
}
