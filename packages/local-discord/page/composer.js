import { post } from './api.js';
import { botAvatar } from './avatars.js';
import { element } from './dom.js';
import { fixedChoices, localized, typable, valueOf } from './options.js';
import { createPopup } from './popup.js';

const autocompleteDelayMs = 150;

/**
 * The field at the bottom. Text that begins with `/` opens the command picker; a chosen command becomes a row of
 * option fields with their hints, static choices, and choices that the bot completes.
 * `world()`: { guild, channel, userId, users, locale }. `onSend(command)` sends; `onText(text)` says something.
 */
export function createComposer(container, world, { onCommand, onText }) {
  const popup = createPopup();
  const box = element('div', { className: 'composer-box' });
  const hint = element('div', { className: 'composer-hint', 'data-testid': 'composer-hint' });
  container.replaceChildren(popup.node, box, hint);
  /** The command being written, its fields by option name; null while it is plain text. */
  let writing = null;
  let question = 0;
  let timer;

  const commands = () => typable(world().guild?.commands ?? [], world().locale);

  function say(text, error = false) {
    hint.textContent = text;
    hint.classList.toggle('error', error);
  }

  // Plain text

  const input = element('input', {
    className: 'composer-input',
    'data-testid': 'composer-input',
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => showPicker(),
    onkeydown: (event) => {
      if (popupKeys(event)) return;
      if (event.key === 'Enter' && input.value.trim() !== '') {
        event.preventDefault();
        if (input.value.startsWith('/')) return say('There is no such command here.', true);
        onText(input.value);
        input.value = '';
      }
    },
    onblur: () => setTimeout(() => document.activeElement !== input && !writing && popup.hide(), 120),
    onfocus: () => showPicker(),
  });

  function showPicker() {
    say('');
    if (writing || !input.value.startsWith('/')) return popup.hide();
    const typed = input.value.slice(1).trim().toLowerCase();
    const found = commands().filter(
      (one) => one.label.toLowerCase().includes(typed) || one.name.includes(typed),
    );
    const rank = (one) => (one.label.toLowerCase().startsWith(typed) ? 0 : 1);
    popup.show({
      testid: 'command-picker',
      title: [typed === '' ? 'Commands' : `Commands matching /${typed}`],
      empty: 'No command matches. The bot has not registered it, or it is hidden from you.',
      preselect: true,
      items: found
        .toSorted((a, b) => rank(a) - rank(b))
        .map((command) => ({
          testid: `command-${command.name}`,
          content: [
            element('img', { src: botAvatar, alt: '' }),
            commandText(command),
            element('span', { className: 'row-app' }, world().botName),
          ],
          choose: () => begin(command),
        })),
    });
  }

  function commandText(command) {
    const options = command.options.map((option) =>
      element(
        'span',
        { className: `row-option${option.required ? ' required' : ''}` },
        localized(option, world().locale).name,
      ),
    );
    return element(
      'span',
      { className: 'row-main' },
      element('span', { className: 'row-name' }, `/${command.label}`, ...options),
      element('span', { className: 'row-description' }, command.description),
    );
  }

  // A command and its options

  function begin(command) {
    writing = { command, fields: new Map() };
    input.value = '';
    for (const option of command.options)
      if (option.required) writing.fields.set(option.name, newField(option));
    draw();
    const first = [...writing.fields.values()][0];
    if (first) first.input.focus();
    else showOptions();
  }

  function cancel() {
    writing = null;
    question += 1;
    clearTimeout(timer);
    popup.hide();
    say('');
    draw();
    input.focus();
  }

  function newField(option) {
    const { name } = localized(option, world().locale);
    const field = { option, choices: fixedChoices(option, world(), world().locale), wrong: false };
    field.input = element('input', {
      className: 'pill-input',
      'data-testid': `option-input-${option.name}`,
      'aria-label': name,
      autocomplete: 'off',
      spellcheck: 'false',
      oninput: () => {
        field.pill.classList.remove('wrong');
        showField(field);
      },
      onfocus: () => showField(field),
      onkeydown: (event) => fieldKeys(event, field),
    });
    field.pill = element(
      'span',
      { className: 'pill' },
      element('span', { className: 'pill-name' }, name),
      field.input,
    );
    return field;
  }

  function draw() {
    if (!writing) {
      box.replaceChildren(input);
      return;
    }
    const { command, fields } = writing;
    const left = command.options.length - fields.size;
    const more = element(
      'button',
      {
        className: 'more-options',
        type: 'button',
        'data-testid': 'more-options',
        onclick: () => showOptions(),
        onkeydown: (event) => moreKeys(event),
      },
      left > 0 ? `+${left} optional` : '',
    );
    more.hidden = left === 0;
    box.replaceChildren(
      element('span', { className: 'command-name', 'data-testid': 'command-name' }, `/${command.label}`),
      ...[...fields.values()].map((field) => field.pill),
      more,
      element(
        'button',
        {
          className: 'send',
          type: 'button',
          'data-testid': 'send',
          onclick: () => send(),
          onkeydown: (event) => moreKeys(event),
        },
        'Send',
      ),
    );
  }

  /** The options that are not there yet. With none, or on the second Enter, the command is sent. */
  function showOptions() {
    const { command, fields } = writing;
    const left = command.options.filter((option) => !fields.has(option.name));
    const target = box.querySelector('.more-options:not([hidden])') ?? box.querySelector('.send');
    target?.focus();
    popup.show({
      testid: 'option-list',
      title:
        left.length > 0
          ? [
              element('b', {}, `/${command.label} `),
              element('span', {}, `${command.description} Enter sends.`),
            ]
          : null,
      preselect: false,
      items: left.map((option) => {
        const { name, description } = localized(option, world().locale);
        return {
          testid: `add-option-${option.name}`,
          content: [
            element(
              'span',
              { className: 'row-main' },
              element('span', { className: 'row-name' }, name),
              element('span', { className: 'row-description' }, description),
            ),
            element('span', { className: 'row-app' }, option.required ? 'required' : 'optional'),
          ],
          choose: () => {
            const field = newField(option);
            fields.set(option.name, field);
            draw();
            field.input.focus();
          },
        };
      }),
    });
    say(left.length > 0 ? 'Choose an option, or press Enter to send.' : 'Press Enter to send.');
  }

  function titleOf(option) {
    const { name, description } = localized(option, world().locale);
    return [
      element('b', {}, `${name} `),
      element('span', {}, `${description}${option.required ? ' (required)' : ''}`),
    ];
  }

  function showField(field) {
    const { option } = field;
    say('');
    if (option.autocomplete) return complete(field);
    const typed = field.input.value.toLowerCase();
    const exact = field.choices?.some((choice) => choice.name === field.input.value);
    const matching = (field.choices ?? []).filter(
      (choice) => exact || choice.name.toLowerCase().includes(typed),
    );
    showChoices(field, matching, field.choices ? 'No option matches.' : limits(option));
  }

  function showChoices(field, choices, empty) {
    popup.show({
      testid: 'choice-list',
      title: titleOf(field.option),
      empty,
      // As Discord does: Enter takes the first choice, and sends what was typed only when nothing matches.
      preselect: true,
      items: choices.map((choice) => ({
        testid: 'choice',
        content: [
          element('span', { className: 'row-main' }, element('span', { className: 'row-name' }, choice.name)),
        ],
        choose: () => {
          field.input.value = choice.name;
          field.picked = choice;
          next(field);
        },
      })),
    });
  }

  function limits(option) {
    const { min_value: least, max_value: most } = option;
    if (least === undefined && most === undefined) return null;
    return `A number from ${least ?? '…'} to ${most ?? '…'}.`;
  }

  /** Asks the bot, a moment after the last key. */
  function complete(field) {
    clearTimeout(timer);
    const asked = ++question;
    if (field.choices === null || field.choices === undefined) showChoices(field, [], 'Loading options…');
    timer = setTimeout(() => void askFor(field, asked), autocompleteDelayMs);
  }

  async function askFor(field, asked) {
    try {
      const { guild, channel, userId, locale } = world();
      const body = {
        guildId: guild.id,
        channelId: channel.id,
        userId,
        locale,
        commandName: writing.command.name,
      };
      const focused = { name: field.option.name, value: field.input.value };
      const { choices } = await post('autocomplete', { ...body, options: values(field), focused });
      if (asked !== question || document.activeElement !== field.input) return;
      field.choices = choices;
      showChoices(field, choices, 'No options match your search.');
    } catch {
      if (asked === question) showChoices(field, [], 'Loading options failed.');
    }
  }

  /** What the fields hold so far; `except` leaves out the one being completed. */
  function values(except) {
    const result = {};
    for (const field of writing.fields.values()) {
      if (field === except) continue;
      const value = fieldValue(field);
      if (value !== undefined) result[field.option.name] = value;
    }
    return result;
  }

  function fieldValue(field) {
    const text = field.input.value;
    if (text === '') return undefined;
    if (field.picked?.name === text) return field.picked.value;
    return valueOf(field.option, text, field.choices);
  }

  /** On to the next empty field, else to what is optional, else ready to send. */
  function next(field) {
    const fields = [...writing.fields.values()];
    const empty = fields.slice(fields.indexOf(field) + 1).find((one) => one.input.value === '');
    if (empty) empty.input.focus();
    else showOptions();
  }

  async function send() {
    const options = values();
    for (const field of writing.fields.values()) {
      const { option, pill, input: at } = field;
      if (at.value === '' && !option.required) continue;
      if (options[option.name] !== undefined) continue;
      pill.classList.add('wrong');
      at.focus();
      say(at.value === '' ? 'This option is required.' : 'This option does not take that value.', true);
      return;
    }
    const { name } = writing.command;
    cancel();
    await onCommand(name, options);
  }

  // Keys

  function popupKeys(event) {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (!popup.open) return false;
      event.preventDefault();
      popup.move(event.key === 'ArrowDown' ? 1 : -1);
      return true;
    }
    if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && popup.choose()) {
      event.preventDefault();
      return true;
    }
    return false;
  }

  function fieldKeys(event, field) {
    if (event.key === 'Escape') return cancel();
    if (popupKeys(event)) return;
    if (event.key === 'Backspace' && field.input.value === '') {
      event.preventDefault();
      if (field.option.required) return cancel();
      writing.fields.delete(field.option.name);
      draw();
      showOptions();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      void send();
    } else if (event.key === 'Tab' && !event.shiftKey) {
      event.preventDefault();
      next(field);
    }
  }

  function moreKeys(event) {
    if (event.key === 'Escape' || event.key === 'Backspace') {
      event.preventDefault();
      return cancel();
    }
    if (popupKeys(event)) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      void send();
    }
  }

  draw();
  return {
    /** After another channel, person or language was chosen. */
    reset(placeholder) {
      if (writing) cancel();
      input.placeholder = placeholder;
    },
  };
}
