import type { CommandOption } from '../discord-types.ts';
import { element } from './dom.ts';
import type { FormContext, OptionValues } from './form-context.ts';
import { createOptionField, type OptionField } from './option-field.ts';
import { localized, type TypedCommand } from './options.ts';

export type CommandForm = ReturnType<typeof createCommandForm>;

/** A command that is being typed: its required options as fields, the others on demand. */
export function createCommandForm(
  command: TypedCommand,
  context: FormContext & { onSend: (options: OptionValues) => void; onCancel: () => void },
) {
  const { box, popup, showHint, scene, onSend, onCancel } = context;
  const fields = new Map<string, OptionField>();
  const missing = (): CommandOption[] => command.options.filter((option) => !fields.has(option.name));

  const button = (name: string, onclick: () => void, text = ''): HTMLButtonElement => {
    const onkeydown = (event: KeyboardEvent): void => keys(event);
    return element('button', { className: name, 'data-testid': name, onclick, onkeydown }, text);
  };
  const more = button('more-options', () => showOptions());
  const sendButton = button('send', () => send(), 'Send');

  function add(option: CommandOption): OptionField {
    const field = createOptionField(option, {
      ...context,
      commandName: command.name,
      others: values,
      onKey: keys,
      onChosen: goOn,
    });
    fields.set(option.name, field);
    return field;
  }

  function draw(): void {
    const { length } = missing();
    more.textContent = length > 0 ? `+${length} optional` : '';
    more.hidden = length === 0;
    box.replaceChildren(
      element('span', { className: 'command-name', 'data-testid': 'command-name' }, `/${command.label}`),
      ...[...fields.values()].map((field) => field.node),
      more,
      sendButton,
    );
  }

  /** Offers the options that have no field yet. Enter sends. */
  function showOptions(): void {
    const left = missing();
    const title = { name: `/${command.label}`, description: `${command.description} Enter sends.` };
    (left.length > 0 ? more : sendButton).focus();
    popup.show({
      testid: 'option-list',
      title: left.length > 0 ? title : null,
      preselect: false,
      items: left.map((option) => ({
        testid: `add-option-${option.name}`,
        ...localized(option, scene().locale),
        note: option.required ? 'required' : 'optional',
        choose: () => {
          const field = add(option);
          draw();
          field.input.focus();
        },
      })),
    });
    showHint(left.length > 0 ? 'Choose an option, or press Enter to send.' : 'Press Enter to send.');
  }

  /** What the fields hold so far, without `except`. */
  function values(except?: OptionField): OptionValues {
    const result: OptionValues = {};
    for (const field of fields.values()) {
      const value = field === except ? undefined : field.value();
      if (value !== undefined) result[field.option.name] = value;
    }
    return result;
  }

  /** On to the next empty field, else to what is optional, else ready to send. */
  function goOn(from: OptionField): void {
    const all = [...fields.values()];
    const empty = all.slice(all.indexOf(from) + 1).find((one) => one.input.value === '');
    if (empty) empty.input.focus();
    else showOptions();
  }

  function send(): void {
    for (const field of fields.values()) {
      const isEmpty = field.input.value === '';
      if (field.value() !== undefined || (isEmpty && !field.option.required)) continue;
      field.markWrong();
      field.input.focus();
      showHint(isEmpty ? 'This option is required.' : 'This option does not take that value.', true);
      return;
    }
    onSend(values());
  }

  /** @param field the one that has the focus; left out: a button has it */
  function keys(event: KeyboardEvent, field?: OptionField): void {
    if (event.key === 'Escape') return onCancel();
    if (popup.handleKey(event)) return;
    const isEmpty = field === undefined || field.input.value === '';
    if (event.key === 'Backspace' && isEmpty) {
      event.preventDefault();
      if (field === undefined || field.option.required) return onCancel();
      field.close();
      fields.delete(field.option.name);
      draw();
      showOptions();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      send();
    } else if (event.key === 'Tab' && !event.shiftKey && field !== undefined) {
      event.preventDefault();
      goOn(field);
    }
  }

  for (const option of command.options) if (option.required) add(option);
  draw();
  return {
    focus(): void {
      const [first] = fields.values();
      if (first) first.input.focus();
      else showOptions();
    },
    close(): void {
      for (const field of fields.values()) field.close();
    },
  };
}
