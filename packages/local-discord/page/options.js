/** What a command's options take, as the composer needs it. */

export const optionType = {
  subcommand: 1,
  group: 2,
  string: 3,
  integer: 4,
  boolean: 5,
  user: 6,
  channel: 7,
  role: 8,
  mentionable: 9,
  number: 10,
};

const byLocale = (text, translations, locale) => translations?.[locale] ?? text;

/** Name and description in the reader's language. */
export function localized(item, locale) {
  const names = item.nameLocalizations ?? item.name_localizations;
  const descriptions = item.descriptionLocalizations ?? item.description_localizations;
  return {
    name: byLocale(item.name, names, locale),
    description: byLocale(item.description ?? '', descriptions, locale),
  };
}

/** Every command that can be typed, sub-commands each on their own. */
export function typable(commands, locale) {
  const all = [];
  const walk = (item, words, shown, base) => {
    const { name, description } = localized(item, locale);
    const path = [...words, item.name];
    const label = [...shown, name];
    const nested = (item.options ?? []).filter((option) => option.type <= optionType.group);
    if (nested.length > 0) for (const option of nested) walk(option, path, label, base);
    else
      all.push({
        id: `${base.id} ${path.join(' ')}`,
        name: path.join(' '),
        label: label.join(' '),
        description,
        options: item.options ?? [],
      });
  };
  for (const command of commands) walk(command, [], [], command);
  return all.toSorted((a, b) => a.label.localeCompare(b.label));
}

/** Choices that need no question to the bot; null when the option takes free text. */
export function fixedChoices(option, world, locale) {
  if (option.choices) {
    return option.choices.map((choice) => ({
      name: byLocale(choice.name, choice.name_localizations, locale),
      value: choice.value,
    }));
  }
  const named = (ids, sign, names) => ids.map((id) => ({ name: `${sign}${names[id] ?? id}`, value: id }));
  switch (option.type) {
    case optionType.boolean:
      return [
        { name: 'True', value: true },
        { name: 'False', value: false },
      ];
    case optionType.channel:
      return world.guild.channels.map((channel) => ({ name: `#${channel.name}`, value: channel.id }));
    case optionType.user:
    case optionType.mentionable:
      return named(world.guild.members, '@', world.users);
    case optionType.role:
      return named(Object.keys(world.guild.roles), '@', world.guild.roles);
    default:
      return null;
  }
}

/** The value to send for what stands in the field; undefined when it does not fit the option. */
export function valueOf(option, text, choices) {
  const chosen = choices?.find((choice) => choice.name === text);
  if (chosen) return chosen.value;
  if (option.type === optionType.integer || option.type === optionType.number) {
    const number = Number(text);
    const whole = option.type === optionType.number || Number.isInteger(number);
    const inside = number >= (option.min_value ?? -Infinity) && number <= (option.max_value ?? Infinity);
    return text.trim() !== '' && whole && inside ? number : undefined;
  }
  if (option.type === optionType.string && !option.choices) return text;
  return undefined;
}
