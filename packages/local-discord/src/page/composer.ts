import { botAvatar } from './avatars.ts';
import { createCommandForm, type CommandForm } from './command-form.ts';
import { div, element } from './dom.ts';
import type { OptionValues, Scene } from './form-context.ts';
import { localized, typedCommands, type TypedCommand } from './options.ts';
import { createPopup } from './popup.ts';

export interface ComposerOptions {
  scene: () => Scene;
  onCommand: (name: string, options: OptionValues) => void;
  onText: (text: string) => void;
}

/**
 * The field at the bottom. Text that begins with `/` opens the command picker; a command that is chosen there becomes a
 * row of option fields.
 */
export function createComposer(
  container: HTMLElement,
  { scene, onCommand, onText }: ComposerOptions,
): { reset(placeholder: string): void; showOffers(): void } {
  const popup = createPopup();
  const box = div('composer-box');
  const hint = element('div', { className: 'composer-hint', 'data-testid': 'composer-hint' });
  container.replaceChildren(popup.node, box, hint);
  /** The command that is being typed. */
  let form: CommandForm | null = null;

  function showHint(text: string, isError = false): void {
    hint.textContent = text;
    hint.classList.toggle('error', isError);
  }

  const input = element('input', {
    className: 'composer-input',
    'data-testid': 'composer-input',
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => showPicker(),
    onfocus: () => showPicker(),
    // A click into the popup comes after the blur.
    onblur: () => setTimeout(() => document.activeElement !== input && !form && popup.hide(), 120),
    onkeydown: (event: KeyboardEvent) => {
      if (popup.handleKey(event)) return;
      if (event.key !== 'Enter' || input.value.trim() === '') return;
      event.preventDefault();
      if (input.value.startsWith('/')) return showHint('There is no such command here.', true);
      onText(input.value);
      input.value = '';
    },
  });

  function showPicker(): void {
    showHint('');
    if (form || !input.value.startsWith('/')) return popup.hide();
    const typed = input.value.slice(1).trim().toLowerCase();
    const { guild, locale, botName } = scene();
    const found = typedCommands(guild?.commands ?? [], locale).filter(
      (one) => one.label.toLowerCase().includes(typed) || one.name.includes(typed),
    );
    const rank = (one: TypedCommand): number => (one.label.toLowerCase().startsWith(typed) ? 0 : 1);
    popup.show({
      testid: 'command-picker',
      title: typed === '' ? 'Commands' : `Commands matching /${typed}`,
      empty: 'No command matches. The bot has not registered it, or it is hidden from you.',
      preselect: true,
      items: found
        .toSorted((a, b) => rank(a) - rank(b))
        .map((command) => ({
          testid: `command-${command.name}`,
          icon: botAvatar,
          name: `/${command.label}`,
          options: command.options.map((option) => ({ ...option, name: localized(option, locale).name })),
          description: command.description,
          note: botName,
          choose: () => begin(command),
        })),
    });
  }

  function begin(command: TypedCommand): void {
    input.value = '';
    form = createCommandForm(command, {
      box,
      popup,
      showHint,
      scene,
      onSend: (options) => {
        cancel();
        onCommand(command.name, options);
      },
      onCancel: cancel,
    });
    form.focus();
  }

  function cancel(): void {
    form?.close();
    form = null;
    popup.hide();
    showHint('');
    box.replaceChildren(input);
    input.focus();
  }

  box.replaceChildren(input);
  return {
    /** After another channel, person or language was chosen. */
    reset(placeholder) {
      if (form) cancel();
      input.placeholder = placeholder;
    },
    /** Offers what there is now, if something is being typed: the commands may be others than at the last key. */
    showOffers() {
      if (document.activeElement === input) showPicker();
    },
  };
}
