/** What an application may be allowed to read. An operation needs one of these and a plan. */
export const scopes = [
  'project:read',
  'servers:read',
  'schedules:read',
  'leaderboards:read',
  'players:read',
  'banlists:read',
] as const;

export type Scope = (typeof scopes)[number];

/** Subscription plans, lowest first. */
export const plans = ['FREE', 'LITE', 'PRO'] as const;

export type Plan = (typeof plans)[number];

/** Whether a project on plan `held` may use what needs `required`. */
export function planIncludes(held: Plan, required: Plan): boolean {
  return plans.indexOf(held) >= plans.indexOf(required);
}
