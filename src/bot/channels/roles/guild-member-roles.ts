import { setTimeout as delay } from 'node:timers/promises';
import { RateLimitError } from '@discordjs/rest';
import { Routes, type APIGuildMember } from 'discord.js';
import type { RoleHolders, RoleRecord, RoleRecords } from '../../../commands/ports/member-roles.ts';
import { discordCode, discordErrors, httpStatus } from '../../discord-error.ts';
import { loggable } from '../../loggable.ts';
import type { JobOptions } from '../background-options.ts';
import { type GuildRoles, roleObstacle } from './role-obstacle.ts';
import { type DueRole, planRoles, type RolePlan } from './role-plan.ts';

type GuildMemberRolesOptions = JobOptions & {
  records: RoleRecords;
  /**
   * Who is to have each role of the guild; a text says why that is unknown. Those of the config, and no others: what the bot gave
   * of another role, it takes.
   */
  dueIn: (roles: GuildRoles) => Promise<ReadonlyMap<string, RoleHolders | string>>;
  /** Called with what keeps the bot from giving and taking a role; null: nothing does. */
  report: (roles: GuildRoles, roleId: string, problem: string | null) => void;
  /** Runs a request when it is its turn. */
  inTurn: <T>(request: () => Promise<T>) => Promise<T>;
};

/** How often it is asked whether a member who has left the guild is back, and what became of a role that the bot gave. */
const recheckMs = 86_400_000;
/** Who is to have which role is asked again after so many members. */
const batch = 50;

/** Gives and takes the roles of one guild. */
export class GuildMemberRoles {
  readonly #guildId: string;
  readonly #options: GuildMemberRolesOptions;
  /** Roles that Discord refused, which are left alone: until when by the monotonic clock, and with which roles in the guild. */
  readonly #refused = new Map<string, { until: number; roles: string; reason: string }>();
  #running: Promise<void> | null = null;
  #isFailing = false;

  constructor(guildId: string, options: GuildMemberRolesOptions) {
    this.#guildId = guildId;
    this.#options = options;
  }

  /** Does all that is due, or waits for that. Never rejects. */
  async run(): Promise<void> {
    this.#running ??= this.#run().finally(() => (this.#running = null));
    await this.#running;
  }

