import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalDiscord } from 'local-discord';
import { expect, onTestFinished, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { setLink } from '../../src/server/store/repositories/links/player-links.ts';
import { saveStoredRoles } from '../../src/server/store/repositories/member-roles/records.ts';
import { savePeople } from '../../src/server/store/repositories/players/players.ts';
import { findProjectId } from '../../src/server/store/repositories/projects/projects.ts';
import { openWriter, storeFile } from '../../src/server/store/engine/database.ts';
import { createStore, outpost } from '../harness/command-line.ts';

const token = 'roles-bot-token';
const guildId = '1100000000000000100';
const roleId = '1100000000000000601';

/** Anna is linked; member 9 has the role from the bot and is linked no more. */
async function install({ guilds = [{ id: guildId }], hasRoles = true, ownFile = false } = {}) {
  const guild = { id: guildId, name: 'Home', channels: [], roles: [{ id: roleId, name: 'Veteran' }] };
  const discord = await startLocalDiscord({ token, guilds: [guild] });
  const folder = mkdtempSync(join(tmpdir(), 'outpost-roles-'));
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await discord.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const file = join(folder, 'outpost.yaml');
  const roles = hasRoles ? [{ roleId, linked: true }] : [];
  const project = { slug: 'p', name: 'P', servers: [] };
  writeFileSync(file, stringify({ projects: ownFile ? [] : [project], discord: { guilds, roles } }));
  mkdirSync(join(folder, 'projects'));
  if (ownFile) writeFileSync(join(folder, 'projects', 'p.yaml'), stringify(project));
  vi.stubEnv('OUTPOST_CONFIG', file);
  vi.stubEnv('OUTPOST_DATA', join(folder, 'data'));
  vi.stubEnv('DISCORD_TOKEN', token);
  vi.stubEnv('DISCORD_API_URL', discord.apiUrl);
  await createStore();
  const { db, close } = await openWriter(storeFile(join(folder, 'data')), { busyTimeoutMs: 5_000 });
  const projectId = await findProjectId(db, 'p');
  const anna = { identity: { dayzId: 'A'.repeat(43) + '=' }, names: [], firstSeenAt: 1, lastSeenAt: 2 };
  const { ids } = await savePeople(db, projectId, [anna]);
  await setLink(db, projectId, { memberId: '7', playerId: ids[0] as number, isProven: true, linkedAt: 1 });
  await saveStoredRoles(db, guildId, [{ roleId, memberId: '9', state: 'given', at: 1 }]);
  await close();
  return discord;
}

test('says who would get and lose a role, and what is in the way, and changes nothing', async () => {
  const discord = await install();
  const { code, out } = await outpost('roles', '--dry-run');
  expect(code).toBe(0);
  expect(out).toContain(`"Veteran" (${roleId}) in Home: 1 member from the bot, 1 to get it, 1 to lose it`);
  expect(out).toContain('! the bot lacks Manage Roles');
  expect(out).toMatch(/\+ 7 {2}/);
  expect(out).toContain('- 9  no linked player');
  expect(discord.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  const { roles } = JSON.parse((await outpost('roles', '--json')).out) as { roles: object[] };
  expect(roles).toMatchObject([{ roleId, given: 1, gets: [{ memberId: '7' }], loses: [{ memberId: '9' }] }]);
  expect((await outpost('roles')).out).not.toContain('no linked player');
});

test('finds the only Discord server of the bot where the config names none, as the bot does', async () => {
  await install({ guilds: [] });
  expect((await outpost('roles')).out).toContain(`"Veteran" (${roleId}) in Home: 1 member from the bot`);
});

test('says who would lose a role that has left the config', async () => {
  await install({ hasRoles: false });
  const { code, out } = await outpost('roles', '--dry-run');
  expect(code).toBe(0);
  expect(out).toContain('1 member from the bot, 0 to get it, 1 to lose it');
  expect(out).toContain('- 9  no linked player');
});

test('says who would lose roles in a Discord server that the config no longer names', async () => {
  await install({ guilds: [{ id: '1100000000000000999' }] });
  const { out } = await outpost('roles', '--dry-run');
  expect(out).toContain(
    `"Veteran" (${roleId}) in Home (not a home guild any more): 1 member from the bot, 0 to get it, 1 to lose it`,
  );
});

test('the doctor names what keeps the bot from a role', async () => {
  await install();
  const { out } = await outpost('doctor');
  expect(out).toMatch(/role "Veteran"[^]*the bot lacks Manage Roles/);
});

test('a Discord server that shows no project is named by both', async () => {
  const discord = await install({ ownFile: true });
  const why = 'the Discord server shows no project whose players are known';
  // What else would be in the way comes first.
  const [own = ''] = discord.memberRoles(guildId, discord.applicationId) ?? [];
  discord.setRole(guildId, own, { position: 10 });
  discord.grantBotRole(guildId, 1n << 28n);
  expect((await outpost('roles')).out).toContain(`! ${why}`);
  expect((await outpost('doctor')).out).toContain(why);
});
