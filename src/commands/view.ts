import { ButtonStyle, ComponentType, type APIButtonComponent } from 'discord.js';
import type { TextKey } from '../locales/language.ts';
import type { CommandComponents, CommandContext, CommandOptions, Reply, Row } from './command.ts';
import { writeComponentId } from './component-id.ts';
import { menuPage, menuTurn, type MenuChoice } from './menu-pages.ts';
import { shortRef } from './short-ref.ts';

/**
 * An answer that can be turned, changed and shared in place. Its state is the options of its command (and `page`, which
 * members do not type): a press runs the command again with the options that the component holds.
 */
export interface View {
  command: string;
  /** The options that make up the state, in the order in which a custom_id holds them. */
  options: Readonly<Record<string, 'text' | 'number'>>;
  /** So many of the last options are newer than the view: messages that are older than they are hold none of them. */
  added?: number;
}

/** Options as a custom_id is made of them; what is undefined is left out. */
type ViewState = Readonly<Record<string, CommandOptions[string] | undefined>>;

/** Stands in a menu's custom_id for the option that the menu sets. */
const chosen = '*';

/** Buttons and menus of one answer. */
export interface ViewControls {
  /** Shows the view with these options instead. */
  button(look: ButtonOptions, changes: ViewState): APIButtonComponent;
  /** Does something else with the view: `action` is a word of the command's own. */
  act(look: ButtonOptions, action: string): APIButtonComponent;
  /** Turns pages, counted from 1; nothing when there is one only. */
  pager(page: number, pages: number): APIButtonComponent[];
  /** Turns a private answer public, where that is for the asker to do. */
  share(): APIButtonComponent[];
  /**
   * Sets one option, and leads back to the first page. More choices than a menu holds come in pages: `page` says which
   * one, else it is that of `current`. A turn runs the command again with the option as it was and a `menuPage`.
   */
  menu(
    option: string,
    placeholder: TextKey,
    choices: readonly MenuChoice[],
    current: string | null,
    page?: number | null,
  ): Row[];
}

export interface ButtonOptions {
  label: TextKey;
  emoji?: string;
  disabled?: boolean;
}

/** The controls of an answer that shows `options`. */
export function controlsOf(view: View, context: CommandContext, options: CommandOptions): ViewControls {
  const { language, ownerId } = context;
  const id = (action: string, of: ViewState): string =>
    writeComponentId({ command: view.command, action, ownerId, args: argsOf(view, of) });
  const button = ({ label, emoji, disabled }: ButtonOptions, custom_id: string): APIButtonComponent => ({
    type: ComponentType.Button,
    style: ButtonStyle.Secondary,
    label: language.t(label),
    custom_id,
    ...(emoji !== undefined && { emoji: { name: emoji } }),
    ...(disabled && { disabled }),
  });
  return {
    button: (look, changes) => button(look, id('view', { ...options, ...changes })),
    act: (look, action) => button(look, id(action, options)),
    pager(page, pages) {
      if (pages < 2) return [];
      const turn = (look: ButtonOptions, to: number): APIButtonComponent =>
        button({ ...look, disabled: to < 1 || to > pages }, id('view', { ...options, page: to }));
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
      const menu = { custom_id, options: offered, placeholder: language.t(placeholder) };
      return [{ type: ComponentType.ActionRow, components: [{ type: ComponentType.StringSelect, ...menu }] }];
    },
  };
}

/** A row of buttons; none when there is no button. */
export function buttonRow(...buttons: APIButtonComponent[]): Row[] {
  return buttons.length === 0 ? [] : [{ type: ComponentType.ActionRow, components: buttons }];
}

function argsOf(view: View, options: ViewState): string[] {
  return Object.keys(view.options).map((name) => {
    const value = options[name];
    if (value === undefined || value === '') return '';
    return value === chosen ? chosen : shortRef(String(value));
  });
}

/** The options that a component stands for, with what was chosen in a menu; null when it says anything else. */
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
  const options: Record<string, string | number> = turn === null ? {} : { menuPage: turn.page };
  for (const [index, [name, kind]] of names.entries()) {
    const value = args[index] === chosen ? (turn?.current ?? values[0]) : args[index];
    const arg = value ?? '';
    if (arg === '') continue;
    if (kind === 'number' && !/^[0-9]{1,4}$/.test(arg)) return null;
    options[name] = kind === 'number' ? Number(arg) : arg;
  }
  return options;
}

/** Answers the components of a view: in place, or publicly when it is shared. */
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
