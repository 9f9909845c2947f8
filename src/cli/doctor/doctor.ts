import type { Command } from 'commander';
import { version } from '../../process/version.ts';
import { FailedResult, printResult, withJson, type Output } from '../output.ts';
import { diagnose } from './diagnose.ts';
import { countFindings, reportText } from './report.ts';

export function addDoctorCommand(program: Command, output: Output): void {
  withJson(program.command('doctor'))
    .description(
      'find what is wrong with this installation, and how to fix it: the config and everything that it names, the ' +
        'data folder, the running service, Discord. Changes nothing; exit code 1 means problems',
    )
    .action(async (options: { json?: boolean }) => {
      const progress = options.json ? undefined : output.progress;
      const findings = await diagnose({
        onEnd: (done, total) => progress?.(`checking… ${done} of ${total}`),
      });
      progress?.('');
      const counts = countFindings(findings);
      const text = reportText(findings, output.terminal ?? null);
      const result = { ok: counts.wrong === 0, version, ...counts, findings };
      printResult(output, options, result, text);
      if (counts.wrong > 0) throw new FailedResult();
    });
}
