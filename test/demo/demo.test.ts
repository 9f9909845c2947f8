import { expect, onTestFinished, test, vi } from 'vitest';
import { startDemo } from '../../src/demo/demo.ts';

test('the demo serves this machine alone, also in a container, where the service listens everywhere', async () => {
  vi.stubEnv('OUTPOST_HTTP_HOST', '0.0.0.0');
  const { facts, close } = await startDemo(() => undefined);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await close();
  });
  const { pageUrl, publicUrl, serviceUrl, applicationId, secret } = facts;
  expect([pageUrl, publicUrl, serviceUrl].map((url) => new URL(url).hostname)).toEqual(
    Array(3).fill('127.0.0.1'),
  );
  // What a community has on the web is on this machine, too.
  const headers = { 'user-agent': applicationId, 'content-type': 'application/json' };
  const body = JSON.stringify({ application_id: applicationId, secret });
  const answer = await fetch(`${serviceUrl}/v1/auth/register`, { method: 'POST', headers, body });
  const { token } = (await answer.json()) as { token: string };
  const project = await fetch(`${serviceUrl}/v1/project`, {
    headers: { ...headers, authorization: `Bearer ${token}` },
  });
  const { support } = (await project.json()) as { support: Record<string, string> };
  expect(support['discordUrl']).toBe(pageUrl);
  for (const key of ['logoUrl', 'bannerUrl']) {
    expect(new URL(support[key]!).hostname).toBe('127.0.0.1');
    const picture = await fetch(support[key]!);
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect((await picture.arrayBuffer()).byteLength).toBeLessThan(50_000);
  }
});
