import type { RoleHolders, RoleRecord } from '../../../commands/ports/member-roles.ts';

interface RoleState {
  /** Who is to have each role. A role that is not in it is neither given nor taken now. */
  due: ReadonlyMap<string, RoleHolders>;
  records: readonly RoleRecord[];
  /** Whether the guild has the role. */
  exists: (roleId: string) => boolean;
  /** Epoch milliseconds. */
  now: number;
  /** Records older than this are checked again. */
  recheckMs: number;
}

/** A role that a member is to have, and what the bot knew of that. */
export interface DueRole {
  roleId: string;
  before: RoleRecord | undefined;
}

export interface RolePlan {
  /** Of no use any more: the role was deleted, or the bot has nothing to take. */
  obsolete: RoleRecord[];
  take: RoleRecord[];
  /** The roles that each member is to have and, as far as the bot knows, does not have. */
  give: Map<string, DueRole[]>;
  /** The roles of members of whom the bot knows nothing recent: they may have left the guild, or come back. */
  recheck: Map<string, DueRole[]>;
}

/** Compares who is due with what the bot has given. */
export function planRoles({ due, records, exists, now, recheckMs }: RoleState): RolePlan {
  const plan: RolePlan = { obsolete: [], take: [], give: new Map(), recheck: new Map() };
  const known = new Map<string, Map<string, RoleRecord>>();
  for (const record of records) {
    const { roleId, memberId, state } = record;
    const holders = due.get(roleId);
    if (!exists(roleId)) plan.obsolete.push(record);
    else if (holders?.has(memberId) === true) {
      const ofRole = known.get(roleId) ?? new Map<string, RoleRecord>();
      known.set(roleId, ofRole.set(memberId, record));
    } else if (holders !== undefined) (state === 'skipped' ? plan.obsolete : plan.take).push(record);
  }
  for (const [roleId, holders] of due) {
    for (const memberId of holders) {
      const before = known.get(roleId)?.get(memberId);
      const isUnfinished = before === undefined || before.state === 'giving';
      if (isUnfinished) add(plan.give, memberId, { roleId, before });
      else if (now - before.at >= recheckMs) add(plan.recheck, memberId, { roleId, before });
    }
  }
  return plan;
}

function add(plan: Map<string, DueRole[]>, memberId: string, role: DueRole): void {
  const roles = plan.get(memberId);
  if (roles === undefined) plan.set(memberId, [role]);
  else roles.push(role);
}
