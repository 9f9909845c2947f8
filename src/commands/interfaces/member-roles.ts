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
