import { type InspectedRoles, inspectRoles } from '../bot/channels/roles/inspect-roles.ts';
import { noProject, roleObstacle } from '../bot/channels/roles/role-obstacle.ts';
import { planRoles, type RolePlan } from '../bot/channels/roles/role-plan.ts';
import { projectNamed, projectOfGuild } from '../config/config-index.ts';
import { createRoleMembers } from '../community/role-members.ts';
import { ConfigError } from '../config/error.ts';
import { readEnvironment } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import type { ReadDatabase } from '../server/store/engine/database.ts';
import { readGuildsWithRoles, readStoredRoles } from '../server/store/repositories/member-roles/records.ts';
import { readLinkedPlayers } from '../server/store/repositories/member-roles/linked-players.ts';
import { systemClock } from '../process/clock.ts';
import { findProjectId } from '../server/store/repositories/projects/projects.ts';
import { requireStore, storeReader } from './open-store.ts';
import { CommandFailure, count, type Output, printResult } from './output.ts';
import { readConfig } from './read-config.ts';

interface Person {
  memberId: string;
  /** Null: no player is linked to the member. */
  player: string | null;
}

interface RolePreview {
  roleId: string;
  /** Null: no home guild has it. */
  role: string | null;
  guild: string | null;
  /** Why nothing of this is done now; null: nothing is in the way. */
  obstacle: string | null;
  /** How many have it from the bot. */
  given: number;
  gets: Person[];
  loses: Person[];
}

/** Says who has roles from the bot, and who would get and lose them. Changes nothing: the running bot does. */
export async function roles(output: Output, options: { json?: boolean; dryRun?: boolean }): Promise<void> {
  const environment = readEnvironment();
  const { discordToken: token, discordApiUrl } = environment;
  const config = readConfig(environment.configFile);
  const configured = [...new Set((config.discord?.roles ?? []).map(({ roleId }) => roleId))];
  if (token === null) throw new ConfigError('DISCORD_TOKEN is not set: put the token of the bot into .env');
  const named = [...(config.discord?.guilds ?? []).map(({ id }) => id), ...(config.discord?.guildIds ?? [])];
  const access = { token, apiUrl: discordApiUrl ?? undefined };
  await requireStore(environment);
  const previews = await storeReader(environment)<RolePreview[] | null>(async (db) => {
    // The bot takes what it gave in a guild that the config no longer names.
    const others = named.length === 0 ? [] : await readGuildsWithRoles(db);
    const guilds = await inspectRoles(access, [...new Set([...named, ...others])]).catch((error: unknown) => {
      throw new CommandFailure(`Discord did not say which roles there are: ${(error as Error).message}`);
    });
    const found: RolePreview[] = [];
    for (const guild of guilds) {
      const isHome = named.length === 0 || named.includes(guild.guildId);
      found.push(...(await previewsIn({ ...guild, isHome }, config, db)));
    }
    const missing = configured.filter((id) => !found.some(({ roleId }) => roleId === id));
    return [...found, ...missing.map(unknownRole)];
  }, null);
  if (previews === null)
    throw new CommandFailure('there is no store yet: start Outpost once, then try again.');
  if (previews.length === 0)
    throw new CommandFailure(
      'the config has no roles. docs/community.md shows how discord.roles is written.',
    );
  const lines = previews.flatMap((preview) => linesOf(preview, options.dryRun === true));
  printResult(output, options, { roles: previews }, lines.join('\n'));
}

async function previewsIn(
  guild: InspectedRoles & { isHome: boolean },
  config: Config,
  db: ReadDatabase['db'],
): Promise<RolePreview[]> {
  const project = projectOfGuild(config, guild.guildId);
  const isThere = ({ roleId }: { roleId: string }): boolean => guild.roles.some(({ id }) => id === roleId);
  const configured = (guild.isHome ? (config.discord?.roles ?? []) : []).filter(isThere);
  const records = await readStoredRoles(db, guild.guildId);
  const roleIds = [...new Set([...configured, ...records.filter(isThere)].map(({ roleId }) => roleId))];
  if (roleIds.length === 0) return [];
  const wanted =
    project === undefined
      ? new Map(configured.map(({ roleId }) => [roleId, noProject]))
      : await createRoleMembers(
          projectNamed(() => config, project.slug),
          db,
          systemClock,
        )(configured);
  // A role that is no longer in the config is taken from everybody.
  const holdersOf = (roleId: string) => wanted.get(roleId) ?? new Set<string>();
  const due = roleIds.flatMap((roleId) => {
    const holders = holdersOf(roleId);
    return typeof holders === 'string' ? [] : [[roleId, holders] as const];
  });
  const plan = planRoles({ due: new Map(due), records, exists: () => true, now: 0, recheckMs: Infinity });
  const linked =
    project === undefined ? [] : await readLinkedPlayers(db, await findProjectId(db, project.slug));
  const names = new Map(linked.map(({ memberId, name }) => [memberId, name]));
  const person = (memberId: string): Person => ({ memberId, player: names.get(memberId) ?? null });
  return roleIds.map((roleId) => {
    const obstacle = roleObstacle(guild, roleId);
    const holders = holdersOf(roleId);
    const unknown = typeof holders === 'string' ? holders : null;
    return {
      roleId,
      role: guild.roles.find(({ id }) => id === roleId)?.name ?? null,
      guild: guild.isHome ? guild.guildName : `${guild.guildName} (not a home guild any more)`,
      obstacle: obstacle === null ? unknown : `${obstacle.found}; ${obstacle.next}`,
      given: records.filter((record) => record.roleId === roleId && record.state === 'given').length,
      gets: gettingIn(plan, roleId).map(person),
      loses: plan.take.filter((record) => record.roleId === roleId).map(({ memberId }) => person(memberId)),
    };
  });
}

const gettingIn = ({ give }: RolePlan, roleId: string): string[] =>
  [...give].filter(([, due]) => due.some((one) => one.roleId === roleId)).map(([memberId]) => memberId);

const unknownRole = (roleId: string): RolePreview => ({
  roleId,
  role: null,
  guild: null,
  obstacle: 'no home guild of the bot has such a role; copy the id anew',
  given: 0,
  gets: [],
  loses: [],
});

function linesOf(
  { roleId, role, guild, obstacle, given, gets, loses }: RolePreview,
  isFull: boolean,
): string[] {
  const label = role === null ? roleId : `"${role}" (${roleId}) in ${guild}`;
  const lines = [
    `${label}: ${count(given, 'member')} from the bot, ${gets.length} to get it, ${loses.length} to lose it`,
  ];
  if (obstacle !== null) lines.push(`  ! ${obstacle}`);
  if (!isFull) return lines;
  const row = (sign: string, { memberId, player }: Person): string =>
    `  ${sign} ${memberId}  ${player === null ? 'no linked player' : JSON.stringify(player)}`;
  return [...lines, ...gets.map((one) => row('+', one)), ...loses.map((one) => row('-', one))];
}
