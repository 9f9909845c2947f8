import { expect, it } from 'vitest';
import type { Plan, PlannedServer } from '../../../src/cli/init/plan.ts';
import { reportOf } from '../../../src/cli/init/report.ts';

const server = (name: string, port = 2302): PlannedServer => ({
  name,
  host: '127.0.0.1',
  port,
  queryPort: 27016,
  timezone: 'UTC',
  timezoneBasis: '--timezone',
  place: null,
  logs: null,
  playersDb: null,
  messagesFile: null,
  banFiles: [],
  missing: [],
});

function missing(change: Partial<Plan>): string {
  const plan = { name: null, servers: [], discord: null, httpPort: 8080, ...change };
  const setup = { serverIds: ['a-1', 'a-2', 'a-3'], variables: [], overridden: [] };
  return reportOf(plan, { setup, configFile: 'outpost.yaml', storeUrl: undefined }).missing.join('\n');
}

it('says which servers have the same address', () => {
  const servers = [server('One'), server('Two'), server('Three', 2402)];
  expect(missing({ servers })).toContain('One and Two have the same address, 127.0.0.1:2302: set the "port"');
  expect(missing({ servers: servers.slice(1) })).not.toContain('the same address');
});

it('names the Discord servers of a bot that is in several', () => {
  const application = { id: '1', name: 'Outpost', inviteUrl: 'https://example.org/invite' };
  const guilds = [
    { id: '10', name: 'A' },
    { id: '11', name: 'B' },
  ];
  const discord = { application, newToken: null, guild: null, channel: null };
  const several = missing({ discord: { ...discord, guilds } });
  expect(several).toContain('--guild names none');
  expect(several).toContain('(10 is A, 11 is B)');
  expect(several).not.toContain('invite');
  expect(missing({ discord: { ...discord, guilds: [] } })).toContain('Add the bot to your Discord server');
});
