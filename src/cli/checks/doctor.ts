import { version } from '../../process/version.ts';
import { FailedResult, printResult, type JsonOption, type Output } from '../output.ts';
import { diagnose } from './diagnose.ts';
import { countFindings, reportText } from './report.ts';

interface DoctorOptions extends JsonOption {
  offline?: boolean;
}

/** Checks everything, or what can be checked without asking another machine. */
export async function doctor(output: Output, options: DoctorOptions): Promise<void> {
  await report(output, { isOffline: options.offline === true }, options);
}

/** What the doctor checks of a config without asking another machine. */
export async function checkConfig(
  output: Output,
  configFile: string | undefined,
  options: JsonOption,
): Promise<void> {
  await report(output, { isOffline: true, configFile }, options);
}

async function report(
  output: Output,
  what: { isOffline: boolean; configFile?: string | undefined },
  options: JsonOption,
): Promise<void> {
  const progress = options.json ? undefined : output.progress;
  const findings = await diagnose({
    ...what,
    onEnd: (done, total) => progress?.(`checking… ${done} of ${total}`),
  });
  progress?.('');
  const counts = countFindings(findings);
  const text = reportText(findings, output.terminal ?? null);
  printResult(output, options, { ok: counts.wrong === 0, version, ...counts, findings }, text, true);
  if (counts.wrong > 0) throw new FailedResult();
}
