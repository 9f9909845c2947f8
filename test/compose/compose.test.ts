import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compose, type Outpost } from '../../src/compose/compose.ts';
import { composeRemoteBot } from '../../src/compose/remote-bot.ts';
import { configSchema, type Config, type ConfigInput } from '../../src/config/schema.ts';
import { startLocalDiscord, type LocalDiscord } from 'local-discord';
import { SQLite } from '../../src/server/store/engine/driver.ts';
import { northwood } from '../harness/northwood.ts';
import { canMountDisks, smallDisk } from '../harness/small-disk.ts';

const token = 'local-bot-token';
let folder: string;
let discord: LocalDiscord;
let outpost: Outpost | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-compose-'));
  discord = await startLocalDiscord({ token });
});
afterEach(async () => {
  await outpost?.close();
  outpost = undefined;
  await discord.close();
  await rm(folder, { recursive: true, force: true });
});

const log = pino({ level: 'silent' });
const environment = () => ({
  configFile: '',
  dataFolder: folder,
  discordToken: token,
  discordApiUrl: discord.apiUrl,
});
function config(discordSection: ConfigInput['discord'] = {}): Config {
  return configSchema.parse({ ...northwood(), http: { port: 0 }, discord: discordSection });
}

it('has one bot connected after reloads that came together, and none after its end', async () => {
  outpost = await compose({ config: config(), environment: environment(), log });
  await expect.poll(() => discord.gateway.connected).toBe(1);
  const { reload } = outpost;
  await Promise.all([
    reload(config({ locale: 'de' })),
    reload(config({ locale: 'fr' })),
    reload(config({ locale: 'pl' })),
  ]);
  await expect.poll(() => discord.gateway.connected).toBe(1);
  await outpost.close();
  await expect.poll(() => discord.gateway.connected).toBe(0);
});

it('shows new names of servers in posts after a reload, before the next moment of a post', async () => {
  const [guildId, channelId] = ['1100000000000000100', '1100000000000000200'];
  discord.addGuild({ id: guildId, name: 'Northwood', channels: [{ id: channelId, name: 'status' }] });
  const statusPosts = [{ channelId, cron: '0 0 1 1 *', servers: ['northwood-1'], chart: 'none' as const }];
  const posted = () => JSON.stringify(discord.messages(channelId));
  outpost = await compose({ config: config({ statusPosts }), environment: environment(), log });
  await expect.poll(posted).toContain('Chernarus');
  const changed = config({ statusPosts });
  changed.projects[0]!.servers[0]!.name = 'Renamed';
  await outpost.reload(changed);
  await expect.poll(posted).toContain('Renamed');
});

it('goes on with what members placed once a server says formerly: in a reload', async () => {
  const [guildId, channelId] = ['1100000000000000100', '1100000000000000200'];
  discord.addGuild({ id: guildId, name: 'Northwood', channels: [{ id: channelId, name: 'status' }] });
  const posted = () => JSON.stringify(discord.messages(channelId));
  const homes = { guilds: [{ id: guildId }] };
  outpost = await compose({ config: config(homes), environment: environment(), log });
  await expect.poll(() => discord.commands().length).toBeGreaterThan(0);
  const user = { id: '1100000000000000303', username: 'owner', permissions: 1n << 5n };
  const place = { guildId, channelId, user };
  const asked = await discord.invoke({ ...place, commandName: 'outpost setup', options: { kind: 'status' } });
  const { id: messageId = '', components } = asked.message ?? {};
  const menu = components?.[0]?.components?.[0] as { custom_id: string };
  await discord.select({ messageId, customId: menu.custom_id, user, values: ['northwood-1'] });
  await expect.poll(posted).toContain('Chernarus');
  const changed = config(homes);
  Object.assign(changed.projects[0]!.servers[0]!, { id: 'moved', formerly: 'northwood-1', name: 'Renamed' });
  await outpost.reload(changed);
  await expect.poll(posted).toContain('Renamed');
});

it('says at each reload that a change waits for the next start, and no more once it is taken back', async () => {
  const warnings: string[] = [];
  const warned = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
  outpost = await compose({ config: config(), environment: environment(), log: warned });
  const changed = { ...config(), live: { pollSeconds: 30 } };
  for (const [next, count] of [
    [changed, 1],
    [changed, 2],
    [config(), 2],
  ] as const) {
    await outpost.reload(next);
    expect(warnings.filter((line) => line.includes('at the next start'))).toHaveLength(count);
  }
});

