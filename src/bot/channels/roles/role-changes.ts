import type { RoleHolders } from '../../../commands/interfaces/member-roles.ts';
import type { RoleRecord } from '../../bot-records.ts';
import { roleRecheckMs } from '../../limits.ts';

interface Roles {
  /** Who is to have each role. A role that is not in it is neither given nor taken now. */
  wanted: ReadonlyMap<string, RoleHolders>;
  /** What the bot knows of members and roles. */
  records: readonly RoleRecord[];
  /** Whether the guild has the role. */
  exists: (roleId: string) => boolean;
  /** Epoch milliseconds. */
  now: number;
}

/** A role that a member is to have, and what the bot knows of that. */
export interface WantedRole {
  roleId: string;
  before: RoleRecord | undefined;
}

interface RoleChanges {
  /** Of no use any more: the role was deleted, or the bot has nothing to take. */
  obsolete: RoleRecord[];
  take: RoleRecord[];
  /** By member: the roles that the member is to have and, as far as the bot knows, does not have. */
  give: Map<string, WantedRole[]>;
  /** By member: the roles of whom nothing recent is known. The member may have left the guild, or come back. */
  recheck: Map<string, WantedRole[]>;
}

/** Compares who is to have roles with what the bot has given. */
export function roleChanges({ wanted, records, exists, now }: Roles): RoleChanges {
  const changes: RoleChanges = { obsolete: [], take: [], give: new Map(), recheck: new Map() };
  const keyOf = (roleId: string, memberId: string): string => `${roleId} ${memberId}`;
  const known = new Map(records.map((record) => [keyOf(record.roleId, record.memberId), record]));
  for (const record of records) {
    const holders = wanted.get(record.roleId);
    if (!exists(record.roleId)) changes.obsolete.push(record);
    else if (holders?.has(record.memberId) === false)
      (record.state === 'skipped' ? changes.obsolete : changes.take).push(record);
  }
  for (const [roleId, holders] of wanted) {
    for (const memberId of holders) {
      const before = known.get(keyOf(roleId, memberId));
      const isGiven = before !== undefined && before.state !== 'giving';
      if (isGiven && now - before.at < roleRecheckMs) continue;
      const to = isGiven ? changes.recheck : changes.give;
      to.set(memberId, [...(to.get(memberId) ?? []), { roleId, before }]);
    }
  }
  return changes;
}
