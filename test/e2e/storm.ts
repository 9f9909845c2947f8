import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startSimulatedGameServer } from '../../src/demo/game-server.ts';
import { startLocalDiscord, type Component, type LocalDiscord, type Message } from 'local-discord';
import { languageOf, locales } from '../../src/locales/language.ts';
import { createWorkplace } from '../harness/outpost-process.ts';

export interface StormReport {
  asked: number;
  /** Milliseconds from INTERACTION_CREATE to the acknowledgement, one for each that was acknowledged. */
  acknowledgedAfterMs: number[];
  /** What Discord's client said of those that were not, or never answered. */
  lost: string[];
  /** Answers that tell a member of a limit. */
  limitErrors: string[];
  /** Requests of the bot to the service, and those that the service refused with 429. */
  requests: number;
  refused: number;
}

const token = 'local-storm-token';
const maps = ['chernarusplus', 'enoch', 'sakhal', 'chernarusplus', 'enoch'];
const guildId = (index: number): string => `110000000000000010${index}`;
const channelId = (index: number): string => `110000000000000020${index}`;
const players = Array.from({ length: 40 }, (_, index) => `765611980000000${String(index).padStart(2, '0')}`);
const metrics = ['PLAYER_KILLS', 'DEATHS', 'LONGEST_KILL', 'PLAYTIME'];

/**
 * The real process with its default limits, five game servers, and members of five guilds who all ask at once: so many
 * interactions, evenly over so many seconds.
 */
export async function storm(interactions: number, seconds: number): Promise<StormReport> {
  return await withOutpost(async (discord, output) => {
    const report = await ask(discord, interactions, seconds);
    return { ...report, ...served(output()) };
  });
}

/** The real process with five game servers, and a Discord with as many guilds. */
async function withOutpost<Report>(
  work: (discord: LocalDiscord, output: () => string) => Promise<Report>,
): Promise<Report> {
  const place = await createWorkplace();
  const games = await Promise.all(
    maps.map((map, index) =>
      startSimulatedGameServer({ name: `N${index}`, map, maxPlayers: 60, players: 20 }),
    ),
  );
  const guilds = maps.map((_, index) => ({
    id: guildId(index),
    name: `Guild ${index}`,
    channels: [{ id: channelId(index), name: 'general' }],
  }));
  // On a busy machine nobody is lost for a late acknowledgement: the report says how late each came.
  const discord = await startLocalDiscord({ token, guilds, acknowledgeWithinMs: 60_000 });
  try {
    await place.configure(configOf(games.map(({ port }) => port)));
    const outpost = await place.start({
      DISCORD_TOKEN: token,
      DISCORD_API_URL: discord.apiUrl,
      LOG_LEVEL: 'debug',
    });
    await outpost.logged('the bot is online');
    while (discord.commands().length === 0) await delay(50);
    return await work(discord, outpost.output);
  } finally {
    await place.remove();
    await discord.close();
    for (const game of games) await game.close();
  }
}

function configOf(queryPorts: readonly number[]) {
  const demo = fileURLToPath(new URL('../../config/demo/', import.meta.url));
  return {
    projects: [
      {
        slug: 'northwood',
        name: 'Northwood',
        servers: queryPorts.map((queryPort, index) => ({
          id: `northwood-${index}`,
          name: `Northwood | ${index}`,
          host: '127.0.0.1',
          port: 2302 + index,
          queryPort,
          ...(index < 2 && { logs: `${demo}northwood-${index + 1}` }),
        })),
        banlists: [
          { id: 'bans', name: 'Bans', sources: [{ file: `${demo}bans.txt`, format: 'battleye' as const }] },
        ],
      },
    ],
    discord: { project: 'northwood' },
  };
}

type Asked = Pick<StormReport, 'asked' | 'acknowledgedAfterMs' | 'lost' | 'limitErrors'>;

