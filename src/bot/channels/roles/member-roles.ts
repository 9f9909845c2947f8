import { setTimeout as delay } from 'node:timers/promises';
import { RateLimitError } from '@discordjs/rest';
import { RESTJSONErrorCodes as ErrorCodes, Routes, type APIGuildMember, type GuildMember } from 'discord.js';
import type { RoleHolders } from '../../../commands/interfaces/community.ts';
import { ProblemLog } from '../../../process/problem-log.ts';
import type { BotContext } from '../../bot-options.ts';
import type { RoleRecord, RoleRecords } from '../../bot-records.ts';
import { discordCode, httpStatus } from '../../discord-error.ts';
import { loggable } from '../../loggable.ts';
import { type DueRole, roleChanges } from './role-changes.ts';
import { labelOf, noProject, roleObstacle } from './role-obstacle.ts';

/**
 * Gives and takes the roles of the config, in one pass over the home guilds. What the bot gave of a role that the config no
 * longer names, it takes. What it knows of a member who is to have a role is stored as one of these states (`RoleRecord`):
 *
 * - giving: the role is being given. So it is still taken where the process ends in between.
 * - given: the bot gave it. It is given again after the member has left the guild and come back, but not where a moderator took it.
 * - skipped: the member had the role already, or is not in the guild. The bot does not take such a role.
 */
