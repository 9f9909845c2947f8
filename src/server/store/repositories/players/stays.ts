import { sql } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { greatest, joinInOrder, rowsOf } from '../../engine/dialect.ts';
import { eachChunk } from '../../engine/each-chunk.ts';
import type { Stored } from '../../engine/schema/schema.ts';
import { tableRows, updateRows } from '../../engine/table-rows.ts';
import { isPseudonym } from '../rights/forgotten-list.ts';
import type { LogAge } from '../logs/log-age.ts';
import type { RosterChange, RosterPart, StoredRun, Visit } from '../logs/rosters.ts';

/** Who comes back sooner has not left: the game crashed, the server restarted. */
export const sameStayMs = 10 * 60_000;
/** Long enough for a bot that was away, and for what comes late from a host. */
const keptMs = 2 * 86_400_000;

/** Who came on and left in a part of a log. */
export interface StayPart extends RosterPart {
  age: LogAge;
}

interface LatestStay extends Pick<Stored<'stay'>, 'server_id' | 'game_id' | 'name' | 'at' | 'left_at'> {
  id: number | null;
}

/** The stays of everybody who came or left, the latest last. Mostly, nobody did. */
async function latestStays(tx: Database, parts: readonly RosterPart[]): Promise<LatestStay[]> {
  const wanted = parts.flatMap(({ serverId: server_id, change: { visits, left } }) =>
    [...visits.map(({ gameId }) => gameId), ...left.keys()].map((game_id) => ({ server_id, game_id })),
  );
  if (wanted.length === 0) return [];
  const { rows } = await sql<LatestStay>`
    SELECT stay.id, stay.server_id, stay.game_id, name, at, left_at FROM ${tableRows('wanted', wanted)}
    ${joinInOrder} stay ON stay.server_id = wanted.server_id AND stay.game_id = wanted.game_id ORDER BY stay.id
  `.execute(tx);
  return rows;
}

type NewStay = LatestStay & { continued: boolean; just_now: number };

interface StaysToSave {
  projectId: string;
  parts: readonly StayPart[];
  /** As `readRosterRuns` has read them in this transaction. */
  runs: readonly StoredRun[];
  /** Undefined: the player is forgotten. */
  playerOf: (gameId: string) => number | undefined;
  now: number;
}

/**
 * Stores who came on and who left, in the transaction that stores the positions of their logs. A copy of a log, or one that is
 * read again, changes nothing: all in it was before the latest stay ended. Stays are kept for two days whether or not an alert asks
 * for them: one that is configured later must know who has been on all along, and the bot may be another process.
 */
export async function saveStays(
  tx: Database,
  { projectId, parts, runs, playerOf, now }: StaysToSave,
): Promise<void> {
  const { restarted, changed, added } = new NextStays(parts, await latestStays(tx, parts), runs);
  if (restarted.size > 0) {
    await sql`
      UPDATE stay SET left_at = ${greatest(sql`stay.at`, sql`coalesce(v.until, stay.at)`)}
      FROM ${rowsOf('v', { server_id: 'text', until: 'integer' }, [...restarted])}
      WHERE stay.server_id = v.server_id AND stay.left_at IS NULL
    `.execute(tx);
  }
  const ended = [...changed].flatMap(({ id, left_at }) => (id === null ? [] : [{ id, left_at }]));
  await updateRows(tx, { table: 'stay', key: ['id'] }, ended);
  const rows = added.flatMap(({ server_id, game_id, name, at, left_at, continued, just_now }) => {
    const player_id = playerOf(game_id);
    if (player_id === undefined || isPseudonym(game_id)) return [];
    const player = { project_id: projectId, server_id, player_id, game_id, name };
    return [{ ...player, at, left_at, continued: Number(continued), just_now, stored_at: now }];
  });
  await eachChunk(rows, async (chunk) => {
    await tx
      .insertInto('stay')
      .values([...chunk])
      .execute();
  });
}

/**
 * Works out which stored stays change and which are new, part by part, in memory. A part of an older run than the
 * stored one, or with less of it, changes nothing.
 */
class NextStays {
  readonly #latest = new Map<string, LatestStay>();
  readonly added: NewStay[] = [];
  readonly changed = new Set<LatestStay>();
  /** Servers whose open stays end but for those that are changed, and when they were last heard of; null: unknown. */
  readonly restarted = new Map<string, number | null>();
  /** The present runs, by server. */
  readonly #runs: Map<string, Omit<StoredRun, 'server_id'>>;
  /** Those who were on when a server began a new run, and when it was last heard of before. */
  readonly #wereOn = new Map<LatestStay, number>();

