import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalDiscord } from 'local-discord';
import { expect, onTestFinished, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { outpost } from '../../../harness/command-line.ts';

const token = 'check-bot-token';
const communities = {
  alpha: { guildId: '1100000000000000100', channelId: '1100000000000000101' },
  bravo: { guildId: '1100000000000000200', channelId: '1100000000000000201' },
};
const names = ['alpha', 'bravo'] as const;

/** A config of two communities, each with a Discord server of its own, and the posts of both. */
async function place(posts: object) {
  const discord = await startLocalDiscord({
    token,
    guilds: names.map((name) => {
      const { guildId, channelId } = communities[name];
      return { id: guildId, name, channels: [{ id: channelId, name: 'status' }] };
    }),
  });
  const folder = mkdtempSync(join(tmpdir(), 'outpost-foreign-'));
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
    await discord.close();
  });
  vi.stubEnv('DISCORD_TOKEN', token);
  vi.stubEnv('DISCORD_API_URL', discord.apiUrl);
  const file = join(folder, 'outpost.yaml');
  const projects = names.map((slug) => ({
    slug,
    name: slug,
    servers: [{ id: `${slug}-1`, name: slug, host: 'game.invalid', port: 2302 }],
  }));
  const guilds = names.map((name) => ({ id: communities[name].guildId, project: name }));
  writeFileSync(file, stringify({ projects, discord: { guilds, ...posts } }));
  return { file, discord };
}

const status = (place: keyof typeof communities, server: string) => ({
  channelId: communities[place].channelId,
  servers: [server],
});

test('refuses a post of a server that belongs to another project than the Discord server of its channel', async () => {
  const statusPosts = [status('alpha', 'alpha-1'), status('bravo', 'alpha-1')];
  const { file } = await place({ statusPosts, alerts: [{ ...status('alpha', 'bravo-1'), down: {} }] });
  const { code, out } = await outpost('check-config', file);
  expect(out).toContain('has 2 problems');
  expect(out).toMatch(
    /✗ discord\.statusPosts\[1\] {2}channel 1100000000000000201: server alpha-1 belongs to the project alpha, but Discord server 1100000000000000200 shows the project bravo, so nothing is posted\n +→ name servers of bravo, /,
  );
  expect(out).toMatch(/✗ discord\.alerts\[0\] {2}.*: server bravo-1 belongs to the project bravo/);
  expect(code).toBe(1);
  expect((await outpost('check-config', file, '--offline')).code).toBe(0);
});

test('finds no fault with posts of the servers of their own communities', async () => {
  const statusPosts = [status('alpha', 'alpha-1'), status('bravo', 'bravo-1')];
  const { file } = await place({ statusPosts });
  const { code, out } = await outpost('check-config', file);
  expect(out).not.toContain('statusPosts');
  expect(code).toBe(0);
});

test('says where Discord does not answer', async () => {
  const { file, discord } = await place({ statusPosts: [status('bravo', 'bravo-1')] });
  discord.fail({ path: /channels/ }, { status: 500 }, Infinity);
  const { code, out } = await outpost('check-config', file);
  expect(out).toMatch(/! discord\.statusPosts\[0\] {2}.*: Discord did not say in which Discord server it is/);
  expect(code).toBe(0);
});
