import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operationIds } from '../../src/api/operations.ts';
import { createOpenApiDocument } from '../../src/server/http/documentation/openapi/document.ts';
import { browserNote, chromiumPath, launchChromium } from '../../packages/local-discord/test/chromium.ts';
import { northwood } from '../harness/northwood.ts';
import { startTestService } from '../harness/service.ts';
import { register } from './walk.ts';
import { startWorld, type World, type WorldApplication } from './world.ts';

let world: World;
let application: WorldApplication;
let token: string;

beforeAll(async () => {
  world = await startWorld();
  application = await world.application('northwood');
  token = await register(world.url, application);
});
afterAll(() => world.close());

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${world.url}${path}`, { headers });

describe('/openapi.json', () => {
  it('is served to anybody, compressed and with a tag', async () => {
    const answer = await get('/openapi.json', { 'Accept-Encoding': 'gzip, br' });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('content-encoding')).toBe('br');
    expect(await answer.json()).toEqual(createOpenApiDocument());
    const again = await get('/openapi.json', {
      'Accept-Encoding': 'br',
      'If-None-Match': answer.headers.get('etag') ?? '',
    });
    expect(again.status).toBe(304);
    const plain = await get('/openapi.json', { 'Accept-Encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.headers.get('etag')).not.toBe(answer.headers.get('etag'));
  });

  it('has no other methods than GET', async () => {
    const answer = await fetch(`${world.url}/openapi.json`, { method: 'DELETE' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

describe('/docs/try', () => {
  const asPage = (): Record<string, string> => ({
    Authorization: `Bearer ${token}`,
    'X-Application-Id': application.id,
    'User-Agent': 'Mozilla/5.0',
    'Sec-Fetch-Site': 'same-origin',
  });

  it('answers as the operation itself does, and spends the limit of the same token', async () => {
    const direct = await get('/v1/servers', {
      Authorization: `Bearer ${token}`,
      'User-Agent': application.id,
    });
    const tried = await get('/docs/try/v1/servers', asPage());
    expect(await tried.json()).toEqual(await direct.json());
    for (const name of ['etag', 'cache-control', 'content-type', 'ratelimit-policy']) {
      expect(tried.headers.get(name), name).toBe(direct.headers.get(name));
    }
    const left = (answer: Response): number => Number(answer.headers.get('x-ratelimit-remaining'));
    expect(left(tried)).toBe(left(direct) - 1);
  });

  it('keeps the query, the path as it was written, and the request id', async () => {
    const board = await get('/docs/try/v1/leaderboards?metric=deaths&limit=2', asPage());
    expect(await board.json()).toMatchObject({ leaderboards: [{ metric: 'DEATHS', rows: [{}, {}] }] });
    const path = '/docs/try/v1/server/%2e%2e%2fproject';
    const strange = await get(path, { ...asPage(), 'X-Request-Id': 'tried-1' });
    expect(await strange.json()).toMatchObject({ error: 'not_found', requestId: 'tried-1' });
  });

  it('lets nobody in who would not be let in at /v1', async () => {
    const { Authorization: _token, ...tokenless } = asPage();
    const other = await world.application('northwood');
    const cases = [
      [tokenless, 401, 'token_missing'],
      [{ ...asPage(), Authorization: 'Bearer opt_x' }, 401, 'token_invalid'],
      [{ ...asPage(), 'X-Application-Id': other.id }, 403, 'user_agent_mismatch'],
    ] as const;
    for (const [headers, status, error] of cases) {
      const answer = await get('/docs/try/v1/project', headers);
      expect([answer.status, await answer.json()]).toMatchObject([status, { error }]);
    }
  });

  it('is for the page of the same origin', async () => {
    for (const site of ['cross-site', 'same-site', 'none']) {
      const answer = await get('/docs/try/v1/project', { ...asPage(), 'Sec-Fetch-Site': site });
      expect([answer.status, await answer.json()], site).toMatchObject([
        400,
        { details: [{ in: 'headers', path: 'Sec-Fetch-Site' }] },
      ]);
    }
    const { 'X-Application-Id': _id, ...simple } = asPage();
    const answer = await get('/docs/try/v1/project', simple);
    expect(await answer.json()).toMatchObject({ details: [{ path: 'X-Application-Id' }] });
    const preflight = await fetch(`${world.url}/docs/try/v1/project`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://example.org', 'Access-Control-Request-Method': 'GET' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('reaches the nine operations that read with a token, and nothing else', async () => {
    for (const path of ['/v1/auth/register', '/healthz', '/openapi.json', '/docs', '/docs/try/v1/project']) {
      const answer = await get(`/docs/try${path}`, asPage());
      expect([answer.status, await answer.json()], path).toMatchObject([404, { error: 'not_found' }]);
    }
    const posted = await fetch(`${world.url}/docs/try/v1/project`, { method: 'POST', headers: asPage() });
    expect(posted.status).toBe(405);
  });
});

describe('/docs', () => {
  const pageOf = async (community: { name: string; logoUrl: string | null }) => {
    const service = await startTestService(northwood(), { parts: { community: () => community } });
    const answer = await fetch(`${service.url}/docs`);
    const html = await answer.text();
    await service.close();
    return { html, policy: answer.headers.get('content-security-policy') };
  };

  it('has the name and the logo of the community, which alone may come from elsewhere', async () => {
    const { html, policy } = await pageOf({ name: 'A <b> & $&', logoUrl: 'https://example.org/a"b;c.png' });
    expect(html).toContain('<title>A &#60;b&#62; &#38; $&#38; · Public API v1</title>');
    expect(html).toContain('<img src="https://example.org/a&#34;b;c.png" alt="" />');
    expect(policy).toContain("; img-src 'self' data: https://example.org;");
  });

  it('loads nothing from elsewhere without a logo', async () => {
    const { html, policy } = await pageOf({ name: 'Northwood', logoUrl: null });
    expect(html).not.toContain('<img');
    expect(policy).toContain("; img-src 'self' data:;");
  });
});

describe.skipIf(chromiumPath === null)(`/docs in a browser${browserNote}`, () => {
  let browser: Browser;
  let page: Page;
  const requested: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
    page.on('request', (request) => requested.push(request.url()));
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${world.url}/docs`);
    await page.locator('body[data-ready]').waitFor();
  });
  afterAll(() => browser.close());

  it('lists every operation', async () => {
    expect(await page.locator('.opblock').count()).toBe(operationIds.length);
    expect(await page.locator('.opblock-summary-path').allInnerTexts()).toContain('/v1/leaderboards');
  });

  it('runs one, and shows the request as a program would send it', async () => {
    await page.locator('.scheme-container .authorize').click();
    for (const [scheme, value] of [
      ['applicationId', application.id],
      ['bearerToken', token],
    ] as const) {
      const entry = page.locator('.auth-container', { hasText: scheme });
      await entry.locator('input').fill(value);
      await entry.getByRole('button', { name: 'Apply' }).click();
    }
    await page.locator('.modal-ux .close-modal').click();
    const operation = page.locator('#operations-Servers-getServer');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('button.execute').click();
    const answer = operation.locator('.live-responses-table');
    await answer.getByText('200', { exact: true }).waitFor();
    expect(await answer.innerText()).toContain('Northwood | Chernarus');
    const curl = await operation.locator('.curl-command').innerText();
    expect(curl).toContain(`'${world.url}/v1/server/northwood-1'`);
    expect(curl).toContain(`User-Agent: ${application.id}`);
    expect(requested).toContain(`${world.url}/docs/try/v1/server/northwood-1`);
  });

  it('is as wide as a phone, and dark where the visitor wants that', async () => {
    const phone = await browser.newPage({ viewport: { width: 390, height: 800 }, colorScheme: 'dark' });
    await phone.goto(`${world.url}/docs`);
    await phone.locator('body[data-ready]').waitFor();
    await phone.locator('#operations-Leaderboards-listLeaderboards .opblock-summary-control').click();
    await phone.locator('.responses-table').waitFor();
    expect(await phone.getByText('listLeaderboards', { exact: true }).isVisible()).toBe(false);
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await phone.evaluate('document.documentElement.className')).toBe('dark-mode');
    await phone.close();
  });

  it('asks nobody but the service, and breaks none of its own rules', () => {
    const elsewhere = requested.filter((url) => !url.startsWith(`${world.url}/`) && !url.startsWith('data:'));
    expect(elsewhere).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
