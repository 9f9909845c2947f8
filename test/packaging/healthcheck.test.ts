import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../packaging/container/healthcheck.js', import.meta.url));
let server: Server | undefined;
afterEach(() => server?.close());

/** The port of a service that answers `/readyz` so. */
async function serviceThatAnswers(status: number): Promise<string> {
  server = createServer((request, response) => {
    response.writeHead(request.url === '/readyz' ? status : 404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return String((server.address() as AddressInfo).port);
}

async function healthcheck(env: Record<string, string>): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [script], { env });
  let said = '';
  child.stderr.on('data', (data) => (said += String(data)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}

it('is well when the service is ready', async () => {
  const OUTPOST_HTTP_PORT = await serviceThatAnswers(200);
  expect(await healthcheck({ OUTPOST_HTTP_PORT })).toEqual({ code: 0, said: '' });
});

it('is not well when the service is not ready, or does not answer, and says which', async () => {
  const OUTPOST_HTTP_PORT = await serviceThatAnswers(503);
  expect(await healthcheck({ OUTPOST_HTTP_PORT })).toEqual({ code: 1, said: 'not ready: 503\n' });
  server?.close();
  expect(await healthcheck({ OUTPOST_HTTP_PORT })).toMatchObject({ code: 1 });
});

it('is well for a bot on a remote service, which listens nowhere', async () => {
  expect(
    await healthcheck({ OUTPOST_API_URL: 'https://api.example.org', OUTPOST_HTTP_PORT: '1' }),
  ).toMatchObject({
    code: 0,
  });
});
