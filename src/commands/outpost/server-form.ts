import { plain } from '../../embeds/text.ts';
import type { Language } from '../../locales/language.ts';
import type { TypedServer } from '../ports/added-servers.ts';
import type { Form, FormContext, FormField } from '../command.ts';
import { writeComponentId } from '../component-id.ts';

/** Discord's limit for the title of a form. */
const longestTitle = 45;

/** A DNS name has at most 253 characters. */
const fields = [
  { name: 'name', required: true },
  { name: 'host', required: true, maxLength: 253 },
  { name: 'port', required: true, maxLength: 5 },
  { name: 'queryPort', required: false, maxLength: 5 },
] as const satisfies Omit<FormField, 'label' | 'hint'>[];

export function serverForm(language: Language, game: { type: string; name: string }, ownerId: string): Form {
  return {
    customId: writeComponentId({ command: 'outpost', action: 'addserver', ownerId, args: [game.type] }),
    title: plain(language.t('server.formTitle', { game: plain(game.name, 30) }), longestTitle),
    fields: fields.map((field) => ({
      ...field,
      label: language.t(`server.form.${field.name}`),
      hint: language.t(`server.hint.${field.name}`),
    })),
  };
}

/** The typed texts as values, or the text that is no port. */
export function readServerForm({ fields }: FormContext): TypedServer | { badPort: string } {
  const port = readPort(fields('port'));
  if (port === null) return { badPort: fields('port') };
  const queryPort = fields('queryPort') === '' ? null : readPort(fields('queryPort'));
  if (queryPort === null && fields('queryPort') !== '') return { badPort: fields('queryPort') };
  return { name: fields('name'), host: fields('host'), port, queryPort };
}

function readPort(text: string): number | null {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : null;
}
