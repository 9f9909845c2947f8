import {
  ButtonStyle,
  ComponentType,
  type APIButtonComponent,
  type APIStringSelectComponent,
} from 'discord.js';
import type { TextKey } from '../locales/language.ts';
import type { CommandComponents, CommandContext, CommandOptions, Reply, Row } from './command.ts';
import { hasRoom, writeComponentId } from './component-id.ts';
import { menuPage, menuTurn, type MenuChoice } from './menu-pages.ts';
import { shorterRef, shortRef } from './short-ref.ts';

/**
 * An answer with buttons and menus that change it in place. Its state is the command's options, and `page`. A press runs the
 * command again with the options in the component's custom_id.
 */
export interface View {
  command: string;
  /** The options that form the state, in the order of the custom_id's arguments. */
  options: Readonly<Record<string, 'text' | 'number' | 'flag'>>;
  /** How many of the last options were added later. Components of older messages lack them. */
  added?: number;
}

/** Options for a custom_id. Undefined ones are left out. */
type ViewState = Readonly<Record<string, CommandOptions[string] | undefined>>;

/** Placeholder in a menu's custom_id for the option that the menu sets. */
export const chosen = '*';

/** Buttons and menus of one answer. */
export interface ViewControls {
  /** Shows the view with changed options. */
  button(appearance: ButtonOptions, changes: ViewState): APIButtonComponent;
  /** Triggers another action of the command with the same options. */
  act(appearance: ButtonOptions, action: string): APIButtonComponent;
  /** Buttons for the previous and next page; none if there is a single page. */
  pager(page: number, pages: number): APIButtonComponent[];
  /** Shares a private answer; none if the asker may not. */
  share(): APIButtonComponent[];
  /**
   * A menu that sets one option and returns to the first page. Longer lists are paged: `page` selects the menu's page,
   * default is the page of `current`. Turning the page runs the command again with the same option and a `menuPage`.
   */
  menu(
    option: string,
    placeholder: TextKey,
    choices: readonly MenuChoice[],
    current: string | null,
    page?: number | null,
  ): Row[];
}

interface ButtonOptions {
  label: TextKey;
  emoji?: string;
  disabled?: boolean;
}

/** The controls of an answer that shows `options`. */
export function controlsOf(view: View, context: CommandContext, options: CommandOptions): ViewControls {
  const { language, ownerId } = context;
  const id = (action: string, of: ViewState): string => {
    const args = argsOf(view, of);
    const whole = { command: view.command, action, ownerId, args };
    return writeComponentId(hasRoom(whole) ? whole : { ...whole, args: args.map(shorterRef) });
  };
  const button = ({ label, emoji, disabled }: ButtonOptions, custom_id: string): APIButtonComponent => ({
    type: ComponentType.Button,
    style: ButtonStyle.Secondary,
    label: language.t(label),
    custom_id,
    ...(emoji !== undefined && { emoji: { name: emoji } }),
    ...(disabled && { disabled }),
  });
  return {
    button: (appearance, changes) => button(appearance, id('view', { ...options, ...changes })),
    act: (appearance, action) => button(appearance, id(action, options)),
    pager(page, pages) {
      if (pages < 2) return [];
      const turn = (appearance: ButtonOptions, to: number): APIButtonComponent =>
        button({ ...appearance, disabled: to < 1 || to > pages }, id('view', { ...options, page: to }));
      return [
        turn({ label: 'button.previous', emoji: '◀️' }, page - 1),
        turn({ label: 'button.next', emoji: '▶️' }, page + 1),
      ];
    },
    share() {
      if (context.visibility === 'public' || !context.mayShare) return [];
      return [button({ label: 'button.share', emoji: '📣' }, id('share', options))];
    },
    menu(option, placeholder, choices, current, page = null) {
      if (choices.length < 2) return [];
      const { options: offered } = menuPage(language, choices, { page, current });
      const custom_id = id('pick', { ...options, page: undefined, [option]: chosen });
      return menuRow({ custom_id, options: offered, placeholder: language.t(placeholder) });
    },
  };
}

export function menuRow(menu: Omit<APIStringSelectComponent, 'type'>): Row[] {
  return [{ type: ComponentType.ActionRow, components: [{ type: ComponentType.StringSelect, ...menu }] }];
}

/** A row of buttons; no row if there are no buttons. */
export function buttonRow(...buttons: APIButtonComponent[]): Row[] {
  return buttons.length === 0 ? [] : [{ type: ComponentType.ActionRow, components: buttons }];
}

/** Options as the arguments of a custom_id. A flag that is off says nothing. */
export function argsOf(view: View, options: ViewState): string[] {
  return Object.keys(view.options).map((name) => {
    const value = options[name];
    if (value === undefined || value === '' || value === false) return '';
    return value === chosen ? chosen : shortRef(String(value));
  });
}

/** The options of a component, including a menu's choice; null if its arguments are invalid. */
export function optionsOf(
  view: View,
  args: readonly string[],
  values: readonly string[],
): CommandOptions | null {
  const names = Object.entries(view.options);
  const fewest = names.length - (view.added ?? 0);
  if (args.length > names.length || args.length < fewest) return null;
  if (args.filter((arg) => arg === chosen).length !== values.length) return null;
  const turn = menuTurn(values);
  const options: Record<string, CommandOptions[string]> = turn === null ? {} : { menuPage: turn.page };
  for (const [index, [name, kind]] of names.entries()) {
    const value = args[index] === chosen ? (turn?.current ?? values[0]) : args[index];
    const arg = value ?? '';
    if (arg === '') continue;
    if (kind === 'number' && !/^[0-9]{1,5}$/.test(arg)) return null;
    if (kind === 'flag' && arg !== 'true') return null;
    options[name] = kind === 'number' ? Number(arg) : kind === 'flag' || arg;
  }
  return options;
}

/** Handles the components of a view: updates the message, or shares it as a new one. */
export function viewComponents(
  view: View,
  run: (context: CommandContext) => Promise<Reply>,
): CommandComponents {
  return {
    mode: (action) => (action === 'share' ? 'public' : 'update'),
    press({ action, args, values, ...context }) {
      if (!['view', 'pick', 'share'].includes(action)) return null;
      const options = optionsOf(view, args, values);
      return options === null ? null : run({ ...context, options, pressed: true });
    },
  };
}
