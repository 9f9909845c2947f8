import type { DemoFacts } from '../demo/demo.ts';
import { printResult, type Output } from './output.ts';
import { untilSignal } from './start.ts';

export async function runDemo(output: Output): Promise<void> {
  const say = output.json ? () => undefined : (text: string) => output.out(text);
  const { startDemo } = await import('../demo/demo.ts');
  const demo = await startDemo(say);
  printResult(output, demo.facts, demoText(demo.facts));
  await untilSignal(demo, say);
}

function demoText({ pageUrl, publicUrl, serviceUrl, applicationId, secret, requests }: DemoFacts): string {
  return [
    '',
    `  Discord (local)   ${pageUrl}`,
    `  Public page       ${publicUrl}`,
    `  Service           ${serviceUrl}/v1`,
    `  Its operations    ${serviceUrl}/docs`,
    `  application_id    ${applicationId}`,
    `  secret            ${secret}`,
    '',
    '  Open the first address: the bot posts there, and answers what you type after a /.',
    '',
    process.platform === 'win32' ? '  Try the service, in PowerShell:' : '  Try the service:',
    `  ${requests.replaceAll('\n', '\n  ')}`,
    '',
    '  Ctrl+C stops the demo and deletes its data.',
  ].join('\n');
}
