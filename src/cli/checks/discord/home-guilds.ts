import type { DiscordConfig } from '../../../config/schema.ts';
import { about, type Finding } from '../finding.ts';

/** Whether the config names the home guilds, in which alone the bot works. */
export function checkHomeGuilds({ guildIds, guilds }: DiscordConfig): Finding {
  const named = new Set([...guildIds, ...guilds.map(({ id }) => id)]);
  const homes = about('discord.guilds', 'home guilds');
  if (named.size > 0) return homes.good(`${named.size} named`);
  return homes.warning(
    'none is named: your guild is a home guild only while the bot is in no other one',
    'name it: guilds: [{ id: "…" }]. To keep others from adding the bot, open it in the Discord developer portal, ' +
      'set Installation > Install Link to None, then switch Bot > Public Bot off',
  );
}