async function ask(discord: LocalDiscord, interactions: number, seconds: number): Promise<Asked> {
  const report: Asked = { asked: interactions, acknowledgedAfterMs: [], lost: [], limitErrors: [] };
  const boards: Message[] = [];
  const one = async (index: number): Promise<void> => {
    try {
      const { acknowledgedAfterMs, message } = await act(discord, index, boards);
      if (acknowledgedAfterMs !== null) report.acknowledgedAfterMs.push(acknowledgedAfterMs);
      if (message && tellsOfLimit(message)) report.limitErrors.push(JSON.stringify(message.embeds));
    } catch (error) {
      report.lost.push(String(error));
    }
  };
  const running: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let index = 0; index < interactions; index += 1) {
    await delay(startedAt + (index / interactions) * seconds * 1000 - performance.now());
    running.push(one(index));
  }
  await Promise.all(running);
  return report;
}

interface Outcome {
  /** Null: not told (completions have no message and are measured by their answer alone). */
  acknowledgedAfterMs: number | null;
  message: Message | null;
}

/** What the member with this number does: 200 of them, each in one guild, in all the languages. */
async function act(discord: LocalDiscord, index: number, boards: Message[]): Promise<Outcome> {
  const number = index % 200;
  const place = number % maps.length;
  const user = {
    id: `12000000000000${String(number).padStart(5, '0')}`,
    username: `member${number}`,
    locale: locales[number % locales.length] ?? 'en-US',
    permissions: number % 20 === 0 ? 1n << 2n : 0n,
  };
  const where = { guildId: guildId(place), channelId: channelId(place), user };
  const server = `northwood-${Math.floor(index / 10) % maps.length}`;
  const use = async (commandName: string, options: Record<string, string | number> = {}) =>
    await discord.invoke({ ...where, commandName, options, evenIfHidden: true, answerWithinMs: 90_000 });
  switch (index % 10) {
    case 0:
    case 1:
      return await use('status');
    case 2:
      return await use('status', { server });
    case 3:
    case 4:
      return await use('online', { server });
    case 5: {
      const answer = await use('top', { metric: metrics[index % metrics.length] ?? '', limit: 3 });
      if (answer.message && index % 20 === 5) boards.push(answer.message);
      return answer;
    }
    case 6:
      return await use('lookup', { identifier: players[(index * 7) % players.length] ?? '' });
    case 7:
      return index % 20 === 7 ? await use('schedule') : await use('bans');
    case 8: {
      const startedAt = performance.now();
      const focused = { name: 'server', value: 'north' };
      await discord.autocomplete({ ...where, commandName: 'online', focused });
      return { acknowledgedAfterMs: performance.now() - startedAt, message: null };
    }
    default: {
      const board = boards.at(-1);
      const next = board && nextButton(board);
      if (!board || !next) return await use('status');
      return await discord.click({ messageId: board.id, customId: next, user, answerWithinMs: 90_000 });
    }
  }
}

function nextButton(message: Message): string | undefined {
  const buttons = message.components.flatMap((row: Component) => row.components ?? []);
  return buttons.findLast((button) => button.emoji?.name === '▶️' && !button.disabled)?.custom_id;
}

const languages = locales.map(languageOf);
const waitTitles = new Set(languages.map(({ t }) => t('failure.waitTitle')));
/** A service that does not answer in time, on a busy machine, is no limit. */
const lateTexts = languages.flatMap(({ t }) => [t('failure.unreachable'), t('failure.timeout')]);

function tellsOfLimit(message: Message): boolean {
  return message.embeds.some(
    ({ title = '', description = '' }) =>
      [...waitTitles].some((wait) => title.includes(wait)) &&
      !lateTexts.some((late) => description.includes(late)),
  );
}

/** From the access log: the bot is the only caller there is. */
function served(output: string): Pick<StormReport, 'requests' | 'refused'> {
  const statuses = output
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'))
    .map((line) => (JSON.parse(line) as { status: number }).status);
  return { requests: statuses.length, refused: statuses.filter((status) => status === 429).length };
}
