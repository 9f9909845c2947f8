import { parseIdentifier } from '../../../../api/identifiers.ts';
import type { Database, Reader } from '../../engine/database.ts';
import { valuesOf } from '../../engine/dialect.ts';
import { writeProject } from '../../engine/transactions.ts';
import { hasNotEnded } from '../bans/served-bans.ts';
import { identityOfRow, type IdentityRow } from '../players/person-identity.ts';
import { type ForgottenList, formsOf, nameForm } from '../rights/forgotten-list.ts';

/** Whom an entry is about. The last two: no player is known yet, or several. */
export type WatchSubject = { playerId: number } | { identifier: string } | { name: string };

interface WatchDetails {
  reason: string | null;
  /** Epoch milliseconds; null: until it is removed. */
  expiresAt: number | null;
  /** Discord id of the moderator. */
  addedBy: string;
}

export interface WatchEntry extends WatchDetails {
  id: number;
  addedAt: number;
  playerId: number | null;
  identifier: string | null;
  /** The player's latest name, or the name that is watched. */
  name: string | null;
}

/** Every moderator can read a list of this length, and each arrival is compared with all of it. */
export const mostEntries = 500;

/** The entries of a project that have not ended, the latest first. */
export async function readEntries(db: Reader, projectId: string, now: number): Promise<WatchEntry[]> {
  const rows = await db
    .selectFrom('watch_entry as entry')
    .leftJoin('player', 'player.id', 'entry.player_id')
    .select(['entry.id', 'player_id as playerId', 'identifier', 'reason', 'expires_at as expiresAt'])
    .select(['added_at as addedAt', 'added_by as addedBy'])
    .select(['entry.name as watchedName', 'player.name as playerName'])
    .where('entry.project_id', '=', projectId)
    .where(hasNotEnded(now))
    .orderBy('entry.id', 'desc')
    .execute();
  return rows.map(({ watchedName, playerName, ...entry }) => ({
    ...entry,
    name: entry.playerId === null ? watchedName : playerName,
  }));
}

/** A name without the number that games add where several players on a server share it. */
export const withoutNumber = (name: string): string => name.trim().replace(/(?<=.) ?\(\d+\)$/, '');

/** The form in which names are compared with those of watched players. */
export const watchedForm = (name: string): string => nameForm(withoutNumber(name));

/** Adds an entry, in place of one with the same subject. @returns its id; null: the list is full */
export async function addEntry(
  db: Database,
  projectId: string,
  subject: WatchSubject,
  { reason, expiresAt, addedBy }: WatchDetails,
  now: number,
): Promise<number | null> {
  return await writeProject(db, projectId, async (tx) => {
    const entries = await readEntries(tx, projectId, now);
    const same = entries.filter((entry) => isAbout(entry, subject));
    if (entries.length - same.length >= mostEntries) return null;
    const ids = same.map(({ id }) => id);
    await tx.deleteFrom('watch_entry').where('id', 'in', valuesOf('integer', ids)).execute();
    const { id } = await tx
      .insertInto('watch_entry')
      .values({
        project_id: projectId,
        player_id: 'playerId' in subject ? subject.playerId : null,
        identifier: 'identifier' in subject ? subject.identifier : null,
        name: 'name' in subject ? subject.name : null,
        // Who only changes the end has not taken the reason back.
        reason: reason ?? same[0]?.reason ?? null,
        expires_at: expiresAt,
        added_at: now,
        added_by: addedBy,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
}

function isAbout(entry: WatchEntry, subject: WatchSubject): boolean {
  if ('playerId' in subject) return entry.playerId === subject.playerId;
  if ('identifier' in subject) return entry.identifier === subject.identifier;
  const { playerId, identifier, name } = entry;
  return playerId === null && identifier === null && nameForm(name ?? '') === nameForm(subject.name);
}

/** @returns whether the project had the entry */
export async function removeEntry(db: Database, projectId: string, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('watch_entry')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function deleteEndedEntries(db: Database, now: number): Promise<void> {
  await db.deleteFrom('watch_entry').where('expires_at', '<=', now).execute();
}

/** Deletes entries about identifiers and names of forgotten players; those about players go with the players. */
export async function forgetEntries(tx: Database, list: ForgottenList): Promise<void> {
  const rows = await tx
    .selectFrom('watch_entry')
    .select(['id', 'identifier', 'name'])
    .where('player_id', 'is', null)
    .execute();
  const forgotten = rows.filter((row) => formsOfEntry(row).some((form) => list.has(form)));
  const ids = forgotten.map(({ id }) => id);
  await tx.deleteFrom('watch_entry').where('id', 'in', valuesOf('integer', ids)).execute();
}

/** The forms by which an entry that is about no stored player finds one. */
function formsOfEntry({ identifier, name }: Pick<WatchEntry, 'identifier' | 'name'>): string[] {
  if (identifier === null) return name === null ? [] : [nameForm(name)];
  const known = parseIdentifier(identifier);
  // The game's own id.
  if (known === null) return formsOf({ dayzId: identifier });
  return formsOf({ [known.kind]: known.value });
}

/** The entries by player, and by the forms of identifiers and names. */
export class WatchIndex {
  readonly #byPlayer = new Map<number, WatchEntry>();
  readonly #byForm = new Map<string, WatchEntry>();

  constructor(entries: readonly WatchEntry[]) {
    for (const entry of entries) {
      if (entry.playerId !== null) this.#byPlayer.set(entry.playerId, entry);
      else if (entry.identifier === null) this.#byForm.set(watchedForm(entry.name ?? ''), entry);
      else for (const form of formsOfEntry(entry)) this.#byForm.set(form, entry);
    }
  }

  /** The entry about a player who comes on under a name. */
  of(player: IdentityRow & { id: number }, name: string): WatchEntry | null {
    const forms = [...formsOf(identityOfRow(player)), watchedForm(name)];
    const found = forms.find((form) => this.#byForm.has(form));
    return this.#byPlayer.get(player.id) ?? this.#byForm.get(found ?? '') ?? null;
  }
}
