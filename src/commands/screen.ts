import type { APIButtonComponent } from 'discord.js';
import type { TextKey } from '../locales/language.ts';
import type { Candidate } from './choices.ts';
import type { CommandComponents, CommandContext, CommandOptions, Press, Reply, Row } from './command.ts';
import { hasRoom, shorterRef, shortRef, writeComponentId } from './component-id.ts';
import { button, menuOptions, menuRow, type ButtonLook } from './rows.ts';

/**
 * An answer with buttons and menus that change it in place. Its state is the command's options, and `page`. A press runs the
 * command again with the options in the component's custom_id.
 */
export interface Screen {
  command: string;
  /** The options that form the state, in the order of the custom_id's arguments. */
  options: Readonly<Record<string, 'text' | 'number' | 'flag'>>;
}

/** Options for a custom_id. Undefined ones are left out. */
type ScreenState = Readonly<Record<string, CommandOptions[string] | undefined>>;

/** Placeholder in a menu's custom_id for the option that the menu sets. */
export const chosen = '*';

/** Makes the buttons and menus below an answer. Lists are empty where there is nothing to choose. */
export interface ScreenControls {
  /** Shows the screen with changed options. */
  button(look: ButtonLook, changes: ScreenState): APIButtonComponent;
  /** Triggers another action of the command with the same options. */
  act(look: ButtonLook, action: string): APIButtonComponent;
  /** Buttons for the previous and next page. */
  pager(page: number, pages: number): APIButtonComponent[];
  /** Shares a private answer; none if the asker may not. */
  share(): APIButtonComponent[];
  /** A menu that sets one option and returns to the first page. `current`: the id of the one that is chosen now. */
  menu(option: string, placeholder: TextKey, candidates: readonly Candidate[], current?: string): Row[];
}

/** @param options those of the answer that is shown */
export function controlsOf(screen: Screen, context: CommandContext, options: CommandOptions): ScreenControls {
  const { language, ownerId } = context;
  const idFor = (action: string, state: ScreenState): string => {
    const args = argsOf(screen, state);
    const id = { command: screen.command, action, ownerId, args };
    return writeComponentId(hasRoom(id) ? id : { ...id, args: args.map(shorterRef) });
  };
  const controls: ScreenControls = {
    button: (look, changes) => button(language, look, idFor('view', { ...options, ...changes })),
    act: (look, action) => button(language, look, idFor(action, options)),
    pager(page, pages) {
      if (pages < 2) return [];
      return [
        controls.button({ label: 'button.previous', emoji: '◀️', disabled: page <= 1 }, { page: page - 1 }),
        controls.button({ label: 'button.next', emoji: '▶️', disabled: page >= pages }, { page: page + 1 }),
      ];
    },
    share() {
      if (context.visibility === 'public' || !context.mayShare) return [];
      return [button(language, { label: 'button.share', emoji: '📣' }, idFor('share', options))];
    },
    menu(option, placeholder, candidates, current) {
      if (candidates.length < 2) return [];
      const withRefs = candidates.map((candidate) => ({ ...candidate, id: shortRef(candidate.id) }));
      return menuRow({
        custom_id: idFor('pick', { ...options, page: undefined, [option]: chosen }),
        options: menuOptions(withRefs, current && shortRef(current)),
        placeholder: language.t(placeholder),
      });
    },
  };
  return controls;
}

/** Options as the arguments of a custom_id. Those that are left out and flags that are off are empty. */
export function argsOf(screen: Screen, options: ScreenState): string[] {
  return Object.keys(screen.options).map((name) => {
    const value = options[name];
    if (value === undefined || value === '' || value === false) return '';
    return value === chosen ? chosen : shortRef(String(value));
  });
}

/** The options of a component, including a menu's choice; null if its arguments are invalid. */
export function optionsOf(
  screen: Screen,
  args: readonly string[],
  values: readonly string[],
): CommandOptions | null {
  const names = Object.entries(screen.options);
  if (args.length !== names.length) return null;
  if (args.filter((arg) => arg === chosen).length !== values.length) return null;
  const options: Record<string, CommandOptions[string]> = {};
  for (const [index, [name, kind]] of names.entries()) {
    const arg = (args[index] === chosen ? values[0] : args[index]) ?? '';
    if (arg === '') continue;
    if (kind === 'number' && !/^[0-9]{1,5}$/.test(arg)) return null;
    if (kind === 'flag' && arg !== 'true') return null;
    options[name] = kind === 'number' ? Number(arg) : kind === 'flag' || arg;
  }
  return options;
}

/** Handles components that change their own message, each action in its own way. */
export function actionComponents(presses: Readonly<Record<string, Press>>): CommandComponents {
  const byAction = new Map(Object.entries(presses));
  return { mode: () => 'update', press: (context) => byAction.get(context.action)?.(context) ?? null };
}

/** Handles the components of a screen: updates the message, or shares it as a new one. */
export function screenComponents(
  screen: Screen,
  run: (context: CommandContext) => Promise<Reply>,
): CommandComponents {
  return {
    mode: (action) => (action === 'share' ? 'public' : 'update'),
    press(context) {
      if (!['view', 'pick', 'share'].includes(context.action)) return null;
      const options = optionsOf(screen, context.args, context.values);
      return options === null ? null : run({ ...context, options });
    },
  };
}
