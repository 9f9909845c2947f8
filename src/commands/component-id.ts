import { createHash } from 'node:crypto';

/*
 * The `custom_id` of a button or menu has everything that the bot needs to answer it. Components therefore keep working
 * after a restart. A custom_id is untrusted input and is validated as such.
 */

/** Discord's limit for a custom_id. */
const mostCharacters = 100;

/** Incremented when the format changes, to distinguish outdated ids from foreign ones. */
const version = 1;

interface ComponentId {
  /** The command whose answer has the component. */
  command: string;
  action: string;
  /** Discord id of the member who ran the command. */
  ownerId: string;
  /** Arguments in the command's own order. Each consists of `A-Z a-z 0-9 . _ ~ -`, or is `*`. */
  args: readonly string[];
}

const commandPattern = /^[a-z][a-z0-9-]{0,31}$/;
const actionPattern = /^[a-z]{1,16}$/;
const ownerPattern = /^[0-9a-z]{1,13}$/;
const argPattern = /^(?:[A-Za-z0-9._~-]{0,64}|\*)$/;

const textOf = ({ command, action, ownerId, args }: ComponentId): string =>
  [`o${version}`, command, action, BigInt(ownerId).toString(36), ...args].join(':');

/** Whether Discord takes a custom_id of this length. */
export const hasRoom = (id: ComponentId): boolean => textOf(id).length <= mostCharacters;

/** The custom_id, `o1:top:view:3k9…:PLAYER_KILLS:10:2`. @throws RangeError if the result is invalid */
export function writeComponentId(id: ComponentId): string {
  const text = textOf(id);
  if (!hasValidParts(id) || text.length > mostCharacters) throw new RangeError(`not a custom_id: ${text}`);
  return text;
}

const hasValidParts = ({ command, action, args }: Omit<ComponentId, 'ownerId'>): boolean =>
  commandPattern.test(command) && actionPattern.test(action) && args.every((arg) => argPattern.test(arg));

/** Parses a custom_id. `outdated`: written by another version of the bot; `foreign`: not written by the bot. */
export function readComponentId(text: string): ComponentId | 'outdated' | 'foreign' {
  const [form = '', command = '', action = '', owner = '', ...args] = text.split(':');
  if (!/^o[1-9][0-9]{0,3}$/.test(form) || text.length > mostCharacters) return 'foreign';
  if (form !== `o${version}`) return 'outdated';
  if (!hasValidParts({ command, action, args }) || !ownerPattern.test(owner)) return 'foreign';
  const ownerId = String([...owner].reduce((sum, digit) => sum * 36n + BigInt(parseInt(digit, 36)), 0n));
  return { command, action, ownerId, args };
}

/* Discord limits a custom_id to 100 characters, so long ids and names stand in it as digests. They keep nothing secret. */

/** An id for a custom_id: unchanged if it is short and plain, or a digest already; otherwise a digest. */
export function shortRef(id: string): string {
  return /^~?[A-Za-z0-9._-]{1,32}$/.test(id) ? id : digestRef(id);
}

const digestLength = 17;

/** A ref that is short enough to share a custom_id with others. */
export const shorterRef = (ref: string): string => (ref.length > digestLength ? digestRef(ref) : ref);

/** Whether a ref of a custom_id is that of an id. */
export const isRefOf = (ref: string, id: string): boolean =>
  ref === shortRef(id) || (ref.startsWith('~') && ref === digestRef(id));

/** A digest of an id or name with a leading `~`, 17 characters. */
export function digestRef(id: string): string {
  return `~${createHash('sha256').update(id).digest('base64url').slice(0, 16)}`;
}
