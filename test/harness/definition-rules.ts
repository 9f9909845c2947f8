/** A command, subcommand or option as it is registered, as far as Discord's rules for it go. */
export interface DefinitionPart {
  name: string;
  name_localizations?: Record<string, string> | null;
  description?: string | undefined;
  description_localizations?: Record<string, string> | null;
  type?: number;
  required?: boolean;
  autocomplete?: boolean;
  options?: readonly DefinitionPart[] | undefined;
  choices?:
    | readonly { name: string; value: string | number; name_localizations?: Record<string, string> | null }[]
    | undefined;
}

/** Discord: Application Commands, Naming. */
const namePattern = /^[-_'\p{L}\p{N}\p{Script=Devanagari}\p{Script=Thai}]{1,32}$/u;

function twice(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}

function withinPart(part: DefinitionPart, path: string): string[] {
  const here = `${path}/${part.name}`;
  const { name, description = '', options = [], choices = [] } = part;
  const firstOptional = options.findIndex((option) => !option.required);
  return [
    ...(namePattern.test(name) && name === name.toLowerCase() ? [] : [`${here}: no name for a command`]),
    ...(description.length >= 1 && description.length <= 100
      ? []
      : [`${here}: ${description.length} characters`]),
    ...(firstOptional >= 0 && options.slice(firstOptional).some((option) => option.required)
      ? [`${here}: a required option after an optional one`]
      : []),
    ...(options.length > 25 ? [`${here}: ${options.length} options`] : []),
    ...(choices.length > 25 ? [`${here}: ${choices.length} choices`] : []),
    ...(choices.length > 0 && part.autocomplete ? [`${here}: choices and autocomplete`] : []),
    ...choices
      .filter((choice) => choice.name.length < 1 || choice.name.length > 100)
      .map((choice) => `${here}: choice ${choice.name}`),
    ...twice(options.map((option) => option.name)).map((option) => `${here}: two options ${option}`),
    ...twice(choices.map((choice) => choice.name)).map((choice) => `${here}: two choices ${choice}`),
    ...options.flatMap((option) => withinPart(option, here)),
  ];
}

/** What Discord counts against the 8,000 characters of one command. */
function size(part: DefinitionPart): number {
  const choices = (part.choices ?? []).map((choice) => choice.name.length + String(choice.value).length);
  const options = (part.options ?? []).map(size);
  return [part.name.length, (part.description ?? '').length, ...choices, ...options].reduce(
    (sum, one) => sum + one,
    0,
  );
}

/** What of a list of commands Discord would refuse, as its schema cannot tell. */
export function definitionViolations(commands: readonly DefinitionPart[]): string[] {
  return [
    ...(commands.length > 100 ? [`${commands.length} commands`] : []),
    ...twice(commands.map((command) => command.name)).map((name) => `two commands ${name}`),
    ...commands.flatMap((command) => withinPart(command, '')),
    ...commands
      .filter((command) => size(command) > 8000)
      .map((command) => `/${command.name}: ${size(command)} characters`),
  ];
}
