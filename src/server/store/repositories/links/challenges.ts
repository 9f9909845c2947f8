import { sql } from 'kysely';
import type { Database, Reader } from '../../engine/database.ts';
import { joinInOrder } from '../../engine/dialect.ts';
import { writeProject } from '../../engine/transactions.ts';
import type { Stored } from '../../engine/schema/schema.ts';
import { deleteRows, insertRows, updateRows, upsert } from '../../engine/table-rows.ts';
import { type Merge, mergesAs } from '../players/merges.ts';
import { afterGesture, type GestureProgress } from './gesture-progress.ts';
import { type LinkOutcome, setLinkIn } from './player-links.ts';

/** For how long a member may make the gestures. */
const challengeMs = 15 * 60_000;
/** Hosts hand logs over up to half an hour late, and the member has to see what was found. */
const keptMs = 60 * 60_000;
/** A game server's clock may be off by this. */
const clockToleranceMs = 60_000;
/** For members of one Discord server at once. */
const mostOpen = 200;
/** A member draws so often at will, then after a quarter of an hour, half an hour, an hour and so on, and anew after a day. */
const drawsAtWill = 3;
const firstWaitMs = 15 * 60_000;
const drawsKeptMs = 24 * 60 * 60_000;

/** The gestures that a member shall make, and who has made them so far. */
export interface Challenge {
  gestures: readonly string[];
  startedAt: number;
  /** Gestures that are made later do not count. */
  endsAt: number;
  /** The furthest that anybody has come: the number of gestures in order. */
  seen: number;
  /** Who has made all of them; `several`: two players at once. Null: nobody yet. */
  found: { playerId: number } | 'several' | 'taken' | null;
}

/** A gesture that a player of the project has made. */
export interface PlayerGesture {
  playerId: number;
  gesture: string;
  at: number;
  /** When its line came, by this machine's clock; null: it may have been written long before. */
  cameAt: number | null;
}

/** The challenge of a member that is open, or that ended lately. Null: there is none. */
export async function findChallenge(
  db: Reader,
  projectId: string,
  memberId: string,
  now: number,
): Promise<Challenge | null> {
  const row = await db
    .selectFrom('link_challenge')
    .select(['gestures', 'started_at', 'ends_at'])
    .where('project_id', '=', projectId)
    .where('member_id', '=', memberId)
    .executeTakeFirst();
  if (row?.gestures == null || now > row.ends_at + keptMs) return null;
  // Who was first by the log's time comes first: who makes them later may have watched.
  const progress = await db
    .selectFrom('link_progress as made')
    .leftJoin('player_link as link', 'link.player_id', 'made.player_id')
    .select(['made.player_id', 'seen', 'last_at', 'proven', 'link.member_id as holder'])
    .where('made.project_id', '=', projectId)
    .where('made.member_id', '=', memberId)
    .orderBy('last_at')
    .orderBy('made.player_id')
    .execute();
  const gestures = JSON.parse(row.gestures) as string[];
  return {
    gestures,
    startedAt: row.started_at,
    endsAt: row.ends_at,
    seen: Math.max(0, ...progress.map(({ seen }) => seen)),
    found: foundAmong(
      progress
        .filter(({ seen }) => seen === gestures.length)
        .map(({ proven, holder, ...made }) => ({ ...made, isTaken: proven === 1 && holder !== memberId })),
    ),
  };
}

/** @param finished who has made all gestures, the first ones first */
function foundAmong(
  finished: readonly { player_id: number; last_at: number; isTaken: boolean }[],
): Challenge['found'] {
  const [first, second] = finished.filter(({ isTaken }) => !isTaken);
  if (first === undefined) return finished.length > 0 ? 'taken' : null;
  return first.last_at === second?.last_at ? 'several' : { playerId: first.player_id };
}

/** `busy`: too many members of the Discord server have one; `often`: the member drew too often. */
type ChallengeStart = 'started' | { refused: 'busy' | 'often'; until: number };

/**
 * Draws gestures for a member, in place of earlier ones.
 * @param draw returns gestures that differ from each other; `waiting`: how many sequences the project has then
 */
export async function startChallenge(
  db: Database,
  projectId: string,
  { userId: memberId, guildId }: { userId: string; guildId: string },
  { now, draw }: { now: number; draw: (waiting: number) => readonly string[] },
): Promise<ChallengeStart> {
  return await writeProject(db, projectId, async (tx) => {
    await tx
      .deleteFrom('link_challenge')
      .where('project_id', '=', projectId)
      .where('started_at', '<=', now - drawsKeptMs)
      .execute();
    const all = await tx
      .selectFrom('link_challenge')
      .select(['member_id', 'guild_id', 'gestures', 'started_at', 'ends_at', 'drawn'])
      .where('project_id', '=', projectId)
      .execute();
    const drawn = all.find(({ member_id }) => member_id === memberId);
    const mayDrawAt = drawn === undefined ? now : drawn.started_at + waitAfter(drawn.drawn);
    if (mayDrawAt > now) return { refused: 'often', until: mayDrawAt };
    // Members who are linked by now keep nobody waiting; their rows say how often they drew.
    const others = all.filter(({ gestures, member_id }) => gestures !== null && member_id !== memberId);
    const inGuild = others.filter(({ guild_id, ends_at }) => guild_id === guildId && ends_at > now);
    if (inGuild.length >= mostOpen)
      return { refused: 'busy', until: Math.min(...inGuild.map(({ ends_at }) => ends_at)) };
    // A gesture may still count for those that ended within the tolerance of both.
    const waiting = others.filter(({ ends_at }) => ends_at >= now - 2 * clockToleranceMs);
    const row = {
      guild_id: guildId,
      gestures: JSON.stringify(draw(waiting.length + 1)),
      started_at: now,
      ends_at: now + challengeMs,
      drawn: (drawn?.drawn ?? 0) + 1,
    };
    // What was made of the earlier one goes with it.
    const ofMember = { project_id: projectId, member_id: memberId };
    await deleteRows(tx, 'link_challenge', [ofMember]);
    await insertRows(tx, 'link_challenge', [{ ...ofMember, ...row }]);
    return 'started';
  });
}

