import type { Command } from 'commander';
import type { DemoFacts } from '../demo/demo.ts';
import { printResult, withJson, type Output } from './output.ts';
import { untilSignal } from './start.ts';

export function addDemoCommand(program: Command, output: Output): void {
  withJson(program.command('demo'))
    .description('try everything without an account: a local Discord, simulated game servers, real logs')
    .action(async (options: { json?: boolean }) => {
      const say = options.json ? () => undefined : (text: string) => output.out(text);
      const { startDemo } = await import('../demo/demo.ts');
      const demo = await startDemo(say);
      printResult(output, options, demo.facts, demoText(demo.facts));
      await untilSignal(demo, say);
    });
}

function demoText({ pageUrl, serviceUrl, applicationId, secret, curl }: DemoFacts): string {
  return [
    '',
    `  Discord (local)   ${pageUrl}`,
    `  Service           ${serviceUrl}/v1`,
    `  application_id    ${applicationId}`,
    `  secret            ${secret}`,
    '',
    '  Try the service:',
    `  ${curl.replaceAll('\n', '\n  ')}`,
    '',
    '  Ctrl+C stops the demo and deletes its data.',
  ].join('\n');
}
