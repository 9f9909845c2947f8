import type { RoleHolders } from '../../../commands/interfaces/community.ts';
import type { RoleRecord } from '../../bot-records.ts';
import { mostRoleRechecks, roleRecheckMs } from '../../limits.ts';

/** A role that a member is to have, and what the bot knows of that. */
export interface DueRole {
  roleId: string;
  memberId: string;
  before: RoleRecord | undefined;
}

/**
 * Compares who is to have roles with what the bot has given.
 * @param wanted a role that is not in it is neither given nor taken now
 */
export function roleChanges(
  wanted: ReadonlyMap<string, RoleHolders>,
  records: readonly RoleRecord[],
  exists: (roleId: string) => boolean,
  now: number,
): { obsolete: RoleRecord[]; take: RoleRecord[]; give: DueRole[] } {
  // There is nothing to take: the role was deleted, or the bot did not give it.
  const isObsolete = ({ roleId, state }: RoleRecord): boolean => !exists(roleId) || state === 'skipped';
  // Of members who are not to have the role any more, or of deleted roles.
  const over = records.filter(
    ({ roleId, memberId }) => !exists(roleId) || wanted.get(roleId)?.has(memberId) === false,
  );
  const keyOf = (roleId: string, memberId: string): string => `${roleId} ${memberId}`;
  const known = new Map(records.map((record) => [keyOf(record.roleId, record.memberId), record]));
  const all = [...wanted].flatMap(([roleId, holders]) =>
    Array.from(holders, (memberId) => ({ roleId, memberId, before: known.get(keyOf(roleId, memberId)) })),
  );
  const isNew = ({ before }: DueRole): boolean => before === undefined || before.state === 'giving';
  // The member may have left the guild, or come back.
  const isRecheckDue = (due: DueRole): boolean => !isNew(due) && now - due.before!.at >= roleRecheckMs;
  return {
    obsolete: over.filter(isObsolete),
    take: over.filter((record) => !isObsolete(record)),
    // The other rechecks wait for the next passes, so that who is new does not wait for all of them.
    give: [...all.filter(isNew), ...all.filter(isRecheckDue).slice(0, mostRoleRechecks)],
  };
}
