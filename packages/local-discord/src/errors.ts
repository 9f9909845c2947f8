/** Where a value is in a body, for example `['embeds', 0, 'title']`. */
export type Path = readonly (string | number)[];

/** What is wrong with a value, as Discord words it. */
export type Fault = readonly [code: string, message: string];

/** A refusal as Discord words it: HTTP status, JSON error code, message (Discord: Opcodes and Status Codes). */
export class DiscordError extends Error {
  override readonly name = 'DiscordError';
  readonly status: number;
  readonly code: number;
  readonly faults: readonly { path: Path; fault: Fault }[];

  constructor(status: number, code: number, message: string, faults: DiscordError['faults'] = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.faults = faults;
  }

  toBody(): object {
    const errors = this.faults.length > 0 ? this.#errors() : undefined;
    return { message: this.message, code: this.code, errors };
  }

  /** Faults as Discord's tree: `{ embeds: { 0: { title: { _errors: [...] } } } }`. */
  #errors(): object {
    const noErrors = (): FormErrors => Object.create(null) as FormErrors;
    const tree = noErrors();
    for (const { path, fault } of this.faults) {
      let node = tree;
      for (const key of path) node = (node[key] ??= noErrors()) as FormErrors;
      const [code, message] = fault;
      ((node['_errors'] ??= []) as object[]).push({ code, message });
    }
    return tree;
  }
}

/** Without a prototype: keys of a bot's own, such as locales, may be `__proto__`. */
interface FormErrors {
  [key: string]: FormErrors | object[];
}

/** The refusal of a body, which names everything that is wrong with it. */
export const invalidForm = (...faults: DiscordError['faults']): DiscordError =>
  new DiscordError(400, 50035, 'Invalid Form Body', faults);

const refusal = (status: number, code: number, message: string) => () =>
  new DiscordError(status, code, message);

/** The refusals that a bot of this kind can meet, each made anew when thrown. */
export const refusals = {
  unauthorized: refusal(401, 0, '401: Unauthorized'),
  notFound: refusal(404, 0, '404: Not Found'),
  methodNotAllowed: refusal(405, 0, '405: Method Not Allowed'),
  unknownApplication: refusal(404, 10002, 'Unknown Application'),
  unknownChannel: refusal(404, 10003, 'Unknown Channel'),
  unknownGuild: refusal(404, 10004, 'Unknown Guild'),
  unknownMember: refusal(404, 10007, 'Unknown Member'),
  unknownMessage: refusal(404, 10008, 'Unknown Message'),
  unknownRole: refusal(404, 10011, 'Unknown Role'),
  unknownUser: refusal(404, 10013, 'Unknown User'),
  unknownWebhook: refusal(404, 10015, 'Unknown Webhook'),
  unknownInteraction: refusal(404, 10062, 'Unknown interaction'),
  unknownCommand: refusal(404, 10063, 'Unknown application command'),
  tooManyCommands: refusal(400, 30032, 'Maximum number of application commands reached (100)'),
  alreadyAcknowledged: refusal(400, 40060, 'Interaction has already been acknowledged.'),
  missingAccess: refusal(403, 50001, 'Missing Access'),
  otherAuthor: refusal(403, 50005, 'Cannot edit a message authored by another user'),
  emptyMessage: refusal(400, 50006, 'Cannot send an empty message'),
  threadArchived: refusal(400, 50083, 'Thread is archived'),
  missingPermissions: refusal(403, 50013, 'Missing Permissions'),
  invalidRole: refusal(400, 50028, 'Invalid Role'),
  invalidWebhookToken: refusal(401, 50027, 'Invalid Webhook Token'),
  tooLarge: refusal(413, 40005, 'Request entity too large'),
  invalidJson: refusal(400, 50109, 'The request body contains invalid JSON.'),
} as const;

/** Collects what is wrong with a body, so that one answer names everything, as Discord's does. */
export class FormCheck {
  readonly #faults: { path: Path; fault: Fault }[] = [];

  fault(path: Path, fault: Fault): void {
    this.#faults.push({ path, fault });
  }

  required(path: Path): void {
    this.fault(path, ['BASE_TYPE_REQUIRED', 'This field is required']);
  }

  /** Notes each value that stands earlier in the list, too. */
  unique(values: readonly unknown[], path: (index: number) => Path, fault: Fault): void {
    for (const [index, value] of values.entries()) {
      if (values.indexOf(value) < index) this.fault(path(index), fault);
    }
  }

  /** @throws DiscordError 50035 when anything was noted. */
  done(): void {
    if (this.#faults.length > 0) throw invalidForm(...this.#faults);
  }
}
