import type { Reporter, TestCase } from 'vitest/node';

/** Prints at the end which tests failed at first and succeeded when they were tried again (`--retry`): each is a fault. */
export class RepeatedTests implements Reporter {
  readonly #repeated: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if ((test.diagnostic()?.retryCount ?? 0) === 0) return;
    const errors = test.result().errors ?? [];
    const said = errors.map(({ message }) => message.split('\n')[0]).join('; ');
    this.#repeated.push(`REPEATED ${test.module.relativeModuleId} > ${test.fullName}: ${said}`);
  }

  onTestRunEnd(): void {
    for (const line of this.#repeated) process.stdout.write(`${line}\n`);
  }
}