  constructor(parts: readonly StayPart[], stays: readonly LatestStay[], runs: readonly StoredRun[]) {
    for (const stay of stays) this.#latest.set(keyOf(stay.server_id, stay.game_id), stay);
    this.#runs = new Map(runs.map((run) => [run.server_id, run]));
    for (const part of parts) this.#add(part);
    for (const [stay, until] of this.#wereOn) if (stay.left_at === null) this.#end(stay, until);
  }

  #add(part: StayPart): void {
    const { serverId, change } = part;
    const { run, left, visits } = change;
    const present = this.#runs.get(serverId);
    const isOfPresent = present !== undefined && reachesAsFar(change, present);
    const begins =
      run?.isNew === true &&
      (present === undefined ||
        run.header > present.header ||
        (isOfPresent && change.ended.has(present.header)));
    // An older run, or a copy that is behind: whoever is on, came after it.
    if (!isOfPresent && !begins) return;
    if (isOfPresent) for (const [gameId, at] of left) this.#leave(serverId, gameId, at);
    if (begins) this.#restart(serverId, present?.logged_at ?? null);
    const isReadAgain = run?.isNew === true && run.header === present?.header;
    for (const visit of visits) this.#come(part, visit);
    if (isReadAgain && run.isComplete) this.#keepOnly(part, present.logged_at);
    if (run !== null) this.#runs.set(serverId, { header: run.header, logged_at: run.loggedAt });
  }

  /** A server that begins a new run has nobody on; when they left, the part may say. */
  #restart(serverId: string, until: number | null): void {
    if (!this.restarted.has(serverId)) this.restarted.set(serverId, until);
    for (const stay of this.#latest.values())
      if (stay.server_id === serverId && stay.left_at === null) this.#wereOn.set(stay, until ?? stay.at);
  }

  /** Who was on before a log lost its start, and is on no list since, left without a line that says so. */
  #keepOnly({ serverId, change: { visits } }: StayPart, until: number): void {
    if (!this.restarted.has(serverId)) this.restarted.set(serverId, until);
    for (const { gameId } of visits) {
      const stay = this.#latest.get(keyOf(serverId, gameId));
      if (stay?.left_at === null) this.changed.add(stay);
    }
  }

  #leave(serverId: string, gameId: string, at: number): void {
    const stay = this.#latest.get(keyOf(serverId, gameId));
    if (stay?.left_at === null) this.#end(stay, at);
  }

  /** The clock may have been set back since the stay began. */
  #end(stay: LatestStay, at: number): void {
    stay.left_at = Math.max(at, stay.at);
    this.changed.add(stay);
  }

  #come({ serverId, age }: StayPart, { gameId, name, at, leftAt }: Visit): void {
    const key = keyOf(serverId, gameId);
    const before = this.#latest.get(key);
    if (before?.left_at === null) {
      const until = this.#wereOn.get(before);
      if (until === undefined || at <= before.at) {
        // The log is read again, and further.
        if (leftAt !== null && at >= before.at) this.#end(before, leftAt);
        return;
      }
      this.#end(before, until);
    }
    if (before !== undefined && at < (before.left_at ?? at)) return;
    const continued = before !== undefined && at - (before.left_at ?? at) <= sameStayMs;
    if (before !== undefined && continued && before.name === name) {
      before.left_at = leftAt;
      this.changed.add(before);
      this.#wereOn.delete(before);
      return;
    }
    if (age === 'history') return;
    const stay = { id: null, server_id: serverId, game_id: gameId, name, at, left_at: leftAt };
    const added = { ...stay, continued, just_now: Number(age === 'misdated') };
    this.#latest.set(key, added);
    this.added.push(added);
  }
}

/** Whether a part of a log knows as much of a run as is stored, or what comes after it. */
const reachesAsFar = (
  { run, ended }: RosterChange,
  { header, logged_at }: Omit<StoredRun, 'server_id'>,
): boolean =>
  run?.follows === header ||
  (run?.header === header && run.loggedAt >= logged_at) ||
  (ended.get(header) ?? Number.NEGATIVE_INFINITY) >= logged_at;

const keyOf = (serverId: string, gameId: string): string => `${serverId} ${gameId}`;

/** Deletes stays that were stored long ago. */
export async function deleteOldStays(db: Database, now: number): Promise<void> {
  // Ids are in the order in which stays were stored, so none is read that stays, but the first.
  await sql`
    DELETE FROM stay WHERE id < coalesce(
      (SELECT id FROM stay WHERE stored_at >= ${now - keptMs} ORDER BY id LIMIT 1), ${Number.MAX_SAFE_INTEGER}
    )
  `.execute(db);
}
