import { z } from 'zod';
import { configurableCommands, visibilities } from '../../commands/visibilities.ts';
import { memberRole } from './member-roles.ts';
import { channelLists } from './channel-jobs.ts';
import { id, locale, snowflake, timezone } from './values.ts';

/** A guild in the file of a project. */
export const projectGuild = z.strictObject({
  id: snowflake,
  locale: locale.optional().describe('language of posts and alerts there'),
  timezone: timezone.optional().describe("of charts there; default: the server's"),
});

const guild = projectGuild.extend({
  project: id.optional().describe('whose data this guild shows; default: project of this section'),
});

const privateByDefault = configurableCommands.filter((name) => visibilities[name] === 'private');

const answers = z
  .partialRecord(
    z.enum(configurableCommands),
    z.enum(['public', 'private'], { error: 'expected public or private' }).describe('who sees the answers'),
  )
  .describe(`by command; default: ${privateByDefault.join(', ')} are private, all others public`);

export const discord = z.strictObject({
  project: id.optional().describe('whose data the bot shows; default: the first project'),
  locale: locale.optional().describe("language of posts and alerts; default: each guild's own"),
  guilds: z
    .array(guild)
    .default([])
    .describe('your own Discord servers (docs/bot.md), and what is different in each'),
  guildIds: z
    .array(snowflake)
    .default([])
    .describe('commands only in these Discord servers (at once), which are yours then; empty: everywhere'),
  answers: answers.default({}),
  buttons: z
    .enum(['asker', 'everyone'], { error: 'expected asker or everyone' })
    .default('asker')
    .describe('who may use the buttons and menus of a public answer'),
  sharing: z
    .enum(['nobody', 'moderators', 'everyone'], { error: 'expected nobody, moderators or everyone' })
    .default('moderators')
    .describe('who may turn a private answer public; moderators: who may manage messages or ban'),
  links: z
    .enum(['proven', 'claimed'], { error: 'expected proven or claimed' })
    .default('proven')
    .describe(
      'what counts as a link between a member and a player: gestures in the game (/link), or also the word of the member',
    ),
  ...channelLists,
  roles: z
    .array(memberRole)
    .max(50, { error: 'expected at most 50 roles' })
    .default([])
    .describe('roles that linked members get and lose by what they do in the game'),
  presence: z.boolean().default(true).describe("the bot's presence shows how many are playing"),
  keepServing: z
    .boolean()
    .default(false)
    .describe('true: when Discord refuses the bot, the service goes on without it; false: the process ends'),
});

/** The section `discord`, with the defaults of what was left out. */
export type DiscordConfig = z.output<typeof discord>;
