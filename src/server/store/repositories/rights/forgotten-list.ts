import type { Reader } from '../../engine/database.ts';
import { StoreError } from '../../engine/error.ts';
import { completed, identityOfGameId, type PersonIdentity } from '../players/person-identity.ts';
import { hashWith, readKeys } from './forgotten-key.ts';
import type { Stored } from '../../engine/schema/schema.ts';

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

/**
 * The form of a forgotten player's name. Where the player was seen (`forgotten_name`), it is left out of queries' player
 * lists that have no identifiers.
 */
export const nameForm = (name: string): string => `name ${name.trim().normalize('NFC').toLowerCase()}`;

/** In `forgotten_name.server_id`. */
export const everyServer = '';

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

  /** The hashes of all forms, in no order. */
  get hashes(): ReadonlySet<string> {
    return this.#hashes;
  }

  /** This list with more hashes. */
  with(hashes: readonly string[]): ForgottenList {
    return new ForgottenList(this.revision, this.#keys, new Set([...this.#hashes, ...hashes]));
  }

  /** As which a form joins the list. */
  hashOf(form: string): string {
    const [first] = this.#keys;
    if (first === undefined) throw new Error('a list without a key has no hashes');
    return hashWith(first, form);
  }

  /** As which a form may be on the list. */
  hashesOf(form: string): string[] {
    return this.#keys.map((key) => hashWith(key, form));
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

export async function readForgottenList(db: Reader): Promise<ForgottenList> {
  const { list_revision } = await readRights(db);
  const keys = await readKeys(db);
  if (keys.length === 0) return new ForgottenList(list_revision, keys, new Set());
  const rows = await db.selectFrom('forgotten').select('hash').execute();
  return new ForgottenList(list_revision, keys, new Set(rows.map(({ hash }) => hash)));
}

/** Whether a name, as a query of a server lists it, is that of a forgotten player who was seen there. */
export async function readForgottenNames(
  db: Reader,
  list: ForgottenList,
): Promise<(name: string, serverId: string) => boolean> {
  if (list.isEmpty) return () => false;
  const rows = await db.selectFrom('forgotten_name').select(['hash', 'server_id']).execute();
  const known = new Set(rows.map(({ hash, server_id }) => `${hash} ${server_id}`));
  return (name, serverId) => {
    const hashes = list.hashesOf(nameForm(name));
    return hashes.some((hash) => known.has(`${hash} ${serverId}`) || known.has(`${hash} ${everyServer}`));
  };
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
