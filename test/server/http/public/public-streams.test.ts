import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { PublicParts } from '../../../../src/server/http/public/public-parts.ts';
import type { StreamBounds } from '../../../../src/server/http/public/public-streams.ts';
import { northwood } from '../../../harness/northwood.ts';
import { startTestService, type TestService } from '../../../harness/service.ts';

/** A service with one stream, and what goes on in it. */
async function start(bounds: Partial<StreamBounds> = {}): Promise<{
  service: TestService;
  readers: Set<(text: string) => void>;
  close: () => Promise<void>;
}> {
  const readers = new Set<(text: string) => void>();
  const everyone: PublicParts = {
    routes: [],
    revision: () => 0,
    streams: [
      {
        url: '/changes',
        operation: 'changes',
        open: ({ query }, send) => {
          if (query === 'nowhere') return Promise.resolve(null);
          readers.add(send);
          send('data: first\n\n');
          return Promise.resolve(() => void readers.delete(send));
        },
      },
    ],
  };
  const service = await startTestService(northwood(), { parts: { everyone, bounds } });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => await (closing ??= service.close());
  onTestFinished(close);
  return { service, readers, close };
}

const opened = (service: TestService): Promise<Response> => fetch(`${service.url}/changes`);

it('sends what comes at once, and something while nothing comes', async () => {
  const { service, readers } = await start({ keepAliveMs: 20 });
  const answer = await opened(service);
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const until = async (part: string): Promise<void> => {
    while (!text.includes(part)) text += (await reader?.read())?.value ?? '';
  };
  await until('retry: 3000\n\ndata: first\n\n');
  await until(':\n\n');
  for (const send of readers) send('data: second\n\n');
  await until('data: second\n\n');
  await reader?.cancel();
  await expect.poll(() => readers.size).toBe(0);
});

it('has the headers of every answer', async () => {
  const { service } = await start();
  const answer = await fetch(`${service.url}/changes`, { headers: { 'X-Request-Id': 'mine-1' } });
  expect(answer.headers.get('x-request-id')).toBe('mine-1');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  await answer.body?.cancel();
});

it('has a bound for all streams together, and counts none that does not exist', async () => {
  const { service } = await start({ maxStreams: 2 });
  for (let index = 0; index < 5; index += 1)
    expect((await service.send('/changes?nowhere')).status).toBe(404);
  const first = await opened(service);
  await opened(service);
  const refused = await service.send('/changes');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
  await first.body?.cancel();
  await expect.poll(async () => (await opened(service)).status).toBe(200);
});

it('drops a reader who reads nothing', async () => {
  const { service, readers } = await start();
  const { hostname, port } = new URL(service.url);
  const deaf = connect(Number(port), hostname);
  onTestFinished(() => void deaf.destroy());
  deaf.on('error', () => undefined);
  deaf.pause();
  deaf.write(`GET /changes HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
  await expect.poll(() => readers.size).toBe(1);
  const event = `data: ${'x'.repeat(1_000_000)}\n\n`;
  await expect
    .poll(() => {
      for (const send of readers) send(event);
      return readers.size;
    })
    .toBe(0);
});

it('ends all streams when the service closes', async () => {
  const { service, close } = await start();
  const answer = await opened(service);
  const text = answer.text();
  await close();
  expect(await text).toContain('data: first');
});