/** How long after the latest draw a member may draw again. */
const waitAfter = (drawn: number): number =>
  drawn < drawsAtWill ? 0 : Math.min(drawsKeptMs, firstWaitMs * 2 ** (drawn - drawsAtWill));

/** Ends the challenge of a member, whatever comes of it. */
export async function endChallenge(db: Database, projectId: string, memberId: string): Promise<void> {
  await writeProject(db, projectId, async (tx) => await endIn(tx, projectId, memberId));
}

/**
 * Links a member to the player who has made the gestures, once the member has said that it is the right one.
 * @param playerId as the member was shown @returns null: it is not the player who was found, or not any more
 */
export async function confirmChallenge(
  db: Database,
  projectId: string,
  memberId: string,
  { playerId, now }: { playerId: number; now: number },
): Promise<LinkOutcome | null> {
  return await writeProject(db, projectId, async (tx) => {
    const found = (await findChallenge(tx, projectId, memberId, now))?.found;
    if (typeof found !== 'object' || found?.playerId !== playerId) return null;
    const outcome = await setLinkIn(tx, projectId, { memberId, playerId, isProven: true, linkedAt: now });
    if (outcome === 'linked') await endIn(tx, projectId, memberId);
    return outcome;
  });
}

/** The row stays, since it counts how often the member drew. */
async function endIn(tx: Database, projectId: string, memberId: string): Promise<void> {
  const ofMember = { project_id: projectId, member_id: memberId };
  await deleteRows(tx, 'link_progress', [ofMember]);
  const over = { ...ofMember, gestures: null };
  await updateRows(tx, { table: 'link_challenge', key: ['project_id', 'member_id'] }, [over]);
}

/**
 * Compares gestures with the project's challenges, in the transaction that stores how far the log was read.
 * @param made each player's in the order of the log
 */
export async function countGestures(
  tx: Database,
  projectId: string,
  made: readonly PlayerGesture[],
): Promise<void> {
  const challenges = await tx
    .selectFrom('link_challenge')
    .select(['member_id', 'gestures', 'started_at', 'ends_at'])
    .where('project_id', '=', projectId)
    .where('gestures', 'is not', null)
    .execute();
  if (challenges.length === 0) return;
  const stored = await tx
    .selectFrom('link_progress')
    .selectAll()
    .where('project_id', '=', projectId)
    .execute();
  const keyOf = (memberId: string, playerId: number): string => `${memberId} ${playerId}`;
  const progress = new Map(stored.map((row) => [keyOf(row.member_id, row.player_id), row]));
  const changed = new Map<string, Stored<'link_progress'>>();
  for (const { member_id, gestures, started_at, ends_at } of challenges) {
    const wanted = JSON.parse(gestures as string) as string[];
    const isInTime = (at: number): boolean =>
      at >= started_at - clockToleranceMs && at <= ends_at + clockToleranceMs;
    for (const one of made) {
      if (!isInTime(one.at) && (one.cameAt === null || !isInTime(one.cameAt))) continue;
      const key = keyOf(member_id, one.playerId);
      const before: GestureProgress | undefined = progress.get(key);
      const after = afterGesture(before, wanted, one);
      if (after === before || (before === undefined && after.seen === 0)) continue;
      const row = { project_id: projectId, member_id, player_id: one.playerId, ...after };
      progress.set(key, row);
      changed.set(key, row);
    }
  }
  await upsert(tx, { table: 'link_progress', key: ['project_id', 'member_id', 'player_id'] }, [
    ...changed.values(),
  ]);
}

/** Moves what players have made of challenges to those whom they turned out to be. */
export async function moveProgress(tx: Database, merges: readonly Merge[]): Promise<void> {
  await sql`
    INSERT INTO link_progress (project_id, member_id, player_id, seen, first_at, last_at)
    SELECT project_id, member_id, merged.kept, seen, first_at, last_at
    FROM ${mergesAs('merged', merges)} ${joinInOrder} link_progress ON link_progress.player_id = merged.gone
    WHERE true ON CONFLICT (project_id, member_id, player_id) DO NOTHING
  `.execute(tx);
}
