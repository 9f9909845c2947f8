import type { BoardMetric, PeriodKind } from '../../api/log-metrics.ts';

/** What a member must be or do to have a role: one of these. A period is the running one; left out: all time. */
export interface RoleRule {
  linked?: true | undefined;
  playTime?: { hours: number; period?: PeriodKind | undefined } | undefined;
  rank?: { first: number; metric: BoardMetric; period?: PeriodKind | undefined } | undefined;
  playedWithin?: { days: number } | undefined;
}

/** Who is to have a role, as ids of members. */
export type RoleHolders = ReadonlySet<string>;

/** A role of the config. Several with the same id are several ways to that role. */
export interface RoleConfig extends RoleRule {
  roleId: string;
}

/**
 * Returns who is to have each of these roles now: who meets any of its rules. A text says why that cannot be known; then nobody
 * gets or loses the role.
 */
export type RoleMembers = (
  roles: readonly RoleConfig[],
) => Promise<ReadonlyMap<string, RoleHolders | string>>;

/** What the bot knows of a member and a role. */
export interface RoleRecord {
  roleId: string;
  memberId: string;
  /**
   * `giving`: the bot is about to give it, and may have. `given`: the bot gave it, so it may take it. `skipped`: the member has
   * it from somebody else, or is not in the guild, so the bot leaves both alone.
   */
  state: 'giving' | 'given' | 'skipped';
  /** When the bot last found that out, epoch milliseconds. */
  at: number;
}

/** What the bot remembers of the roles of members, by guild. */
export interface RoleRecords {
  /** The guilds of which something is remembered. */
  guilds(): Promise<readonly string[]>;
  of(guildId: string): Promise<readonly RoleRecord[]>;
  /** Remembers these, in place of what was known of the same members and roles. */
  set(guildId: string, records: readonly RoleRecord[]): Promise<void>;
  remove(guildId: string, records: readonly Pick<RoleRecord, 'roleId' | 'memberId'>[]): Promise<void>;
  /** Forgets all of a guild. */
  forget(guildId: string): Promise<void>;
}
