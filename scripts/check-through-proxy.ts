// Puts Prism, a proxy that validates against the OpenAPI document, before the real service, and walks every operation
// and every error that can be provoked through it. With `--errors` Prism answers a violation in place of the service.
// Requests that the document allows go through a proxy that validates them too; those that break it on purpose go
// through one that validates answers only, and that knows no security, since it would refuse a missing token itself. Prism is fetched by npm for this run, as the project needs it for no other.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCodes } from '../src/api/errors.ts';
import { freePort } from '../src/demo/free-port.ts';
import { createOpenApiDocument } from '../src/server/http/documentation/openapi/document.ts';
import type { JsonObject } from '../src/server/http/documentation/openapi/schemas.ts';
import { sendTo, walk, type Step, type StepAnswer } from '../test/openapi/walk.ts';
import { startWorld } from '../test/openapi/world.ts';

const prism = '@stoplight/prism-cli@5.14.2';
const isWindows = process.platform === 'win32';

interface Proxy {
  url: string;
  stop(): Promise<void>;
}

async function startProxy(document: string, upstream: string, ...options: string[]): Promise<Proxy> {
  const port = await freePort();
  const prismOptions = ['proxy', document, upstream, '--errors', '--port', String(port), ...options];
  const child = spawn('npm', ['exec', '--yes', `--package=${prism}`, '--', 'prism', ...prismOptions], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: !isWindows,
    shell: isWindows,
  });
  await listening(child);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      // The whole group: npm starts a shell, which starts Prism.
      if (isWindows) child.kill();
      else process.kill(-(child.pid as number));
      await once(child, 'close');
    },
  };
}

async function listening(child: ChildProcess): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (data) => {
      said += String(data);
      if (said.includes('Prism is listening')) resolve();
    });
    child.once('close', () => reject(new Error(`Prism ended: ${said}`)));
  });
}

function withoutSecurity({ security: _security, ...document }: JsonObject): JsonObject {
  return document;
}

function isAsExpected({ expects }: Step, { status, body }: StepAnswer): boolean {
  if (expects === 'ok') return status === 200;
  if (expects === 'not_modified') return status === 304;
  return status === errorCodes[expects] && (body as { error?: unknown }).error === expects;
}

const document = createOpenApiDocument();
const folder = await mkdtemp(join(tmpdir(), 'outpost-prism-'));
const write = async (name: string, content: object): Promise<string> => {
  const file = join(folder, name);
  await writeFile(file, JSON.stringify(content));
  return file;
};
const world = await startWorld();
const strict = await startProxy(await write('openapi.json', document), world.url);
const lenient = await startProxy(
  await write('answers.json', withoutSecurity(document)),
  world.url,
  '--validate-request',
  'false',
);
let walked = 0;
let violations = 0;
try {
  const send = (step: Step): Promise<StepAnswer> =>
    // A method that the path does not know is not in the document at all: Prism would not ask the service.
    step.expects === 'method_not_allowed'
      ? sendTo(world.url, step)
      : sendTo((step.valid ? strict : lenient).url, step);
  for await (const { step, answer } of walk(world, send)) {
    walked += 1;
    if (isAsExpected(step, answer)) continue;
    violations += 1;
    console.error(step.operation, step.expects, step.path, answer.status, JSON.stringify(answer.body));
  }
} finally {
  await strict.stop();
  await lenient.stop();
  await world.close();
  await rm(folder, { recursive: true });
}
console.log(`${walked} requests through Prism, ${violations} violations`);
process.exitCode = violations === 0 ? 0 : 1;
