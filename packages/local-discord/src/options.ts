import type { CommandOption, Json } from './discord-types.ts';
import type { Command, State } from './state/state.ts';
import { channelJson, roleJson, userJson } from './wire.ts';

export type OptionValue = string | number | boolean;

/** What Discord's own client refuses before anything is sent; the message is what the user would see. */
export class ClientRefusal extends Error {
  override readonly name = 'ClientRefusal';
}

const kinds: Record<number, 'string' | 'number' | 'boolean'> = {
  3: 'string',
  4: 'number',
  5: 'boolean',
  6: 'string',
  7: 'string',
  8: 'string',
  9: 'string',
  10: 'number',
};

/** The part of a command that `words` after its name lead to: itself, a sub-command, or one in a group. */
function descend(
  command: Command,
  words: readonly string[],
): { path: CommandOption[]; options: CommandOption[] } {
  const path: CommandOption[] = [];
  let options = command.options;
  for (const word of words) {
    const next = options.find((option) => option.type <= 2 && option.name === word);
    if (!next) throw new ClientRefusal(`/${command.name} has no sub-command ${word}`);
    path.push(next);
    options = next.options ?? [];
  }
  if (options.some((option) => option.type <= 2)) {
    throw new ClientRefusal(`/${command.name} needs one of its sub-commands`);
  }
  return { path, options };
}

function checkValue(option: CommandOption, value: OptionValue): void {
  const expected = kinds[option.type] ?? 'string';
  if (typeof value !== expected) {
    throw new ClientRefusal(`option ${option.name}: expected a ${expected}, got ${typeof value}`);
  }
  if (option.type === 4 && !Number.isInteger(value)) {
    throw new ClientRefusal(`option ${option.name}: expected a whole number`);
  }
  if (option.choices && !option.choices.some((choice) => choice.value === value)) {
    throw new ClientRefusal(`option ${option.name}: ${String(value)} is not one of its choices`);
  }
  if (typeof value === 'number') {
    if (value < (option.min_value ?? -Infinity) || value > (option.max_value ?? Infinity)) {
      throw new ClientRefusal(
        `option ${option.name}: expected ${option.min_value ?? '…'} to ${option.max_value ?? '…'}`,
      );
    }
  }
  if (typeof value === 'string' && option.type === 3) {
    const most = option.max_length ?? 6000;
    if (value.length < (option.min_length ?? 0) || value.length > most) {
      throw new ClientRefusal(`option ${option.name}: expected at most ${most} characters`);
    }
  }
}

/**
 * The `data` of a command interaction from plain values, after the registered definition.
 * With `focused` it is an autocompletion: unfinished, so required options may lack and the focused value is text.
 * @throws ClientRefusal for what Discord's client would not have sent.
 */
export function commandData(
  state: State,
  command: Command,
  words: readonly string[],
  values: Record<string, OptionValue>,
  focused?: string,
): Json {
  const { path, options } = descend(command, words);
  const unknown = Object.keys(values).find((name) => !options.some((option) => option.name === name));
  if (unknown !== undefined) throw new ClientRefusal(`/${command.name} has no option ${unknown}`);
  const resolved: Resolved = {};
  let list: Json[] = [];
  for (const option of options) {
    const value = values[option.name];
    if (value === undefined) {
      if (option.required && focused === undefined) {
        throw new ClientRefusal(`option ${option.name} is required`);
      }
      continue;
    }
    if (option.name === focused) {
      if (!option.autocomplete) throw new ClientRefusal(`option ${option.name} has no autocomplete`);
      list.push({ name: option.name, type: option.type, value: String(value), focused: true });
      continue;
    }
    checkValue(option, value);
    list.push({ name: option.name, type: option.type, value });
    resolve(state, idKinds[option.type], String(value), resolved);
  }
  for (const option of path.toReversed()) list = [{ name: option.name, type: option.type, options: list }];
  return {
    id: command.id,
    name: command.name,
    type: command.type,
    ...(command.guild_id !== undefined && { guild_id: command.guild_id }),
    ...(list.length > 0 && { options: list }),
    ...(Object.keys(resolved).length > 0 && { resolved }),
  };
}

/** What ids stand for, in an option or a menu. */
export type IdKind = 'user' | 'channel' | 'role' | 'mentionable';

/** Option types that hold an id (Discord: Application Command Option Type). */
const idKinds: Record<number, IdKind> = { 6: 'user', 7: 'channel', 8: 'role', 9: 'mentionable' };

type Resolved = Record<string, Json>;

function resolve(state: State, kind: IdKind | undefined, id: string, resolved: Resolved): void {
  const channel = kind === 'channel' ? state.channels.get(id) : undefined;
  if (channel) (resolved['channels'] ??= {})[id] = { ...channelJson(channel), permissions: '0' };
  const user = kind === 'user' || kind === 'mentionable' ? state.users.get(id) : undefined;
  if (user) (resolved['users'] ??= {})[id] = userJson(user);
  if (kind !== 'role' && kind !== 'mentionable') return;
  const role = [...state.guilds.values()].map((guild) => guild.roles.get(id)).find((one) => one);
  if (role) (resolved['roles'] ??= {})[id] = roleJson(role);
}

/** The `resolved` part of a menu's interaction: what the chosen ids stand for. */
export function resolvedIds(state: State, kind: IdKind, ids: readonly string[]): Resolved {
  const resolved: Resolved = {};
  for (const id of ids) resolve(state, kind, id, resolved);
  return resolved;
}
