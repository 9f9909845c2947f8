import { expect, it } from 'vitest';
import { commands } from '../../src/commands/index.ts';
import { noCommunity } from '../../src/community/no-community.ts';
import { context } from './context.ts';
import { contractClient, serviceError } from './contract-client.ts';

/** What `/lookup` of a name rejects with, or answers, where leaderboards are refused. */
async function lookUp(code: 'project_suspended' | 'internal_error' | 'subscription_required') {
  const client = contractClient({
    listLeaderboards: () => {
      throw serviceError(code);
    },
  });
  const asking = context({ client, options: { identifier: 'Ann' } });
  return await commands.lookup.run(asking);
}

it('a name is not said to be unknown where the service does not say', async () => {
  for (const code of ['project_suspended', 'internal_error'] as const)
    await expect(lookUp(code)).rejects.toMatchObject({ code });
  const { embeds } = await lookUp('subscription_required');
  expect(embeds[0]?.description).toContain('No player called “Ann” is known here.');
});

it.each([
  ['top', { metric: 'KD' }],
  ['top', { metric: 'DEATHS', period: 'week' }],
  ['me', {}],
  ['lookup', { member: '1100000000000000302' }],
] as const)('/%s %j says that the project is suspended', async (name, options) => {
  const client = contractClient({
    getProject: () => {
      throw serviceError('project_suspended');
    },
  });
  const link = { name: 'Anna', identifier: null, ref: '1', isProven: true, isHidden: false };
  const links = { ...noCommunity.links, get: async () => link };
  const asking = context({ client, options, community: { links } });
  await expect(commands[name].run(asking)).rejects.toMatchObject({ code: 'project_suspended' });
});
