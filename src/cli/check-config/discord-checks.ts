import type { Config } from '../../config/schema.ts';
import type { Finding } from './finding.ts';

/** Whether the config names the home guilds, in which non-public data may be shown. */
export function checkHomeGuilds({ discord }: Pick<Config, 'discord'>): Finding[] {
  if (discord === undefined) return [];
  const named = new Set([...discord.guildIds, ...discord.guilds.map(({ id }) => id)]);
  const about = { key: 'discord.guilds', tried: 'home guilds' };
  if (named.size > 0) return [{ ...about, status: 'good', found: `${named.size} named` }];
  return [
    {
      ...about,
      status: 'warning',
      found: 'none is named: your guild is a home guild only while the bot is in no other one',
      next:
        'name it: guilds: [{ id: "…" }]. To keep others from adding the bot, open it in the Discord developer portal, ' +
        'set Installation > Install Link to None, then switch Bot > Public Bot off',
    },
  ];
}
