import { isDeepStrictEqual } from 'node:util';
import * as spec from 'discord-api-spec/zod';
import { commandFaults, messageFaults, type RequestRecord } from 'local-discord';
import { messageViolations, type MessageBody } from './message-rules.ts';

type Schema = typeof spec.MessageCreateRequestSchema;
type Sent = Pick<RequestRecord, 'method' | 'path' | 'body' | 'files'>;

/** Discord: JSON Error Codes, "Invalid form body". It names the parts; one that a test makes up does not. */
const invalidForm = 50035;

function against(schema: Schema, body: unknown): string[] {
  return (schema.safeParse(body).error?.issues ?? []).map((issue) => JSON.stringify(issue));
}

function message(schema: Schema, { body, files }: Sent, isNew: boolean): string[] {
  return [...against(schema, body), ...messageRules(body as MessageBody, isNew, files)];
}

/** What Discord would refuse that its schemas do not hold, and what the bot must never send. */
function messageRules(body: MessageBody, isNew: boolean, files: readonly string[]): string[] {
  return [...messageFaults({ ...body }, { isNew, files }), ...messageViolations(body, { isNew, files })];
}

function callback({ body, files }: Sent): string[] {
  const { type, data } = body as { type: number; data?: MessageBody };
  switch (type) {
    case 4:
    case 5:
      return [
        ...against(spec.CreateMessageInteractionCallbackRequestSchema, body),
        ...(type === 4 ? messageRules(data ?? {}, true, files) : []),
      ];
    case 6:
    case 7:
      return [
        ...against(spec.UpdateMessageInteractionCallbackRequestSchema, body),
        ...messageRules(data ?? {}, false, files),
      ];
    case 8:
      return against(spec.ApplicationCommandAutocompleteCallbackRequestSchema, body);
    default:
      return [`an answer of type ${type}`];
  }
}

function commands({ method, body }: Sent): string[] {
  const all = (method === 'PUT' ? body : [body]) as object[];
  return [
    ...all.flatMap((command) => against(spec.ApplicationCommandUpdateRequestSchema, command)),
    ...(method === 'PATCH' ? [] : commandFaults(all)),
  ];
}

/** Which bodies are what: the path below `/api/v10`, by method. */
const rules: [string, RegExp, (sent: Sent) => string[]][] = [
  ['POST', /^\/interactions\/\d+\/[^/]+\/callback$/, callback],
  ['POST', /^\/channels\/\d+\/messages$/, (sent) => message(spec.MessageCreateRequestSchema, sent, true)],
  // An archived thread is reopened; no other change of a channel is the bot's to make.
  [
    'PATCH',
    /^\/channels\/\d+$/,
    ({ body }) => (isDeepStrictEqual(body, { archived: false }) ? [] : [JSON.stringify(body)]),
  ],
  [
    'PATCH',
    /^\/channels\/\d+\/messages\/\d+$/,
    (sent) => message(spec.MessageEditRequestPartialSchema, sent, false),
  ],
  [
    'POST',
    /^\/webhooks\/\d+\/[^/]+$/,
    (sent) => message(spec.IncomingWebhookRequestPartialSchema, sent, true),
  ],
  [
    'PATCH',
    /^\/webhooks\/\d+\/[^/]+\/messages\/[^/]+$/,
    (sent) => message(spec.IncomingWebhookUpdateForInteractionCallbackRequestPartialSchema, sent, false),
  ],
  ['PUT', /\/commands$/, commands],
  ['POST', /\/commands$/, commands],
  ['PATCH', /\/commands\/\d+$/, commands],
];

/** What of a request Discord would refuse, or the bot must never send. */
export function requestViolations(record: RequestRecord): string[] {
  const { method, path, body, answer } = record;
  if (method === 'GET' || method === 'DELETE' || JSON.stringify(body) === '{}') return [];
  const rule = rules.find(([of, pattern]) => of === method && pattern.test(path));
  const { code, errors } = (answer ?? {}) as { code?: number; errors?: object };
  const refused = code === invalidForm && errors !== undefined;
  const violations = [
    ...(rule === undefined ? ['no rule checks this body'] : rule[2](record)),
    ...(refused ? [`refused: ${JSON.stringify(answer)}`] : []),
  ];
  return violations.map((violation) => `${method} ${path}: ${violation}`);
}

/** The same of an answer that is not sent. */
export function answerViolations(answer: MessageBody & { files?: readonly { name: string }[] }): string[] {
  const { embeds, components = [], files = [] } = answer;
  const data = { embeds, components, allowed_mentions: { parse: [] } };
  return callback({
    method: 'POST',
    path: '',
    body: { type: 4, data },
    files: files.map(({ name }) => name),
  });
}
