import { whichPlayerEmbed } from '../embeds/failure.ts';
import type { CommandContext, Reply } from './command.ts';
import { keyOf, playerHint, type KnownPlayer } from './known-players.ts';
import { privateReply } from './replies.ts';
import { mostMenuOptions } from './rows.ts';
import type { ScreenControls } from './screen.ts';

/** Asks which of several players is meant, with a menu. */
export function askWhichPlayer(
  { language }: Pick<CommandContext, 'language'>,
  controls: ScreenControls,
  text: string,
  several: readonly KnownPlayer[],
): Reply {
  const namesakes = several
    .slice(0, mostMenuOptions)
    .map((known) => ({ ...known, value: keyOf(known), hint: playerHint(language, known) }))
    .toSorted((one, other) => (other.lastSeenAt ?? '').localeCompare(one.lastSeenAt ?? ''));
  // A button or a suggestion names a player by a reference, which says nothing to people.
  const [first] = several;
  const asked = several.every(({ name }) => name === first?.name) ? (first?.name ?? text) : text;
  const hidden = several.length - namesakes.length;
  const embed = whichPlayerEmbed(language, asked, namesakes, hidden);
  const choices = namesakes.map(({ name, value, hint }) => ({ label: name, value, description: hint }));
  return {
    ...privateReply(embed),
    components: controls.menu('identifier', 'placeholder.player', choices, null),
  };
}
