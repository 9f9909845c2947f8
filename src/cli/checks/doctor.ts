import { version } from '../../process/version.ts';
import { FailedResult, printResult, type Output, type JsonOption } from '../output.ts';
import { diagnose } from './diagnose.ts';
import { countFindings, reportText } from './report.ts';

export async function doctor(output: Output, options: JsonOption): Promise<void> {
  const progress = options.json ? undefined : output.progress;
  const findings = await diagnose({ onEnd: (done, total) => progress?.(`checking… ${done} of ${total}`) });
  progress?.('');
  const counts = countFindings(findings);
  const text = reportText(findings, output.terminal ?? null);
  const result = { ok: counts.wrong === 0, version, ...counts, findings };
  printResult(output, options, result, text, true);
  if (counts.wrong > 0) throw new FailedResult();
}
