import type { Command, CommandOption, Json } from './discord-types.ts';
import type { State } from './state/state.ts';
import { channelJson, roleJson, userJson } from './wire.ts';

export type OptionValue = string | number | boolean;

/** What Discord's own client refuses before anything is sent; the message is what the user would see. */
export class ClientRefusal extends Error {
  override readonly name = 'ClientRefusal';
}

/** What the values of options are, by type; those of other types are texts or ids. */
const kinds: Record<number, 'number' | 'boolean'> = { 4: 'number', 5: 'boolean', 10: 'number' };

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
    resolve(state, option.type, String(value), resolved);
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

type Resolved = Record<string, Json>;

/** Adds what an id stands for to the `resolved` part of an interaction (Discord: Application Command Option Type). */
function resolve(state: State, type: number, id: string, resolved: Resolved): void {
  const isUser = type === 6 || type === 9;
  const isRole = type === 8 || type === 9;
  const user = isUser ? state.users.get(id) : undefined;
  if (user) (resolved['users'] ??= {})[id] = userJson(user);
  const channel = type === 7 ? state.channels.get(id) : undefined;
  if (channel) (resolved['channels'] ??= {})[id] = { ...channelJson(channel), permissions: '0' };
  const role = isRole
    ? [...state.guilds.values()].find(({ roles }) => roles.has(id))?.roles.get(id)
    : undefined;
  if (role) (resolved['roles'] ??= {})[id] = roleJson(role);
}
