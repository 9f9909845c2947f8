import { expect, it } from 'vitest';
import { openPage, pageProject, visit } from './visited.ts';

it('lists projects without a request to the service for each', async () => {
  const projects = Array.from({ length: 1_000 }, (_, index) => {
    const slug = `project-${index}`;
    const support = { title: `Title ${index}`, description: null, accentColor: null, discordUrl: null };
    const listed = pageProject({}, { slug, branding: () => ({ project: { slug, name: slug }, support }) });
    return {
      ...listed,
      get client(): never {
        throw new Error('the service is not to be asked');
      },
    };
  });
  const list = await visit(openPage(projects), '/');
  expect(list?.status).toBe(200);
  expect(list?.text.match(/href="\/project-\d+">Title \d+</g)).toHaveLength(1_000);
});
