import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord.js';
import { defaultLocale, isTextKey, languageOf, translationsOf, type TextKey } from '../locales/language.ts';

const { t } = languageOf(defaultLocale);

type OptionType = keyof typeof ApplicationCommandOptionType;

/**
 * A command without its texts, which are in `src/locales/` in every language: `command.NAME.name` and `.description`, for a
 * subcommand below its command; `option.NAME` for the name of an option, which all commands share; `command.NAME.OPTION` for
 * its description; and `choice.OPTION.VALUE` for a choice.
 */
export interface CommandDefinition {
  name: string;
  options?: readonly (CommandOption | SubcommandDefinition)[];
  /** The permissions that a member needs, as Discord's bits. Default: everybody may use the command. */
  default_member_permissions?: string;
}

export interface SubcommandDefinition {
  type: Extract<OptionType, 'Subcommand' | 'SubcommandGroup'>;
  name: string;
  /** Of a group: its subcommands. */
  options?: readonly (CommandOption | SubcommandDefinition)[];
}

/** The fields are Discord's, but for the name of the type and for the choices. */
export interface CommandOption {
  type: Exclude<OptionType, SubcommandDefinition['type']>;
  name: string;
  required?: boolean;
  autocomplete?: true;
  min_value?: number;
  max_value?: number;
  min_length?: number;
  max_length?: number;
  /** The values, which are sent to Discord. Their texts are found by them. */
  choices?: readonly string[];
  /** The folder of the choices' texts. Default: `choice.NAME`. */
  choiceTexts?: 'metric' | 'top.period';
}

/** @throws Error if the text is missing: a command, option or choice was added without its texts. */
function textKey(...path: readonly string[]): TextKey {
  const key = path.join('.');
  if (!isTextKey(key)) throw new Error(`src/locales/en-US.json lacks the text ${key} of a command`);
  return key;
}

function described(name: TextKey, description: TextKey): object {
  return {
    description: t(description),
    name_localizations: translationsOf(name),
    description_localizations: translationsOf(description),
  };
}

const isSubcommand = (option: CommandOption | SubcommandDefinition): option is SubcommandDefinition =>
  option.type === 'Subcommand' || option.type === 'SubcommandGroup';

function withTexts(option: CommandOption | SubcommandDefinition, path: readonly string[]): object {
  const type = ApplicationCommandOptionType[option.type];
  if (isSubcommand(option)) return { ...option, type, ...textsOf(option, [...path, option.name]) };
  const { choices, choiceTexts = `choice.${option.name}`, ...row } = option;
  return {
    ...row,
    type,
    ...described(textKey('option', option.name), textKey(...path, option.name)),
    ...(choices && {
      choices: choices.map((value) => {
        const key = textKey(choiceTexts, value);
        return { name: t(key), name_localizations: translationsOf(key), value };
      }),
    }),
  };
}

function textsOf({ options }: Pick<CommandDefinition, 'options'>, path: readonly string[]): object {
  return {
    ...described(textKey(...path, 'name'), textKey(...path, 'description')),
    ...(options && { options: options.map((option) => withTexts(option, path)) }),
  };
}

/** A definition as registered with Discord: not offered in direct messages, nor to users who install the app for themselves. */
export function registeredForm(
  definition: CommandDefinition,
): RESTPostAPIChatInputApplicationCommandsJSONBody {
  const form = {
    type: ApplicationCommandType.ChatInput,
    contexts: [InteractionContextType.Guild],
    integration_types: [ApplicationIntegrationType.GuildInstall],
    default_member_permissions: null,
    ...definition,
    ...textsOf(definition, ['command', definition.name]),
  };
  return form as unknown as RESTPostAPIChatInputApplicationCommandsJSONBody;
}