it('says which file is damaged when it is the store', async () => {
  await writeFile(join(folder, 'outpost.sqlite'), Buffer.alloc(8_192, 'nonsense'));
  await expect(compose({ config: config(), environment: environment(), log })).rejects.toThrow(
    /outpost\.sqlite/,
  );
});

async function readiness(): Promise<unknown> {
  const answer = await fetch(`${outpost?.url}/readyz`);
  return { ...((await answer.json()) as object), status: answer.status };
}

it('says that it begins without data, as in a folder that was named by mistake, and not again', async () => {
  const lines: string[] = [];
  const writing = pino({}, { write: (line: string) => void lines.push(line) });
  for (const times of [1, 0]) {
    outpost = await compose({ config: config(), environment: environment(), log: writing });
    await outpost.close();
    expect(
      lines.splice(0).filter((line) => line.includes(`there are no data in ${folder} yet`)),
    ).toHaveLength(times);
  }
});

it.skipIf(!canMountDisks)(
  'is not ready while the disk is full, and is again once there is room (needs root on Linux)',
  async (context) => {
    const disk = smallDisk(4);
    if (disk === null) return context.skip('no tmpfs can be mounted here');
    const dataFolder = join(disk.folder, 'data');
    outpost = await compose({ config: config(), environment: { ...environment(), dataFolder }, log });
    expect(await readiness()).toMatchObject({ status: 200 });
    disk.fill(0);
    // Writes go into room that the store has already, as long as there is some.
    const renamed = async (name: string): Promise<void> => {
      const changed = config();
      for (const project of changed.projects) project.support.description = name;
      await outpost?.reload(changed);
    };
    await expect(
      (async () => {
        for (let i = 0; i < 200; i += 1) await renamed(String(i).repeat(900));
      })(),
    ).rejects.toThrow('full');
    expect(await readiness()).toMatchObject({ status: 503, checks: { writing: false, store: true } });
    disk.clear();
    await expect.poll(readiness).toMatchObject({ status: 200, checks: { writing: true } });
    await outpost.close();
    outpost = undefined;
  },
);

it.skipIf(!canMountDisks)(
  'names the full disk of a bot on a service elsewhere once (needs root on Linux)',
  async (context) => {
    const disk = smallDisk(4);
    if (disk === null) return context.skip('no tmpfs can be mounted here');
    const problems: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void problems.push(line) });
    const letIn = discord.fail({ path: '/gateway/bot' }, { status: 403 }, 1_000);
    const remoteService = { apiUrl: 'http://127.0.0.1:9', applicationId: 'app_x', secret: 'ops_x' };
    const bot = await composeRemoteBot({
      config: null,
      environment: { ...environment(), dataFolder: join(disk.folder, 'data'), remoteService },
      log,
    });
    try {
      await expect.poll(() => problems.join('')).toContain('could not reach Discord');
      disk.fill(0);
      letIn();
      await expect.poll(() => discord.gateway.connected, { timeout: 30_000 }).toBe(1);
      await expect.poll(() => problems.join('')).toContain('the disk is full. Free some space');
      expect(problems.join('').match(/Free some space/g)).toHaveLength(1);
    } finally {
      await bot.close();
    }
  },
);

it('is not ready once the store turns out to be damaged', async () => {
  outpost = await compose({ config: config(), environment: environment(), log });
  const file = join(folder, 'outpost.sqlite');
  const sqlite = new SQLite(file);
  sqlite.pragma('wal_checkpoint(TRUNCATE)');
  const pages = sqlite.pragma('page_count', { simple: true }) as number;
  const size = sqlite.pragma('page_size', { simple: true }) as number;
  sqlite.close();
  expect(await readiness()).toMatchObject({ status: 200 });
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc((pages - 1) * size, 0xff), 0, undefined, size);
  await handle.close();
  // Everything is read anew: what was in memory is still good.
  await expect(outpost.reload(config({ locale: 'de' }))).rejects.toThrow('malformed');
  expect(await readiness()).toMatchObject({ status: 503, checks: { store: false } });
});

it('refuses to do only some roles with a store that one process uses alone', async () => {
  const started = compose({ config: config(), environment: environment(), log, roles: ['api', 'poll'] });
  await expect(started).rejects.toThrow(/only api, poll.*SQLite.*OUTPOST_STORE_URL/s);
});
