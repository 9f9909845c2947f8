/*
 * What a button or a menu does stands in its `custom_id`, whole: it means the same after a restart of the bot and on a
 * message from last week. Discord hands a custom_id back as it was sent, yet what is read here is checked like any input.
 */

/** Discord's limit of a custom_id. */
const mostCharacters = 100;

/** Raised when the form changes; what an older bot wrote is then told apart from what is not ours. */
const version = 1;

export interface ComponentId {
  /** Name of the command whose answer it stands on. */
  command: string;
  /** What a press does: a word that the command knows. */
  action: string;
  /** Discord id of who asked for the message. */
  ownerId: string;
  /** What the command has to know besides, in its own order; each of `A-Z a-z 0-9 . _ ~ -`, or `*`. */
  args: readonly string[];
}

const commandPattern = /^[a-z][a-z0-9-]{0,31}$/;
const actionPattern = /^[a-z]{1,16}$/;
const ownerPattern = /^[0-9a-z]{1,13}$/;
const argPattern = /^(?:[A-Za-z0-9._~-]{0,64}|\*)$/;

/** The custom_id, `o1:top:view:3k9…:PLAYER_KILLS:10:2`. @throws RangeError when it would not be one */
export function writeComponentId({ command, action, ownerId, args }: ComponentId): string {
  const owner = BigInt(ownerId).toString(36);
  const text = [`o${version}`, command, action, owner, ...args].join(':');
  const valid = commandPattern.test(command) && actionPattern.test(action) && args.every(isArg);
  if (!valid || text.length > mostCharacters) throw new RangeError(`not a custom_id: ${text}`);
  return text;
}

const isArg = (text: string): boolean => argPattern.test(text);

/** What a custom_id says; `outdated`: another version of the bot wrote it, `foreign`: no version did. */
export function readComponentId(text: string): ComponentId | 'outdated' | 'foreign' {
  const [form = '', command = '', action = '', owner = '', ...args] = text.split(':');
  if (!/^o[1-9][0-9]{0,3}$/.test(form) || text.length > mostCharacters) return 'foreign';
  if (form !== `o${version}`) return 'outdated';
  const valid =
    commandPattern.test(command) &&
    actionPattern.test(action) &&
    ownerPattern.test(owner) &&
    args.every(isArg);
  if (!valid) return 'foreign';
  const ownerId = String([...owner].reduce((sum, digit) => sum * 36n + BigInt(parseInt(digit, 36)), 0n));
  return { command, action, ownerId, args };
}
