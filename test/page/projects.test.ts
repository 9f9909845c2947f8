import { expect, it } from 'vitest';
import { openPage, pageProject, visit } from './visited.ts';

it('lists projects without a request to the service, or for a logo, for each', async () => {
  const projects = Array.from({ length: 1_000 }, (_, index) => {
    const slug = `project-${index}`;
    const logoUrl = 'http://127.0.0.1:9/logo.png';
    const support = { logoUrl, title: `Title ${index}` };
    const listed = pageProject({}, { slug, branding: () => ({ name: slug, support }) });
    return {
      ...listed,
      get client(): never {
        throw new Error('the service is not to be asked');
      },
    };
  });
  const asked: string[] = [];
  const onNoImage = (_: unknown, url: string): unknown => asked.push(url);
  const list = await visit(openPage(projects, { onNoImage }), '/');
  expect(asked).toEqual([]);
  expect(list?.status).toBe(200);
  expect(list?.text.match(/href="\/project-\d+">Title \d+</g)).toHaveLength(1_000);
});
