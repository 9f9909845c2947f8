import { element } from './dom.ts';
import type { TextInput } from '../discord-types.ts';
import type { ModalView } from './protocol.ts';

/** Called with the values by the fields' custom ids. Rejects with what the local Discord complains about. */
export type Submit = (modal: ModalView, fields: Record<string, string>) => Promise<unknown>;

function inputOf(field: TextInput): HTMLInputElement | HTMLTextAreaElement {
  const properties = {
    id: `modal-field-${field.customId}`,
    name: field.customId,
    className: 'modal-input',
    placeholder: field.placeholder,
    required: field.required,
    minlength: field.minLength,
    maxlength: field.maxLength,
    autocomplete: 'off',
    'data-testid': `modal-field-${field.customId}`,
  };
  const input = field.paragraph
    ? element('textarea', { ...properties, rows: 4 })
    : element('input', { ...properties, type: 'text' });
  input.value = field.value;
  return input;
}

function rowOf(field: TextInput, input: HTMLElement): HTMLElement {
  return element(
    'div',
    { className: 'modal-row' },
    element(
      'label',
      { for: input.id },
      field.label,
      field.required ? element('span', { className: 'modal-required', 'aria-hidden': 'true' }, ' *') : null,
    ),
    field.description === null ? null : element('p', { className: 'modal-hint' }, field.description),
    input,
  );
}

/** Shows a modal until it is sent or cancelled. One at a time: another one replaces it. */
export function openModal(modal: ModalView, submit: Submit): void {
  document.querySelector('dialog.modal')?.remove();
  const inputs = modal.fields.map(inputOf);
  const error = element('p', { className: 'modal-error', role: 'alert', 'data-testid': 'modal-error' });
  const dialog = element('dialog', {
    className: 'modal',
    'aria-labelledby': 'modal-title',
    'data-testid': 'modal',
    onclose: () => dialog.remove(),
  });
  const sendButton = element(
    'button',
    { className: 'modal-submit', type: 'submit', 'data-testid': 'modal-submit' },
    'Submit',
  );

  async function send(): Promise<void> {
    sendButton.disabled = true;
    try {
      await submit(modal, Object.fromEntries(inputs.map((input) => [input.name, input.value])));
      dialog.close();
    } catch (reason) {
      error.textContent = reason instanceof Error ? reason.message : String(reason);
    } finally {
      sendButton.disabled = false;
    }
  }

  const form = element(
    'form',
    {
      onsubmit: (event: Event) => {
        event.preventDefault();
        void send();
      },
    },
    element('h2', { id: 'modal-title', 'data-testid': 'modal-title' }, modal.title),
    ...modal.fields.map((field, index) => rowOf(field, inputs[index]!)),
    error,
    element(
      'footer',
      { className: 'modal-buttons' },
      element(
        'button',
        {
          className: 'modal-cancel',
          type: 'button',
          'data-testid': 'modal-cancel',
          onclick: () => dialog.close(),
        },
        'Cancel',
      ),
      sendButton,
    ),
  );
  dialog.append(form);
  document.body.append(dialog);
  dialog.showModal();
}
