import {
  ApplicationCommandOptionType,
  type LocalizationMap,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord.js';
import { isTextKey, translationsOf, type TextKey } from '../locales/language.ts';

/** What commands, their subcommands and options have in common. */
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

/** @throws Error when there is no such text: a command, option or choice was added without its name in the locales. */
function textKey(...path: readonly (string | number)[]): TextKey {
  const key = path.join('.');
  if (!isTextKey(key)) throw new Error(`src/locales/en-US.json has no text ${key}, which a command needs`);
  return key;
}

function withTranslations(part: Part, name: TextKey, description: TextKey): Part {
  const localizations = {
    name_localizations: translationsOf(name),
    description_localizations: translationsOf(description),
  };
  return { ...part, ...localizations };
}

/** Choices that the command has translated itself stay as they are. */
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
 * A command's definition with its names and descriptions in every language. They are found by name: `command.NAME.name`
 * and `.description`, a subcommand's below its command's; an option's name under `option`, since equal ones are called
 * alike everywhere, and its description beside its command's; a choice's name under `choice`, by option and value.
 */
export function localised(
  definition: RESTPostAPIChatInputApplicationCommandsJSONBody,
): RESTPostAPIChatInputApplicationCommandsJSONBody {
  const part = localisedGroup(definition as Part, ['command', definition.name]);
  return part as RESTPostAPIChatInputApplicationCommandsJSONBody;
}
