import { setTimeout as delay } from 'node:timers/promises';
import { stringify } from 'yaml';
import { startSimulatedGameServer } from '../../src/demo/game-server.ts';
import { startLocalDiscord, type LocalDiscord } from 'local-discord';
import { languageOf } from '../../src/locales/language.ts';
import { createWorkplace, type Running } from '../harness/outpost-process.ts';

export interface CrowdOptions {
  seconds: number;
  /** Members who ask without end, each so often a second, for a player who is not known. */
  greedy: number;
  perSecond: number;
  /** Members who ask twice each. */
  others: number;
  /** The bot reads the service in another process, with the limits of any application. */
  elsewhere: boolean;
}

export interface CrowdReport {
  /** Milliseconds from the question to the whole answer, of the members who ask twice. */
  othersAnsweredAfterMs: number[];
  /** Of them: answers that are not fresh, that tell of a limit, and questions without an answer. */
  othersStale: number;
  othersRefused: number;
  othersLost: string[];
  greedyAsked: number;
  /** Told politely, to that member alone. */
  greedyRefused: number;
  greedyLost: string[];
  /** Milliseconds from a server's end to the post that says so and to the alert; null: it did not come. */
  postAfterMs: number | null;
  alertAfterMs: number | null;
}

const token = 'local-crowd-token';
const guildId = '1100000000000000100';
const channels = { talk: '1100000000000000201', post: '1100000000000000202', alerts: '1100000000000000203' };
const { t } = languageOf('en-US');
const staleText = t('stale', { when: '|' }).split('|')[0] ?? '';
const waitTitle = t('failure.waitTitle');
/** The shortest absence that a config lets an alert tell of. */
const downAfterMinutes = 1;

/** Members of one guild who ask at once, some of them without end, while one of two servers goes down. */
export async function crowd(options: CrowdOptions): Promise<CrowdReport> {
  const place = await createWorkplace();
  const botPlace = await createWorkplace();
  const games = await Promise.all(
    ['N0', 'N1'].map((name) => startSimulatedGameServer({ name, map: 'enoch', maxPlayers: 60, players: 20 })),
  );
  const discord = await startLocalDiscord({
    token,
    // On a busy machine nobody is lost for a late acknowledgement: the report says how late answers came.
    acknowledgeWithinMs: 60_000,
    guilds: [
      {
        id: guildId,
        name: 'Northwood',
        channels: Object.entries(channels).map(([name, id]) => ({ id, name })),
      },
    ],
  });
  const servers = games.map(({ port }, index) => ({
    id: `northwood-${index}`,
    name: `Northwood ${index}`,
    host: '127.0.0.1',
    port: 2302 + index,
    queryPort: port,
  }));
  const ids = servers.map(({ id }) => id);
  const section = {
    locale: 'en-US',
    statusPosts: [{ channelId: channels.post, cron: '*/5 * * * * *', servers: ids, chart: 'none' as const }],
    alerts: [{ channelId: channels.alerts, servers: ids, down: { afterMinutes: downAfterMinutes } }],
  };
  const project = { slug: 'northwood', name: 'Northwood', servers };
  const own = { DISCORD_TOKEN: token, DISCORD_API_URL: discord.apiUrl };
  try {
    await place.configure({ projects: [project], ...(options.elsewhere ? {} : { discord: section }) });
    const service = await place.start(options.elsewhere ? {} : own);
    let bot: Running = service;
    if (options.elsewhere) {
      await botPlace.write('outpost.yaml', stringify({ discord: section }));
      const make = ['app', 'create', '--project', 'northwood', '--name', 'Bot', '--scopes', 'all'];
      const { id, secret } = await place.outpostJson(...make);
      const remote = { OUTPOST_API_URL: service.url, OUTPOST_APPLICATION_ID: id, OUTPOST_SECRET: secret };
      bot = await botPlace.startBot({ ...own, ...remote });
    }
    await bot.logged('the bot is online');
    while (discord.commands().length === 0 || !postText(discord).includes('20 / 60')) await delay(50);

    const report = emptyReport();
    const startedAt = performance.now();
    const endsAt = startedAt + options.seconds * 1000;
    const downAt = performance.now();
    await games[1]?.close();
    const watching = watch(discord, downAt, report);
    await Promise.all([askGreedily(discord, options, endsAt, report), askTwice(discord, options, report)]);
    const patienceMs = (downAfterMinutes + 1) * 60_000 - (performance.now() - downAt);
    await Promise.race([watching.done, delay(Math.max(0, patienceMs), undefined, { ref: false })]);
    watching.stop();
    return report;
  } finally {
    await botPlace.remove();
    await place.remove();
    await discord.close();
    await games[0]?.close();
  }
}

