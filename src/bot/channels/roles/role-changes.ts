import type { RoleHolders } from '../../../commands/interfaces/community.ts';
import type { RoleRecord } from '../../bot-records.ts';
import { mostRoleRechecks, roleRecheckMs } from '../../limits.ts';

/** A role that a member is to have. */
export interface DueRole {
  roleId: string;
  memberId: string;
  /** Undefined: the bot has done nothing about it yet. */
  before: RoleRecord | undefined;
}

interface RoleChanges {
  /** What needs no record any more: the role was deleted, or the member has it from somebody else. */
  forget: RoleRecord[];
  /** Roles that the bot gave, or may have given, to members who are not to have them any more. */
  take: RoleRecord[];
  /** Roles that members do not have yet, as far as the bot knows, and some that are to be looked at again. */
  give: DueRole[];
}

const keyOf = ({ roleId, memberId }: Pick<RoleRecord, 'roleId' | 'memberId'>): string =>
  `${roleId} ${memberId}`;

/**
 * Compares who is to have the roles of a guild with what the bot did about them.
 * @param wanted by role. One that the guild has and that is not in it is neither given nor taken now
 * @param exists whether the guild has a role
 */
export function roleChanges(
  wanted: ReadonlyMap<string, RoleHolders>,
  records: readonly RoleRecord[],
  exists: (roleId: string) => boolean,
  now: number,
): RoleChanges {
  const deleted = records.filter(({ roleId }) => !exists(roleId));
  const over = records.filter(
    ({ roleId, memberId }) => exists(roleId) && wanted.get(roleId)?.has(memberId) === false,
  );
  const byKey = new Map(records.map((record) => [keyOf(record), record]));
  const all = [...wanted].flatMap(([roleId, holders]) =>
    Array.from(holders, (memberId): DueRole => {
      return { roleId, memberId, before: byKey.get(keyOf({ roleId, memberId })) };
    }),
  );
  // The process may have ended while it gave the role.
  const isNew = ({ before }: DueRole): boolean => before === undefined || before.state === 'giving';
  // The member may have left the guild or come back, and a moderator may have taken the role.
  const recheckedBy = now - roleRecheckMs;
  const rechecks = all.filter((due) => !isNew(due) && (due.before?.at ?? now) <= recheckedBy);
  return {
    forget: [...deleted, ...over.filter(({ state }) => state === 'skipped')],
    take: over.filter(({ state }) => state !== 'skipped'),
    // The other rechecks wait for the next passes, so that who is new does not wait for all of them.
    give: [...all.filter(isNew), ...rechecks.slice(0, mostRoleRechecks)],
  };
}
