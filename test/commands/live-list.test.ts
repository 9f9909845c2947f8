import { describe, expect, it } from 'vitest';
import { onlineCommand } from '../../src/commands/online.ts';
import type { Community } from '../../src/commands/interfaces/community.ts';
import * as data from '../embeds/contract-data.ts';
import { context } from './context.ts';
import { contractClient, serviceError } from './contract-client.ts';

async function askWhileLimited(community: Partial<Community> = {}): Promise<string> {
  const listOnlinePlayers = () => {
    throw serviceError('rate_limited', { retryAfter: 25 });
  };
  const client = contractClient({ listOnlinePlayers });
  const reply = await onlineCommand.run(context({ client, community, options: { server: 'northwood-1' } }));
  expect(reply.visibility).toBeUndefined();
  return JSON.stringify(reply.embeds);
}

describe('/online while the lists that all members share are spent', () => {
  it('shows the latest count, its age, and when the list follows', async () => {
    const text = await askWhileLimited();
    expect(text).toContain('**37** players online');
    expect(text).toContain(`<t:${Date.parse(data.server().checkedAt ?? '') / 1000}:R>`);
    expect(text).toContain('Try again in 30 seconds');
  });

  it('says that the server does not answer where its latest check says so, and promises no list', async () => {
    const client = contractClient({
      listServers: () => ({ servers: [data.server({ status: 'OFFLINE', players: null })] }),
      listOnlinePlayers: () => {
        throw serviceError('rate_limited', { retryAfter: 25 });
      },
    });
    const reply = await onlineCommand.run(context({ client, options: { server: 'northwood-1' } }));
    expect(reply.embeds[0]?.description).toContain("isn't responding");
  });

  it('lists the players of the latest check, if the process has them in memory', async () => {
    const sessions = [{ name: 'Anna', seconds: 3600 }];
    const text = await askWhileLimited({ live: () => ({ queue: null, sessions, observedAt: data.now }) });
    expect(text).toContain('Anna · 1h');
    expect(text).not.toContain('30 seconds');
  });
});
