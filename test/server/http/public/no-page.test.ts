import { expect, it, onTestFinished } from 'vitest';
import { northwood } from '../../../harness/northwood.ts';
import { startTestService } from '../../../harness/service.ts';
import { ask } from '../../../harness/wire.ts';

async function visit(headers: Record<string, string>, path = '/') {
  const service = await startTestService(northwood());
  onTestFinished(() => service.close());
  const { status, headers: got, body } = await ask(service.url, { path, headers });
  return { status, type: got['content-type'], text: body.toString() };
}

/** As browsers have it. */
const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

it('tells a browser how to turn the public page on, where there is none', async () => {
  const { status, type, text } = await visit(browser);
  expect([status, type]).toEqual([404, 'text/html; charset=utf-8']);
  expect(text).toContain('http:\n  page: {}');
  expect(text).toContain('href="/docs"');
});

it.each([
  [{}, '/'],
  [{ Accept: '*/*' }, '/'],
  [{ Accept: 'application/json' }, '/'],
  [browser, '/v1/nothing'],
])('answers programs, and other paths, with the 404 of the contract: %j %s', async (headers, path) => {
  const { status, type, text } = await visit(headers, path);
  expect([status, type]).toEqual([404, 'application/json; charset=utf-8']);
  expect(JSON.parse(text)).toMatchObject({ error: 'not_found' });
});