const emptyReport = (): CrowdReport => ({
  othersAnsweredAfterMs: [],
  othersStale: 0,
  othersRefused: 0,
  othersLost: [],
  greedyAsked: 0,
  greedyRefused: 0,
  greedyLost: [],
  postAfterMs: null,
  alertAfterMs: null,
});

const postText = (discord: LocalDiscord): string => JSON.stringify(discord.messages(channels.post));

function watch(discord: LocalDiscord, downAt: number, report: CrowdReport) {
  const stopping = new AbortController();
  const offline = t('state.OFFLINE');
  const look = async (): Promise<void> => {
    while (!stopping.signal.aborted && (report.postAfterMs === null || report.alertAfterMs === null)) {
      if (postText(discord).includes(`**${offline}**`)) report.postAfterMs ??= performance.now() - downAt;
      if (discord.messages(channels.alerts).length > 0) report.alertAfterMs ??= performance.now() - downAt;
      await delay(100);
    }
  };
  return { done: look(), stop: () => stopping.abort() };
}

const userOf = (kind: 'greedy' | 'other', number: number) => ({
  id: `12000000000000${kind === 'greedy' ? 1 : 2}${String(number).padStart(4, '0')}`,
  username: `${kind}${number}`,
  locale: 'en-US',
});

async function use(
  discord: LocalDiscord,
  user: ReturnType<typeof userOf>,
  commandName: string,
  options: Record<string, string> = {},
): Promise<{ text: string; isPrivate: boolean }> {
  const where = { guildId, channelId: channels.talk, user };
  const answer = await discord.invoke({ ...where, commandName, options, answerWithinMs: 90_000 });
  const { embeds, components } = answer.message ?? {};
  return { text: JSON.stringify([embeds, components]), isPrivate: answer.ephemeral };
}

async function askGreedily(
  discord: LocalDiscord,
  { greedy, perSecond }: CrowdOptions,
  endsAt: number,
  report: CrowdReport,
): Promise<void> {
  const running: Promise<void>[] = [];
  const one = async (member: number, number: number): Promise<void> => {
    const identifier = `7656119${String(member).padStart(2, '0')}${String(number).padStart(8, '0')}`;
    report.greedyAsked += 1;
    try {
      const { text, isPrivate } = await use(discord, userOf('greedy', member), 'lookup', { identifier });
      if (text.includes(waitTitle) && isPrivate) report.greedyRefused += 1;
    } catch (error) {
      report.greedyLost.push(String(error));
    }
  };
  // As often as that, also where timers come late.
  const startedAt = performance.now();
  let number = 0;
  while (performance.now() < endsAt) {
    for (; number <= ((performance.now() - startedAt) / 1000) * perSecond; number += 1) {
      for (let member = 0; member < greedy; member += 1) running.push(one(member, number));
    }
    await delay(1000 / perSecond);
  }
  await Promise.all(running);
}

async function askTwice(
  discord: LocalDiscord,
  { others, seconds }: CrowdOptions,
  report: CrowdReport,
): Promise<void> {
  const questions: [string, Record<string, string>][] = [
    ['status', {}],
    ['top', { metric: 'PLAYER_KILLS' }],
    ['status', { server: 'northwood-0' }],
    ['lookup', { identifier: '76561198000000001' }],
  ];
  const one = async (member: number, number: number): Promise<void> => {
    await delay((member / others + number) * seconds * 450);
    const [name, options] = questions[(member + number) % questions.length] ?? ['status', {}];
    const startedAt = performance.now();
    try {
      const { text } = await use(discord, userOf('other', member), name, options);
      report.othersAnsweredAfterMs.push(performance.now() - startedAt);
      if (text.includes(staleText)) report.othersStale += 1;
      if (text.includes(waitTitle)) report.othersRefused += 1;
    } catch (error) {
      report.othersLost.push(String(error));
    }
  };
  const all = Array.from({ length: others }, (_, member) => [one(member, 0), one(member, 1)]);
  await Promise.all(all.flat());
}
