import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startLocalDiscord } from 'local-discord';
import { expect, onTestFinished, test, vi } from 'vitest';
import { outpost } from '../harness/command-line.ts';
import { temporaryFolder } from '../server/ingest/fixture.ts';

test('registers the commands from the command line', async () => {
  const token = 'local-bot-token';
  const discord = await startLocalDiscord({ token, guilds: [] });
  onTestFinished(() => discord.close());
  const folder = temporaryFolder();
  const config = join(folder, 'outpost.yaml');
  writeFileSync(config, 'projects: [{ slug: p, name: P }]\n');
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('OUTPOST_CONFIG', config);
  vi.stubEnv('OUTPOST_DATA', join(folder, 'data'));
  vi.stubEnv('DISCORD_TOKEN', token);
  vi.stubEnv('DISCORD_API_URL', discord.apiUrl);
  const deploy = async () => await outpost('deploy-commands');
  expect(await deploy()).toMatchObject({
    code: 0,
    out: expect.stringContaining('registered everywhere: /status'),
  });
  expect(discord.commands().length).toBeGreaterThan(0);
});
