import type { ConformanceCase } from './case.ts';
import type { Verdict } from './runner.ts';

const marks = { passed: 'pass', failed: 'FAIL', 'not applicable': 'n/a ' } as const;
const places = { any: '', own: '', clock: ' (turned clock)' } as const;

/** Prints case by case, under the headings of the sections. */
export function createReport(out: (text: string) => void) {
  let heading = '';
  const counts = { passed: 0, failed: 0, 'not applicable': 0 };
  const failures: string[] = [];
  return {
    counts,
    add({ section, name, need }: ConformanceCase, verdict: Verdict, ms: number): void {
      if (section !== heading) out(`\n${section}`);
      heading = section;
      counts[verdict.outcome] += 1;
      const took = ms < 1_000 ? '' : ` ${(ms / 1_000).toFixed(1)} s`;
      out(`  ${marks[verdict.outcome]}  ${name}${places[need]}${took}`);
      if (verdict.outcome === 'not applicable') out(`        ${verdict.reason}`);
      if (verdict.outcome !== 'failed') return;
      const message = verdict.error.message.split('\n').join('\n        ');
      out(`        ${message}`);
      failures.push(`${section}: ${name}`);
    },
    end(seconds: number): void {
      const { passed, failed, 'not applicable': skipped } = counts;
      if (failures.length > 0) out(`\nFailed:\n${failures.map((line) => `  ${line}`).join('\n')}`);
      out(
        `\n${passed + failed + skipped} cases: ${passed} passed, ${failed} failed, ${skipped} not applicable, in ${seconds.toFixed(1)} s`,
      );
    },
  };
}
