import {
  ApplicationCommandOptionType,
  type LocalizationMap,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord.js';
import { isTextKey, translationsOf, type TextKey } from '../locales/language.ts';

/** The common shape of commands, subcommands and options. */
interface Part {
  name: string;
  type?: number;
  options?: readonly Part[];
  choices?: readonly Choice[];
}

interface Choice {
  name: string;
  name_localizations?: LocalizationMap | null;
  value: string | number;
}

/** @throws Error if the text is missing: a command, option or choice was added without its texts. */
function textKey(...path: readonly (string | number)[]): TextKey {
  const key = path.join('.');
  if (!isTextKey(key)) throw new Error(`src/locales/en-US.json lacks the text ${key} of a command`);
  return key;
}

function withTranslations(part: Part, name: TextKey, description: TextKey): Part {
  const localizations = {
    name_localizations: translationsOf(name),
    description_localizations: translationsOf(description),
  };
  return { ...part, ...localizations };
}

/** Choices that the command translated itself stay unchanged. */
function localisedChoices(option: Part, choices: readonly Choice[]): Choice[] {
  return choices.map((choice) =>
    choice.name_localizations === undefined
      ? { ...choice, name_localizations: translationsOf(textKey('choice', option.name, choice.value)) }
      : choice,
  );
}

function localisedOption(option: Part, path: readonly string[]): Part {
  const isGroup =
    option.type === ApplicationCommandOptionType.Subcommand ||
    option.type === ApplicationCommandOptionType.SubcommandGroup;
  if (isGroup) return localisedGroup(option, [...path, option.name]);
  return {
    ...withTranslations(option, textKey('option', option.name), textKey(...path, option.name)),
    ...(option.choices && { choices: localisedChoices(option, option.choices) }),
  };
}

function localisedGroup(group: Part, path: readonly string[]): Part {
  return {
    ...withTranslations(group, textKey(...path, 'name'), textKey(...path, 'description')),
    ...(group.options && { options: group.options.map((option) => localisedOption(option, path)) }),
  };
}

/**
 * Adds names and descriptions in every language to a command's definition. The keys are `command.NAME.name` and
 * `.description`, for a subcommand below its command; `option.NAME` for the name of an option, which all commands share;
 * `command.NAME.OPTION` for its description; and `choice.OPTION.VALUE` for a choice.
 */
export function localised(
  definition: RESTPostAPIChatInputApplicationCommandsJSONBody,
): RESTPostAPIChatInputApplicationCommandsJSONBody {
  const part = localisedGroup(definition as Part, ['command', definition.name]);
  return part as RESTPostAPIChatInputApplicationCommandsJSONBody;
}
