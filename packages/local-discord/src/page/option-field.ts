import type { CommandOption } from '../discord-types.ts';
import { complete } from './api.ts';
import { element, span } from './dom.ts';
import type { FormContext, OptionValues } from './form-context.ts';
import { fixedChoices, localized, valueOf } from './options.ts';
import type { Choice } from './protocol.ts';

const autocompleteDelayMs = 150;

/** One option of a command that is being typed: a name, an input, and the choices above it. */
export interface OptionField {
  readonly option: CommandOption;
  readonly node: HTMLElement;
  readonly input: HTMLInputElement;
  /** What was typed or chosen; undefined when it is empty or does not fit the option. */
  value(): Choice['value'] | undefined;
  markWrong(): void;
  /** Lets go of a completion that is under way. */
  close(): void;
}

export interface OptionFieldContext extends FormContext {
  commandName: string;
  /** Values of the other fields, which the bot gets with an autocompletion. */
  others: (field: OptionField) => OptionValues;
  onKey: (event: KeyboardEvent, field: OptionField) => void;
  onChosen: (field: OptionField) => void;
}

export function createOptionField(option: CommandOption, context: OptionFieldContext): OptionField {
  const { popup, scene, showHint } = context;
  const { guild, users, locale } = scene();
  const { name, description } = localized(option, locale);
  let choices = guild ? fixedChoices(option, guild, users, locale) : null;
  let picked: Choice | undefined;
  /** Counts completions: only the answer to the latest is shown. */
  let latest = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const input = element('input', {
    className: 'pill-input',
    'data-testid': `option-input-${option.name}`,
    'aria-label': name,
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => {
      node.classList.remove('wrong');
      offer();
    },
    onfocus: () => offer(),
    onkeydown: (event: KeyboardEvent) => context.onKey(event, field),
  });
  const node = span('pill', span('pill-name', name), input);
  const field: OptionField = {
    option,
    node,
    input,
    value() {
      if (input.value === '') return undefined;
      return picked?.name === input.value ? picked.value : valueOf(option, input.value, choices);
    },
    markWrong: () => node.classList.add('wrong'),
    close() {
      latest += 1;
      clearTimeout(timer);
    },
  };

  function offer(): void {
    showHint('');
    if (option.autocomplete) return completeSoon();
    const typed = input.value.toLowerCase();
    const isChosen = choices?.some((choice) => choice.name === input.value);
    const matching = (choices ?? []).filter((one) => isChosen || one.name.toLowerCase().includes(typed));
    showChoices(matching, choices ? 'No option matches.' : range(option));
  }

  function showChoices(shown: readonly Choice[], empty: string | null): void {
    popup.show({
      testid: 'choice-list',
      title: { name, description: `${description}${option.required ? ' (required)' : ''}` },
      empty,
      // As Discord does: Enter takes the first choice, and sends what was typed only when nothing matches.
      preselect: true,
      items: shown.map((choice) => ({
        testid: 'choice',
        name: choice.name,
        choose: () => {
          input.value = choice.name;
          picked = choice;
          context.onChosen(field);
        },
      })),
    });
  }

  /** Asks the bot, a moment after the last key. */
  function completeSoon(): void {
    clearTimeout(timer);
    latest += 1;
    if (choices === null) showChoices([], 'Loading options…');
    timer = setTimeout(() => void askBot(latest), autocompleteDelayMs);
  }

  async function askBot(request: number): Promise<void> {
    const { guild, channelId, userId, locale } = scene();
    const { commandName } = context;
    const focused = { name: option.name, value: input.value };
    const body = { guildId: guild?.id, channelId, userId, locale, commandName, focused };
    try {
      const answer = await complete({ ...body, options: context.others(field) });
      if (request !== latest || document.activeElement !== input) return;
      choices = answer;
      showChoices(choices, 'No options match your search.');
    } catch {
      if (request === latest) showChoices([], 'Loading options failed.');
    }
  }

  return field;
}

/** What an option without choices takes, when it says so. */
function range({ min_value: least, max_value: most }: CommandOption): string | null {
  if (least === undefined && most === undefined) return null;
  return `A number from ${least ?? '…'} to ${most ?? '…'}.`;
}
