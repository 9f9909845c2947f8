import { createHmac, randomBytes } from 'node:crypto';
import type { Database, Reader } from '../../engine/database.ts';
import { StoreError } from '../../engine/error.ts';
import { completed, identityOfGameId, type PersonIdentity } from '../players/person-identity.ts';
import type { Stored } from '../../engine/schema/schema.ts';
import { upsert } from '../../engine/table-rows.ts';

/** A hash on the list is made with a key, which lies in the store. */
const keyBytes = 32;

function hashWith(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** The forms under which a person is known, as text: every identifier with its kind. */
export function formsOf(identity: PersonIdentity): string[] {
  const { steam_id64, dayz_id, battleye_guid, cftools_id } = completed(identity);
  return [
    ...(steam_id64 === null ? [] : [`steam ${steam_id64}`]),
    ...(dayz_id === null ? [] : [`game ${dayz_id}`]),
    ...(battleye_guid === null ? [] : [`battleye ${battleye_guid.toLowerCase()}`]),
    ...(cftools_id === null ? [] : [`cftools ${cftools_id.toLowerCase()}`]),
  ];
}

/** The form of a forgotten player's name, which is left out of queries' player lists that have no identifiers. */
export const nameForm = (name: string): string => `name ${name.trim().normalize('NFC').toLowerCase()}`;

/** Game ids that stand for forgotten players start with it; no game's ids do. */
const pseudonymMark = '~';
export const isPseudonym = (gameId: string): boolean => gameId.startsWith(pseudonymMark);

/**
 * The people who are forgotten, as keyed hashes of every known form of their identifiers. In the state of a log's reader
 * and in deaths, a pseudonym stands for such a person: the same throughout a run, another in each, so that reading on and
 * reading again find the same rows.
 */
export class ForgottenList {
  /** `rights.list_revision`. */
  readonly revision: number;
  readonly #keys: readonly Buffer[];
  readonly #hashes: ReadonlySet<string>;

  /** @param keys new hashes are made with the first */
  constructor(revision: number, keys: readonly Buffer[], hashes: ReadonlySet<string>) {
    this.revision = revision;
    this.#keys = keys;
    this.#hashes = hashes;
  }

  get isEmpty(): boolean {
    return this.#hashes.size === 0;
  }

  with(hashes: readonly string[]): ForgottenList {
    return new ForgottenList(this.revision, this.#keys, new Set([...this.#hashes, ...hashes]));
  }

  /** As which a form joins the list. */
  hashOf(form: string): string {
    const [first] = this.#keys;
    if (first === undefined) throw new Error('a list without a key has no hashes');
    return hashWith(first, form);
  }

  has(form: string): boolean {
    return !this.isEmpty && this.#keys.some((key) => this.#hashes.has(hashWith(key, form)));
  }

  hasPerson(identity: PersonIdentity): boolean {
    return !this.isEmpty && formsOf(identity).some((form) => this.has(form));
  }

  /** Gives the pseudonyms of forgotten players in a run; null: the player is not forgotten. */
  pseudonyms(header: string): (gameId: string) => string | null {
    if (this.isEmpty) return () => null;
    const known = new Map<string, string | null>();
    return (gameId) => {
      let pseudonym = known.get(gameId);
      if (pseudonym === undefined) {
        const isForgotten = !isPseudonym(gameId) && this.hasPerson(identityOfGameId(gameId));
        pseudonym = isForgotten ? this.pseudonymOf(header, gameId) : null;
        known.set(gameId, pseudonym);
      }
      return pseudonym;
    };
  }

  pseudonymOf(header: string, gameId: string): string {
    return `${pseudonymMark}${this.hashOf(`run ${header} ${gameId}`)}`;
  }

  /** Text with the names of forgotten players replaced. A name counts from word to word. */
  withoutNames(text: string): string {
    if (this.isEmpty) return text;
    const words = [...text.matchAll(/\S+/g)].map(
      ({ 0: word, index }) => [index, index + word.length] as const,
    );
    let shown = '';
    let end = 0;
    for (let first = 0; first < words.length;) {
      const length = this.#nameLength(text, words.slice(first, first + longestNameWords));
      if (length > 0) {
        shown += `${text.slice(end, words[first]?.[0])}…`;
        end = words[first + length - 1]?.[1] ?? text.length;
      }
      first += Math.max(1, length);
    }
    return shown + text.slice(end);
  }

  /** How many of these words are the longest name that begins with the first; 0: none does. */
  #nameLength(text: string, words: readonly (readonly [from: number, to: number])[]): number {
    for (let length = words.length; length > 0; length -= 1) {
      const phrase = text.slice(words[0]?.[0], words[length - 1]?.[1]);
      const bare = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su.exec(phrase)?.[0] ?? '';
      if ([phrase, bare].some((name) => name !== '' && this.has(nameForm(name)))) return length;
    }
    return 0;
  }
}

/** Names have at most about thirty characters. */
const longestNameWords = 6;

/**
 * The keys of the list: new hashes are made with the first. There are several after a restore into a data folder that
 * had a list of its own. None: nobody was ever forgotten.
 */
export async function readKeys(db: Reader): Promise<Buffer[]> {
  const rows = await db.selectFrom('forgotten_key').select('key').orderBy('id').execute();
  return rows.map(({ key }) => Buffer.from(key, 'hex'));
}

/** The keys of the list, with a new key if there is none. */
export async function readOrMakeKeys(tx: Database): Promise<Buffer[]> {
  const known = await readKeys(tx);
  if (known.length > 0) return known;
  const key = randomBytes(keyBytes);
  await addKeys(tx, [key]);
  return [key];
}

/** Adds keys after those that the list has. */
export async function addKeys(tx: Database, keys: readonly Buffer[]): Promise<void> {
  const rows = keys.map((key) => ({ key: key.toString('hex') }));
  await upsert(tx, { table: 'forgotten_key', key: ['key'] }, rows);
}

export async function readForgottenList(db: Reader): Promise<ForgottenList> {
  const { list_revision } = await readRights(db);
  const keys = await readKeys(db);
  if (keys.length === 0) return new ForgottenList(list_revision, keys, new Set());
  const rows = await db.selectFrom('forgotten').select('hash').execute();
  return new ForgottenList(list_revision, keys, new Set(rows.map(({ hash }) => hash)));
}

export async function readRights(db: Reader): Promise<Omit<Stored<'rights'>, 'id'>> {
  return await db
    .selectFrom('rights')
    .select(['revision', 'list_revision', 'wipe_wanted'])
    .executeTakeFirstOrThrow();
}

/** What logs were read with has changed, so nothing of it is stored. */
export class ReadAgainError extends StoreError {}

/** The list of forgotten players has grown since logs began to be read with it. */
export class ListChangedError extends ReadAgainError {
  constructor() {
    super('players were forgotten while logs were read: read them again');
  }
}
