import type { Player } from '../api/resources.ts';
import { whichPlayerEmbed, type NamesakeView } from '../embeds/which-player.ts';
import type { CommandContext, Reply } from './command.ts';
import { keyOf, playerHint, type KnownPlayer } from './known-players.ts';
import { privateReply } from './replies.ts';
import { mostMenuOptions } from './rows.ts';
import type { ScreenControls } from './screen.ts';

/** With more players than this, "last seen" is left out, since it takes a request per player. */
const mostDescribed = 5;

/** Asks which of several players is meant, with a menu. */
export async function askWhichPlayer(
  { client, language, community }: Pick<CommandContext, 'client' | 'language' | 'community'>,
  controls: ScreenControls,
  text: string,
  several: readonly KnownPlayer[],
): Promise<Reply> {
  const read = async ({ identifier, ref }: KnownPlayer): Promise<Player | null> => {
    if (several.length > mostDescribed) return null;
    try {
      if (identifier !== null) return (await client.getPlayer({ identifier: identifier.value })).data.player;
      return (ref !== null && (await community.players.get(ref))) || null;
    } catch {
      return null;
    }
  };
  const namesakes = await Promise.all(
    several.slice(0, mostMenuOptions).map(async (known): Promise<NamesakeView> => {
      const player = await read(known);
      const playSeconds = player?.stats.totalPlaySeconds ?? known.playSeconds;
      return {
        ref: keyOf(known),
        name: known.name,
        hint: playerHint(language, { ...known, playSeconds }),
        lastSeenAt: player?.lastSeenAt ?? null,
      };
    }),
  );
  namesakes.sort((one, other) => (other.lastSeenAt ?? '').localeCompare(one.lastSeenAt ?? ''));
  // A button or a suggestion names a player by a reference, which says nothing to people.
  const [first] = several;
  const asked = several.every(({ name }) => name === first?.name) ? (first?.name ?? text) : text;
  const hidden = several.length - namesakes.length;
  const embed = whichPlayerEmbed(language, asked, namesakes, hidden);
  const choices = namesakes.map(({ name, ref, hint }) => ({ label: name, value: ref, description: hint }));
  return {
    ...privateReply(embed),
    components: controls.menu('identifier', 'placeholder.player', choices, null),
  };
}
