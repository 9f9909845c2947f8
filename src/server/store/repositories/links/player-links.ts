import type { Database, Reader } from '../../engine/database.ts';
import { valuesOf } from '../../engine/dialect.ts';
import { visibility } from '../../engine/schema/rights-tables.ts';
import { writeProject, writeStore } from '../../engine/transactions.ts';
import { updateRows, upsert } from '../../engine/table-rows.ts';
import { type Merge, playersOf, targetsOf } from '../players/merges.ts';
import { setVisibility } from '../rights/hide-player.ts';

/** A member of Discord and the player who the member is. */
interface PlayerLink {
  /** Discord id. */
  memberId: string;
  /** The player's id in the store. */
  playerId: number;
  /** False: the member only says so. */
  isProven: boolean;
  /** Epoch milliseconds. */
  linkedAt: number;
}

/** A link with what names the player. */
interface NamedLink extends PlayerLink {
  name: string | null;
  /** The strongest one that the contract knows; null: there is none, as on consoles. */
  identifier: string | null;
  isHidden: boolean;
}

const links = (db: Reader) =>
  db
    .selectFrom('player_link')
    .innerJoin('player', 'player.id', 'player_link.player_id')
    .select(['member_id as memberId', 'player_id as playerId', 'proven', 'linked_at as linkedAt'])
    .select(['name', 'steam_id64', 'battleye_guid', 'cftools_id', 'hidden']);

type LinkRow = Awaited<ReturnType<ReturnType<typeof links>['execute']>>[number];

function linkOf(row: LinkRow | undefined): NamedLink | null {
  if (row === undefined) return null;
  const { proven, steam_id64, battleye_guid, cftools_id, hidden, ...link } = row;
  const identifier = steam_id64 ?? battleye_guid ?? cftools_id;
  return { ...link, identifier, isProven: proven === 1, isHidden: hidden !== visibility.shown };
}

export async function findLinkOfMember(
  db: Reader,
  projectId: string,
  memberId: string,
): Promise<NamedLink | null> {
  const own = links(db).where('player_link.project_id', '=', projectId).where('member_id', '=', memberId);
  return linkOf(await own.executeTakeFirst());
}

export async function findLinkOfPlayer(db: Reader, playerId: number): Promise<NamedLink | null> {
  return linkOf(await links(db).where('player_id', '=', playerId).executeTakeFirst());
}

/**
 * `taken`: the player is linked to another member; a proof takes over that member's claim, but no proven link. `held`: the
 * member is proven to be another player, and has to remove that link first.
 */
export type LinkOutcome = 'linked' | 'taken' | 'held';

/**
 * Links a member to a player of the project. A proven link takes the place of claims, its member's and others' to the same
 * player; a claim takes the place of the member's earlier claim only.
 */
export async function setLink(db: Database, projectId: string, link: PlayerLink): Promise<LinkOutcome> {
  return await writeProject(db, projectId, async (tx) => await setLinkIn(tx, projectId, link));
}

/** `setLink` within a transaction of the project. */
export async function setLinkIn(tx: Database, projectId: string, link: PlayerLink): Promise<LinkOutcome> {
  const { memberId, playerId, isProven, linkedAt } = link;
  const own = await findLinkOfMember(tx, projectId, memberId);
  if (own?.isProven === true) return own.playerId === playerId ? 'linked' : 'held';
  const other = await findLinkOfPlayer(tx, playerId);
  if (other !== null && other.memberId !== memberId) {
    if (other.isProven || !isProven) return 'taken';
    await removeLink(tx, projectId, other.memberId);
  }
  const key = { project_id: projectId, member_id: memberId };
  const row = { ...key, player_id: playerId, proven: Number(isProven), linked_at: linkedAt };
  await upsert(tx, { table: 'player_link', key: ['project_id', 'member_id'] }, [row]);
  return 'linked';
}

/** @returns whether there was a link */
export async function removeLink(db: Database, projectId: string, memberId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('player_link')
    .where('project_id', '=', projectId)
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/**
 * Hides the player of a proven member, or shows the player again, in a transaction of the whole store.
 * @returns whether the member is proven
 */
export async function setOwnVisibility(
  db: Database,
  projectId: string,
  memberId: string,
  isHidden: boolean,
): Promise<boolean> {
  return await writeStore(db, async (tx) => {
    const link = await findLinkOfMember(tx, projectId, memberId);
    if (link?.isProven !== true) return false;
    if (link.isHidden !== isHidden)
      await setVisibility(tx, [link.playerId], isHidden ? visibility.hidden : visibility.shown);
    return true;
  });
}

/** Moves the links of players to those whom they turned out to be. Of several, a proven one stays, or the earliest. */
export async function moveLinks(tx: Database, merges: readonly Merge[]): Promise<void> {
  const into = targetsOf(merges);
  const rows = await tx
    .selectFrom('player_link')
    .select(['project_id', 'member_id', 'player_id'])
    .where('player_id', 'in', valuesOf('integer', playersOf(merges)))
    .orderBy('proven', 'desc')
    .orderBy('linked_at')
    .orderBy('member_id')
    .execute();
  const moved = rows.map((row) => ({ ...row, player_id: into.get(row.player_id) ?? row.player_id }));
  const kept = new Map(moved.toReversed().map((row) => [row.player_id, row]));
  const gone = moved.filter((row) => kept.get(row.player_id) !== row);
  for (const { project_id, member_id } of gone) await removeLink(tx, project_id, member_id);
  await updateRows(tx, { table: 'player_link', key: ['project_id', 'member_id'] }, [...kept.values()]);
}
