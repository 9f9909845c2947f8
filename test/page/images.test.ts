import { expect, it, onTestFinished } from 'vitest';
import type { PageOptions } from '../../src/page/page.ts';
import { support } from '../embeds/contract-data.ts';
import { png } from './page-world.ts';
import { serveFiles } from '../harness/serve-files.ts';
import { headerOf, openPage, pageProject, visit } from './visited.ts';

const gif = Buffer.from('GIF89a and so on');
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

async function open(logo: Buffer | undefined, onNoImage: PageOptions['onNoImage'] = () => undefined) {
  const other = await serveFiles({ '/banner': gif, ...(logo !== undefined && { '/logo': logo }) });
  onTestFinished(other.close);
  const shown = { ...support, logoUrl: `${other.url}/logo`, bannerUrl: `${other.url}/banner` };
  const page = openPage([pageProject({}, { branding: () => ({ name: 'Northwood', support: shown }) })], {
    onNoImage,
  });
  const textOf = async (path: string): Promise<string> => (await visit(page, path))?.text ?? '';
  return { page, other, textOf };
}

it("serves the owner's logo and banner itself, loaded once", async () => {
  const { page, other, textOf } = await open(png);
  const home = await textOf('/');
  const [logo, banner] = ['logo', 'banner'].map(
    (kind) => new RegExp(`src="(/images/${kind}\\?v=[\\w-]{10})"`).exec(home)?.[1],
  );
  expect(home).not.toContain(other.url);
  expect(await textOf('/servers/northwood-1')).toContain(logo);
  const served = await visit(page, logo!);
  expect([served?.type, served?.body]).toEqual(['image/png', png]);
  expect(headerOf(served!, 'Cache-Control')).toBe('public, max-age=31536000, immutable');
  expect((await visit(page, banner!))?.type).toBe('image/gif');
  const older = await visit(page, '/images/logo?v=AAAAAAAAAA');
  expect(headerOf(older!, 'Cache-Control')).toBe('public, max-age=5');
  expect(other.asked.toSorted()).toEqual(['/banner', '/logo']);
});

it.each([
  ['is away', undefined, 'the answer is 404'],
  ['may hold scripts', svg, 'it is no PNG, JPEG, WebP or GIF'],
  ['is too large', Buffer.concat([png, Buffer.alloc(2_000_000)]), 'it has more than 2000000 bytes'],
])('shows the letter of the community where its logo %s, and says so once', async (_, logo, problem) => {
  const problems: unknown[] = [];
  const { page, textOf } = await open(logo, (error) => problems.push(error));
  for (const path of ['/', '/servers/northwood-1']) {
    const text = await textOf(path);
    expect(text).toMatch(/<svg class="mark".*>N<\/text>/);
    expect(text).not.toContain('/images/logo');
  }
  expect((await visit(page, '/images/logo'))?.status).toBe(404);
  expect(problems.map((error) => (error as Error).message)).toEqual([problem]);
});