  async #run(): Promise<void> {
    const { log, signal } = this.#options;
    try {
      while (!signal.aborted && (await this.#doBatch())) {
        // There is more to do.
      }
      if (this.#isFailing) log.info(`roles in the guild ${this.#guildId} are given and taken again`);
      this.#isFailing = false;
    } catch (error) {
      if (signal.aborted) return;
      const text = `could not give and take roles in the guild ${this.#guildId}; it is tried again`;
      if (!this.#isFailing) log.warn({ error: loggable(error) }, text);
      this.#isFailing = true;
    }
  }

  /** @returns whether more is due */
  async #doBatch(): Promise<boolean> {
    const { gateway, records, now } = this.#options;
    const roles = gateway.rolesOf(this.#guildId);
    // As in an outage.
    if (roles === null) return false;
    const known = await records.of(this.#guildId);
    const plan = planRoles({
      due: await this.#due(roles, known),
      records: known,
      exists: (roleId) => has(roles, roleId),
      now: now(),
      recheckMs,
    });
    if (plan.obsolete.length > 0) await records.remove(this.#guildId, plan.obsolete);
    return await this.#follow(plan);
  }

  /** Who is to have each role that nothing keeps the bot from giving and taking. */
  async #due(roles: GuildRoles, known: readonly RoleRecord[]): Promise<Map<string, RoleHolders>> {
    const configured = await this.#options.dueIn(roles);
    const due = new Map<string, RoleHolders>();
    const given = known.map(({ roleId }) => roleId);
    for (const roleId of new Set([...configured.keys(), ...given])) {
      if (!has(roles, roleId)) continue;
      const holders = configured.get(roleId) ?? new Set();
      const problem = this.#problem(roles, roleId) ?? (typeof holders === 'string' ? holders : null);
      this.#options.report(roles, roleId, problem);
      if (problem === null && typeof holders !== 'string') due.set(roleId, holders);
    }
    return due;
  }

  #problem(roles: GuildRoles, roleId: string): string | null {
    const refused = this.#refused.get(roleId);
    // Roles that moved and moved back have changed, too.
    const lasts =
      refused !== undefined && this.#options.monotonic() < refused.until && refused.roles === textOf(roles);
    if (!lasts) this.#refused.delete(roleId);
    const obstacle = roleObstacle(roles, roleId);
    if (obstacle !== null) return `${obstacle.found}; ${obstacle.next}`;
    return lasts ? refused.reason : null;
  }

  /** @returns whether some of the plan is left */
  async #follow({ take, give, recheck }: RolePlan): Promise<boolean> {
    const { signal } = this.#options;
    for (const record of take.slice(0, batch)) {
      if (signal.aborted) return false;
      await this.#take(record);
    }
    // Rechecks are not urgent: what is left of them waits for the next run, and so does nothing that is.
    const left = Math.max(0, batch - take.length);
    for (const [memberId, roles] of [...give, ...recheck].slice(0, left)) {
      if (signal.aborted) return false;
      await this.#give(memberId, roles);
    }
    return take.length + give.size > batch;
  }

  async #take(record: RoleRecord): Promise<void> {
    const { rest, signal } = this.#options;
    const route = Routes.guildMemberRole(this.#guildId, record.memberId, record.roleId);
    // A member who has left the guild has no role any more.
    if (await this.#change(record.roleId, () => rest.delete(route, { signal })))
      await this.#options.records.remove(this.#guildId, [record]);
  }

  /** Gives roles to a member who does not have them, unless a moderator took them. */
  async #give(memberId: string, due: readonly DueRole[]): Promise<void> {
    const { rest, records, now, signal } = this.#options;
    const member = await this.#member(memberId);
    for (const { roleId, before } of due) {
      const remember = async (state: RoleRecord['state']): Promise<void> =>
        await records.set(this.#guildId, [{ roleId, memberId, state, at: now() }]);
      const isOurs = before !== undefined && before.state !== 'skipped';
      if (member === null) await remember('skipped');
      else if (member.roles.includes(roleId)) await remember(isOurs ? 'given' : 'skipped');
      // Who leaves the guild loses all roles; who did not lost this one to a moderator.
      else if (before?.state === 'given' && Date.parse(member.joined_at ?? '') <= before.at)
        await remember('given');
      else {
        // Remembered first: a role that was given and not remembered would never be taken.
        await remember('giving');
        const route = Routes.guildMemberRole(this.#guildId, memberId, roleId);
        const isGiven = await this.#change(roleId, () => rest.put(route, { signal }));
        if (isGiven) await remember('given');
      }
    }
  }

  /** Null: the guild has no such member. */
  async #member(memberId: string): Promise<APIGuildMember | null> {
    const { rest, inTurn, signal } = this.#options;
    try {
      const route = Routes.guildMember(this.#guildId, memberId);
      return (await inTurn(() => rest.get(route, { signal }))) as APIGuildMember;
    } catch (error) {
      if (isGone(error)) return null;
      throw error;
    }
  }

  /** @returns whether the role of the member is now as wanted; false: the bot may not change it */
  async #change(roleId: string, request: () => Promise<unknown>): Promise<boolean> {
    const { inTurn, gateway, report, monotonic, retryMs } = this.#options;
    const roles = gateway.rolesOf(this.#guildId);
    // Discord says so when roles move, and a request that it refuses counts against the bot.
    if (roles === null || this.#problem(roles, roleId) !== null) return false;
    try {
      await inTurn(request);
      return true;
    } catch (error) {
      if (isGone(error)) return true;
      const status = httpStatus(error) ?? 0;
      if (status < 400 || status >= 500 || status === 401 || status === 429) throw error;
      const reason = `Discord refuses it: ${(error as Error).message}`;
      this.#refused.set(roleId, { until: monotonic() + retryMs, roles: textOf(roles), reason });
      report(roles, roleId, reason);
      return false;
    }
  }
}

/** The member has left the guild, or the account is gone. */
function isGone(error: unknown): boolean {
  const code = discordCode(error);
  return code === discordErrors.unknownMember || code === discordErrors.unknownUser;
}

const has = ({ roles }: GuildRoles, roleId: string): boolean => roles.some(({ id }) => id === roleId);

const textOf = (roles: GuildRoles): string =>
  JSON.stringify(roles, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

/** Starts requests some time apart, and waits where Discord's limits want more. */
export function paced(gapMs: number, signal: AbortSignal): GuildMemberRolesOptions['inTurn'] {
  let nextAt = 0;
  return async (request) => {
    for (;;) {
      const waitMs = nextAt - performance.now();
      nextAt = Math.max(nextAt, performance.now()) + gapMs;
      if (waitMs > 0) await delay(waitMs, undefined, { signal });
      try {
        return await request();
      } catch (error) {
        if (!(error instanceof RateLimitError)) throw error;
        await delay(Math.max(error.retryAfter, error.timeToReset), undefined, { signal });
      }
    }
  };
}
