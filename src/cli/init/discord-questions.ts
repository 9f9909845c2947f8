import { setTimeout as sleep } from 'node:timers/promises';
import { createSetup, type SetupChannel, type SetupGuild } from '../../bot/setup.ts';
import { CommandFailure } from '../output.ts';
import type { Answers, Known } from './answers.ts';
import { flagOf, readSecretFile } from './options.ts';
import { question, type Question } from './question.ts';
import { limits } from '../limits.ts';

/** What is asked of the bot, in this order. */
export const discordQuestions: readonly Question[] = [
  question({
    key: 'bot',
    option: 'discordTokenFile',
    when: (_, { options }) => options.discord,
    given({ options: { discordTokenFile: file }, environment: { discordToken } }) {
      if (file !== undefined) return { origin: flagOf('discordTokenFile'), read: () => readSecretFile(file) };
      return discordToken === null ? null : { origin: 'DISCORD_TOKEN', read: () => discordToken };
    },
    async ask(prompts) {
      prompts.info(
        [
          'The bot needs a token:',
          '  1. Open https://discord.com/developers/applications',
          '  2. New Application, then its page "Bot"',
          '  3. Reset Token, then Copy',
        ].join('\n'),
      );
      return await prompts.secret("Paste the bot's token (Enter alone: no Discord for now)");
    },
    async check(text, _, { environment, report }) {
      if (text === null) return null;
      const token = text.replace(/^Bot\s+/i, '').replaceAll(/^["']|["']$/g, '');
      const setup = createSetup(token, environment.discordApiUrl);
      const application = await setup.application();
      report(`Discord knows the bot: ${application.name}.`);
      return { setup, application, newToken: token === environment.discordToken ? null : token };
    },
  }),
  question({
    key: 'guilds',
    when: ({ bot }) => bot != null,
    async check(_, answers, { prompts, report }) {
      const { setup, application } = answers.bot as NonNullable<Answers['bot']>;
      const guilds = await setup.guilds();
      if (guilds.length > 0 || prompts === null) return guilds;
      const joined = await prompts.waitOrLeave(
        `Open this link to add the bot to your Discord server:\n${application.inviteUrl}\nWaiting until it is there. Press Enter to go on without it.`,
        async (signal) => {
          for (; !signal.aborted; await sleep(2_000, undefined, { signal }).catch(() => undefined)) {
            // A lost connection does not end the wait.
            const now = await setup.guilds().catch(() => []);
            if (now.length > 0) return now;
          }
          return [];
        },
      );
      for (const { name } of joined ?? []) report(`The bot is in ${name}.`);
      return joined ?? [];
    },
  }),
  question({
    key: 'guild',
    option: 'guild',
    when: ({ guilds }) => guilds !== undefined,
    check(text, { guilds = [] }) {
      if (text === null) return guilds.length === 1 ? (guilds[0] as SetupGuild) : null;
      const found = guilds.find(({ id, name }) => id === text || name === text);
      if (found !== undefined) return found;
      const list = guilds.map(({ name }) => JSON.stringify(name)).join(', ') || 'none';
      throw new CommandFailure(`the bot is not in ${JSON.stringify(text)}. It is in: ${list}.`);
    },
  }),
  question({
    key: 'post',
    option: 'channel',
    when: ({ guilds }) => guilds !== undefined,
    async ask(prompts, answers) {
      const guilds = guildsOf(answers);
      if (guilds.length === 0) return '';
      const ofSeveral = (guild: SetupGuild): string => (guilds.length === 1 ? '' : ` (${guild.name})`);
      const channels = await channelsOf(answers);
      const usableFirst = channels.toSorted(
        (a, b) => Number(a.missing.length > 0) - Number(b.missing.length > 0),
      );
      return await prompts.select('In which channel shall the bot keep a status post?', [
        ...usableFirst.map(({ id, name, guild, missing }) => ({
          value: id,
          label: `#${name}${ofSeveral(guild)}`,
          ...(missing.length > 0 && { hint: `the bot lacks ${missing.join(', ')}` }),
        })),
        ...guilds.map((guild) => ({ value: guild.id, label: `None for now${ofSeveral(guild)}` })),
      ]);
    },
    async check(text, answers) {
      if (text === null) return { guild: answers.guild ?? null, channel: null };
      const guild = guildsOf(answers).find(({ id }) => id === text);
      if (guild !== undefined) return { guild, channel: null };
      const channel = channelNamed(text, await channelsOf(answers));
      return { guild: channel.guild, channel };
    },
  }),
];

/** Those whose channels may have the status post. */
const guildsOf = ({ guild, guilds = [] }: Known): SetupGuild[] =>
  guild == null ? guilds.slice(0, limits.offeredGuilds) : [guild];

const channelsOf = async (answers: Known): Promise<SetupChannel[]> => {
  const { setup } = answers.bot as NonNullable<Answers['bot']>;
  return (await Promise.all(guildsOf(answers).map((guild) => setup.channels(guild)))).flat();
};

/** @throws CommandFailure */
function channelNamed(text: string, channels: readonly SetupChannel[]): SetupChannel {
  const name = text.replace(/^#/, '');
  const [only, ...others] = channels.filter((channel) => channel.id === text || channel.name === name);
  if (only !== undefined && others.length === 0) return only;
  const list = channels.map((channel) => `#${channel.name}`).join(', ') || 'none';
  const problem = only === undefined ? 'there is no text channel' : 'there are several channels';
  throw new CommandFailure(`${problem} ${JSON.stringify(text)}. The bot sees: ${list}. Use its id.`);
}