export function createMemberRoles(context: BotContext, records: RoleRecords) {
  const { gateway, homes, rest, settings, log, now, monotonic, roleGapMs, rolePollMs, retryMs } = context;
  const configs = settings().config.roles;
  /** What keeps the bot from a role, by the role's id; or from all roles of a guild, by the guild's. */
  const problems = new ProblemLog();
  /** Roles that Discord refused. They are left alone until a time of the monotonic clock, or until roles change. */
  const refused = new Map<string, { until: number; reason: string }>();
  const stopping = new AbortController();
  const { signal } = stopping;
  const timer = setInterval(() => void run(), rolePollMs);
  let running: Promise<void> | null = null;

  /** Gives and takes what is due, or waits for a running call. Never rejects. */
  async function run(): Promise<void> {
    running ??= pass().finally(() => (running = null));
    await running;
  }

  /** The bot as a member of a guild, with its roles; null: the guild is unknown, or not available now, as in an outage. */
  function memberIn(guildId: string): GuildMember | null {
    const guild = gateway.guild(guildId);
    return guild?.available === true ? guild.members.me : null;
  }

  async function pass(): Promise<void> {
    const joined = gateway.guilds().map(({ id }) => id);
    reportMissing(joined);
    for (const id of joined.filter((guildId) => homes.isHome(guildId))) {
      if (signal.aborted) return;
      await passGuild(id);
    }
  }

  async function passGuild(guildId: string): Promise<void> {
    const failing = `could not give and take roles in the guild ${guildId}; it is tried again`;
    try {
      await changeRoles(guildId);
      if (problems.update(guildId, null).recovered)
        log.info(`roles in the guild ${guildId} are given and taken again`);
    } catch (error) {
      // The next pass goes on.
      if (signal.aborted || error instanceof RateLimitError) return;
      const isNew = problems.update(guildId, failing).error !== undefined;
      if (isNew) log.warn({ error: loggable(error) }, failing);
    }
  }

  async function changeRoles(guildId: string): Promise<void> {
    const me = memberIn(guildId);
    if (me === null) return;
    const known = await records.of(guildId);
    const wanted = await wantedRoles(me, known);
    const exists = (roleId: string): boolean => has(me, roleId);
    const { forget, take, give } = roleChanges(wanted, known, exists, now());
    if (forget.length > 0) await records.remove(guildId, forget);
    for (const record of take) {
      if (signal.aborted) return;
      // A member who has left the guild has no role any more.
      if (await change('delete', guildId, record)) await records.remove(guildId, [record]);
    }
    const members = new Map<string, APIGuildMember | null>();
    for (const due of give) {
      if (signal.aborted) return;
      let member = members.get(due.memberId);
      if (member === undefined) {
        member = await memberOf(guildId, due.memberId);
        members.set(due.memberId, member);
      }
      await giveRole(guildId, member, due);
    }
  }

  /** Who is to have each role that nothing keeps the bot from giving and taking. */
  async function wantedRoles(
    me: GuildMember,
    known: readonly RoleRecord[],
  ): Promise<Map<string, RoleHolders>> {
    const here = configs.filter(({ roleId }) => has(me, roleId));
    const project = settings().projects.of(me.guild.id);
    const holdersByRole: ReadonlyMap<string, RoleHolders | string> =
      project === null || here.length === 0
        ? new Map(here.map(({ roleId }) => [roleId, noProject]))
        : await project.community.roleMembers(here);
    const wanted = new Map<string, RoleHolders>();
    for (const roleId of new Set([...holdersByRole.keys(), ...known.map((record) => record.roleId)])) {
      if (!has(me, roleId)) continue;
      // A role that no rule gives any more is taken from all who have it.
      const holders = holdersByRole.get(roleId) ?? new Set();
      const problem = obstacleTo(me, roleId) ?? (typeof holders === 'string' ? holders : null);
      report(me, roleId, problem);
      if (problem === null && typeof holders !== 'string') wanted.set(roleId, holders);
    }
    return wanted;
  }

  /** What keeps the bot from giving and taking a role; null: nothing does. */
  function obstacleTo(me: GuildMember, roleId: string): string | null {
    const obstacle = roleObstacle(me, roleId);
    if (obstacle !== null) return `${obstacle.found}; ${obstacle.next}`;
    const refusal = refused.get(roleId);
    return refusal !== undefined && monotonic() < refusal.until ? refusal.reason : null;
  }

  /** Gives a role to a member who does not have it, unless a moderator took it. @param member null: not in the guild */
  async function giveRole(
    guildId: string,
    member: APIGuildMember | null,
    { roleId, memberId, before }: DueRole,
  ): Promise<void> {
    const remember = async (state: RoleRecord['state']): Promise<void> =>
      await records.set(guildId, [{ roleId, memberId, state, at: now() }]);
    const isOurs = before !== undefined && before.state !== 'skipped';
    if (member === null) await remember('skipped');
    else if (member.roles.includes(roleId)) await remember(isOurs ? 'given' : 'skipped');
    // Who leaves the guild loses all roles; who did not lost this one to a moderator.
    else if (before?.state === 'given' && Date.parse(member.joined_at ?? '') <= before.at)
      await remember('given');
    else {
      // Remembered first: a role that was given and not remembered would never be taken.
      await remember('giving');
      if (await change('put', guildId, { memberId, roleId })) await remember('given');
    }
  }

  /** Null: the guild has no such member. */
  async function memberOf(guildId: string, memberId: string): Promise<APIGuildMember | null> {
    try {
      return (await request('get', Routes.guildMember(guildId, memberId))) as APIGuildMember;
    } catch (error) {
      if (isGone(error)) return null;
      throw error;
    }
  }

  /** Some time after the request before: others need Discord's limits, too. */
  async function request(method: 'get' | 'put' | 'delete', route: `/${string}`): Promise<unknown> {
    await delay(roleGapMs, undefined, { signal });
    return await rest[method](route, { signal });
  }

  /** @returns whether the role of the member is now as wanted; false: the bot may not change it */
  async function change(
    method: 'put' | 'delete',
    guildId: string,
    { memberId, roleId }: Pick<RoleRecord, 'memberId' | 'roleId'>,
  ): Promise<boolean> {
    const me = memberIn(guildId);
    // Discord says so when roles move, and a request that it refuses counts against the bot.
    if (me === null || obstacleTo(me, roleId) !== null) return false;
    try {
      await request(method, Routes.guildMemberRole(guildId, memberId, roleId));
      return true;
    } catch (error) {
      if (isGone(error)) return true;
      const status = httpStatus(error) ?? 0;
      if (status < 400 || status >= 500 || status === 401 || status === 429) throw error;
      const reason = `Discord refuses it: ${(error as Error).message}`;
      refused.set(roleId, { until: monotonic() + retryMs, reason });
      report(me, roleId, reason);
      return false;
    }
  }

  /** Logs each obstacle once, and its end. @param me null: no home guild has the role */
  function report(me: GuildMember | null, roleId: string, problem: string | null): void {
    const role = me?.guild.roles.cache.get(roleId);
    const label = role === undefined ? `role ${roleId}` : labelOf(role);
    const { error, recovered } = problems.update(roleId, problem);
    if (error !== undefined) log.error(`${label} is neither given nor taken: ${error}`);
    if (recovered) log.info(`${label} is given and taken again`);
  }

  /** Roles of the config that no home guild has. A guild that is unavailable may have them. */
  function reportMissing(guildIds: readonly string[]): void {
    if (gateway.isUnavailable()) return;
    for (const { roleId } of configs) {
      const guildId = guildIds.find((id) => memberIn(id)?.guild.roles.cache.has(roleId));
      if (guildId === undefined) {
        report(null, roleId, 'no Discord server of the bot has such a role; copy the id anew');
      } else if (!homes.isHome(guildId)) {
        const problem = `its Discord server is not one of those that the config names; if it is yours, add it to discord.guilds: - { id: "${guildId}" }`;
        report(null, roleId, problem);
      }
    }
  }

  return {
    run,
    /** The roles of a guild, or the bot's own, may have changed. */
    changed(guildId: string): void {
      refused.clear();
      if (problems.size > 0 && homes.isHome(guildId)) void run();
    },
    /** The bot has left the guild, where it can take nothing any more. Never rejects. */
    async left(guildId: string): Promise<void> {
      await records.forget(guildId).catch((error: unknown) => {
        log.warn({ error: loggable(error) }, `could not forget the roles in the guild ${guildId}`);
      });
    },
    /** Starts nothing new. Resolves when what runs has ended. */
    async stop(): Promise<void> {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}

/** The member has left the guild, or the account is gone. */
function isGone(error: unknown): boolean {
  const code = discordCode(error);
  return code === ErrorCodes.UnknownMember || code === ErrorCodes.UnknownUser;
}

const has = ({ guild }: GuildMember, roleId: string): boolean => guild.roles.cache.has(roleId);
