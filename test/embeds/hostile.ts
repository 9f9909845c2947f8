import type { APIEmbed } from 'discord-api-types/v10';
import { expect, it } from 'vitest';
import type { Command, CommandOptions } from '../../src/commands/command.ts';
import { commands, type CommandName } from '../../src/commands/index.ts';
import type { Placed, Placements, PostStatus } from '../../src/commands/interfaces/placements.ts';
import { contentOf, type ChannelContent } from '../../src/config/schema/channel-jobs.ts';
import { alertEmbed } from '../../src/embeds/alert.ts';
import { arrivalEmbed, newPlayersEmbed } from '../../src/embeds/arrival.ts';
import { watchAddedEmbed, watchListEmbed } from '../../src/embeds/watch-list.ts';
import { deathEmbed, digestEmbed, type Death } from '../../src/embeds/kill-feed.ts';
import { fit } from '../../src/embeds/limits.ts';
import { recapAlt, recapEmbed } from '../../src/embeds/recap.ts';
import type { LoggedPlayers } from '../../src/embeds/online.ts';
import { statusEmbed } from '../../src/embeds/status.ts';
import { clean } from '../../src/embeds/text.ts';
import { languageOf, locales } from '../../src/locales/language.ts';
import { aDeath } from '../bot/channels/feeds/feed-world.ts';
import { context, type PartialContext } from '../commands/context.ts';
import { contractClient, type Handlers } from '../commands/contract-client.ts';
import { markdownTexts } from '../harness/message-rules.ts';
import { answerViolations } from '../harness/request-rules.ts';
import * as data from './contract-data.ts';
import { readMarkdown } from './discord-markdown.ts';
import { alerts } from './every-alert.ts';
import { hostileTexts } from './hostile-texts.ts';

/** Texts of people are put into a project 25 at a time, each in every place where such a text can stand. */
const perProject = 25;
const steamId = '76561198000000001';

/** The figures by which rows of the leaderboard are known. */
const values = data
  .leaderboard(Array.from({ length: perProject }, () => 'x'))
  .rows.map((row) => row.valueText);

function projectOf(texts: readonly string[]): Partial<Handlers> {
  const at = (index: number) => texts[index % texts.length]!;
  const servers = texts.map((name, index) => data.server({ id: `s${index}`, name, map: at(index + 7) }));
  const schedules = texts.map((title, index) => data.schedule({ title, description: at(index + 11) }));
  const alias = (name: string) => ({ name, firstSeenAt: null, lastSeenAt: null });
  const ban = (reason: string, index: number) =>
    data.ban({
      reason,
      player: { ...data.reference({ name: at(index + 3) }), aliases: [alias(at(index + 5))] },
      targets: [{ type: 'SERVER', serverId: `s${index}`, name: at(index + 9), state: 'FAILED' }],
    });
  const lists = texts.map((name, index) =>
    data.banlist({ id: `l${index}`, name, description: at(index + 13), banCount: texts.length }),
  );
  return {
    getProject: () => ({
      project: { ...data.project, name: at(1) },
      support: { ...data.support, title: at(0), supportUrl: at(2) } as typeof data.support,
    }),
    listServers: () => ({ servers }),
    listSchedules: ({ serverId }) => ({ schedules: serverId === 's3' ? schedules : schedules.slice(0, 2) }),
    listOnlinePlayers: ({ serverId }) =>
      serverId === 's2' ? data.online([], { online: perProject }) : data.online(texts),
    listLeaderboards: () => ({ leaderboards: [data.leaderboard(texts)] }),
    getPlayer: () => ({ player: data.player({ name: at(0), aliases: texts.map(alias) }) }),
    listBanlists: () => ({ banlists: lists }),
    listBans: ({ banListId }) => ({ bans: texts.slice(0, banListId === 'l2' ? perProject : 1).map(ban) }),
  };
}

/** Constructs of the bot's own; everything else has broken out of a text. */
const own = new Set(['bold', 'code', 'time', 'small', 'heading']);

/** As people see it: without the marks that keep a direction or a mention in place. */
const bare = (text: string) => text.replace(/[\u200b\u2068\u2069]/g, '');

function readingOf(embed: APIEmbed): { strange: string[]; seen: string } {
  const readings = markdownTexts(embed).map(readMarkdown);
  const constructs = readings.flatMap((reading) => reading.constructs);
  const seen = readings.map((reading) => reading.seen).join('\n');
  const strange = constructs.filter((kind) => !own.has(kind));
  return { strange, seen: bare(seen) };
}

/** Every answer that holds texts of people, beside the two that hold the most names. */
const asked: [CommandName, CommandOptions][] = [
  ['status', {}],
  ['status', { server: 's0' }],
  ['lookup', { identifier: steamId }],
  ['bans', {}],
  ['bans', { list: 'l2' }],
  ['bans', { identifier: steamId }],
  ['schedule', {}],
  ['schedule', { server: 's3' }],
];

/** Commands in which a member types the text, each with the option that takes it. */
const typed: [CommandName, string][] = [
  ['status', 'server'],
  ['top', 'metric'],
  ['lookup', 'identifier'],
  ['bans', 'list'],
  ['bans', 'identifier'],
];

/** Asks, and finds what is wrong with the answer: what Discord refuses, and what has broken out of its text. */
async function ask(name: CommandName, over: PartialContext): Promise<{ wrong: string[]; seen: string }> {
  const reply = await commands[name].run(context({ ...over, mayShare: true, visibility: 'private' }));
  const readings = reply.embeds.map(readingOf);
  const strange = readings.flatMap((reading) => reading.strange);
  return {
    wrong: [
      ...answerViolations(reply),
      ...strange.map((kind) => `${kind} in ${JSON.stringify(reply.embeds)}`),
    ],
    seen: readings.map((reading) => reading.seen).join('\n'),
  };
}

/** A guild in which the bot keeps a post that is shown, one that is not, and alerts. */
const servers = ['s0', 's1'];
const placed = (id: string | null, content: ChannelContent, status: PostStatus | null): Placed => {
  return { id, channelId: '1', content, status };
};
const placements: Placements = {
  list: () =>
    Promise.resolve([
      placed('a', contentOf('status', { servers }), { state: 'shown', messageId: '2' }),
      placed('b', contentOf('schedule', { servers }), { state: 'failing', reason: 'noAccess' }),
      placed(null, contentOf('alerts', { servers, banned: {} }), null),
      placed('c', contentOf('feed', { servers }), null),
    ]),
  place: () => Promise.reject(new Error('nothing is placed here')),
  remove: () => Promise.resolve(null),
};

/** The same texts as names from a server's log. */
function loggedPlayers(names: readonly string[]): LoggedPlayers {
  const players = names.map((name, index) => ({ name, seconds: index, isLoading: index % 7 === 0 }));
  return { players, asOf: data.now, isComplete: false };
}

function logged(names: readonly string[]): Pick<PartialContext, 'community'> {
  const of = loggedPlayers(names);
  return { community: { loggedPlayers: (ids) => Promise.resolve(new Map(ids.map((id) => [id, of]))) } };
}

const languageAt = (index: number) => languageOf(locales[index % locales.length]!);

/** Tests the bot's answers with so many texts, a multiple of 25. From 1,600 on, each answer comes in each language. */
export function testHostileTexts(count: number): void {
  const texts = hostileTexts(count);
  const projects = Array.from({ length: texts.length / perProject }, (_, index) => {
    return texts.slice(index * perProject, (index + 1) * perProject);
  });

  it('stay texts in every answer and language, within every limit, and mention nobody', async () => {
    for (const [index, part] of projects.entries()) {
      const over = { client: contractClient(projectOf(part)), language: languageAt(index) };
      const [name, options] = asked[Math.floor(index / locales.length) % asked.length]!;
      const answers = [
        await ask('top', { ...over, options: { metric: 'DEATHS', limit: perProject } }),
        await ask('online', { ...over, options: { server: 's1' } }),
        await ask('online', { ...over, ...logged(part), options: { server: 's2' } }),
        await ask(name, { ...over, options }),
      ];
      expect(answers.flatMap(({ wrong }) => wrong)).toEqual([]);
    }
  });

  it('stay texts in kill feeds', () => {
    for (const [index, part] of projects.entries()) {
      const language = languageAt(index);
      const known = part.map((name, at) =>
        data.server({ id: `s${at}`, name, map: part[(at + 3) % perProject]! }),
      );
      const view = {
        servers: new Map(known.map((one) => [one.id, one])),
        withServer: true,
        withPositions: true,
      };
      const deaths = part.map((name, at): Death => {
        const other = part[(at + 1) % perProject]!;
        const killer = at % 3 === 0 ? null : { name: other };
        const cause = at % 3 === 0 ? 'other' : 'player';
        return {
          ...aDeath,
          serverId: `s${at}`,
          victim: { name },
          killer,
          cause,
          weapon: part[(at + 2) % perProject]!,
        };
      });
      const [first, ...others] = deaths as [Death, ...Death[]];
      const digest = digestEmbed(language, view, [first, ...others]);
      for (const embed of [...deaths.map((death) => deathEmbed(language, view, death)), digest.embed]) {
        expect(answerViolations({ embeds: [embed] })).toEqual([]);
        expect(readingOf(embed).strange).toEqual([]);
      }
    }
  });

  it('stay texts in a recap of a week', () => {
    for (const [index, part] of projects.entries()) {
      const language = languageAt(index);
      for (const [at, name] of part.entries()) {
        const weapon = part[(at + 1) % perProject]!;
        const figures = [
          { kind: 'kills' as const, value: 4, before: 3, players: [1, 2, 3], others: 2 },
          { kind: 'shot' as const, value: 99.5, before: null, players: [1], weapon },
          { kind: 'weapon' as const, value: null, before: 2, weapon },
          { kind: 'weapon' as const, value: 2, before: 2, weapon },
        ];
        const recap = {
          from: data.now,
          until: data.now + 1,
          timezone: 'UTC',
          servers: [name, weapon],
          figures,
        };
        const view = { recap, names: new Map([1, 2].map((id) => [id, name])) };
        const embed = recapEmbed(language, view);
        expect(answerViolations({ embeds: fit([embed]) })).toEqual([]);
        expect(readingOf(embed).strange).toEqual([]);
        expect(recapAlt(language, view).length).toBeLessThanOrEqual(1024);
      }
    }
  });

  it('stay texts among the names in a status', () => {
    for (const [index, part] of projects.entries()) {
      const language = languageAt(index);
      const view = (id: string) => ({
        server: data.server({ id }),
        schedules: null,
        players: loggedPlayers(part),
      });
      const state = { receivedAt: data.now, stale: false };
      const embeds = [[view('a')], [view('a'), view('b')]].map((servers) =>
        statusEmbed(language, { servers, ...state }, data.now),
      );
      expect(answerViolations({ embeds: fit(embeds) })).toEqual([]);
      expect(embeds.flatMap((embed) => readingOf(embed).strange)).toEqual([]);
    }
  });

  it('stay texts in alerts about players, and in the watch list', () => {
    for (const [index, part] of projects.entries()) {
      const language = languageAt(index);
      const [name, other] = [part[0]!, part[1]!];
      const entry = { reason: other, addedBy: '1100000000000000301', addedAt: data.now };
      const bans = part.map((list) => ({ list, reason: other, expiresAt: null }));
      const arrival = { name, identifier: other, at: data.now, nameBefore: other, bans, kills: null };
      const arrivals = part.map((each) => ({ name: each, server: other, at: data.now }));
      const entries = part.map((subject, id) => {
        const about = (['player', 'identifier', 'name'] as const)[id % 3]!;
        return { ...entry, id, about, subject, expiresAt: data.now };
      });
      const embeds = [
        arrivalEmbed(language, other, { ...arrival, watched: entry, namesakeOf: null }),
        arrivalEmbed(language, other, { ...arrival, watched: null, namesakeOf: entry }),
        arrivalEmbed(language, other, { ...arrival, watched: null, namesakeOf: null }),
        newPlayersEmbed(language, arrivals),
        watchListEmbed(language, entries),
        ...entries.map((each) => watchAddedEmbed(language, { ...each, on: [other] }, [])),
      ];
      for (const embed of embeds) expect(answerViolations({ embeds: fit([embed]) })).toEqual([]);
    }
  });

  it('stay texts in alerts and in the list of what the bot keeps', async () => {
    for (const [index, part] of projects.entries()) {
      const language = languageAt(index);
      const [name, other] = [part[0]!, part[1]!];
      const server = { id: 's', name };
      const embeds = alerts.map((alert) => alertEmbed(language, server, alert));
      expect(answerViolations({ embeds: fit(embeds) })).toEqual([]);
      expect(embeds.flatMap((embed) => readingOf(embed).strange)).toEqual([]);

      const kept = async (names: readonly string[]) => {
        const servers = names.map((name, index) => data.server({ id: `s${index}`, name }));
        const client = contractClient({ listServers: () => ({ servers }) });
        const reply = await commands.outpost.run(
          context({
            client,
            language,
            options: { subcommand: 'posts' },
            channels: { placements: () => placements },
          }),
        );
        expect(answerViolations(reply)).toEqual([]);
        return reply.embeds.flatMap(markdownTexts).flatMap((text) => readMarkdown(text).constructs);
      };
      expect(await kept([name, other])).toEqual(await kept(['One', 'Two']));
    }
  });

  it('are seen on a leaderboard as they were written', async () => {
    let whole = 0;
    const breaking = (text: string) => text.replaceAll('\u00a0', ' ').replaceAll('\u2011', '-');
    for (const part of projects) {
      const { seen } = await ask('top', {
        client: contractClient(projectOf(part)),
        options: { metric: 'DEATHS', limit: perProject },
      });
      const rows = new Map(
        breaking(seen)
          .split('\n')
          .map((line) => [/ ([\d,]+)$/.exec(line)?.[1], line]),
      );
      for (const [index, text] of part.entries()) {
        const row = rows.get(values[index]);
        const name = breaking(bare(clean(text)));
        // What did not fit says so.
        if (row === undefined || row.includes('…') || name === '') continue;
        expect(row).toContain(name);
        whole += 1;
      }
    }
    expect(whole).toBeGreaterThan(count / 5);
  });

  it('are answered when a member types them', async () => {
    for (const [index, text] of texts.slice(0, 2_000).entries()) {
      const [name, option] = typed[index % typed.length]!;
      const { wrong } = await ask(name, { language: languageAt(index), options: { [option]: text } });
      expect(wrong).toEqual([]);
    }
  });

  it('are offered while typing within the limits, and mention nobody', async () => {
    for (const part of projects.slice(0, 100)) {
      const client = contractClient(projectOf(part));
      const offer = async (name: CommandName, option: string) => {
        const command: Command = commands[name];
        const focused = { name: option, value: '' };
        return (await command.autocomplete?.({ ...context({ client }), focused })) ?? [];
      };
      const choices = [...(await offer('status', 'server')), ...(await offer('lookup', 'identifier'))];
      expect(choices.length).toBeGreaterThan(0);
      for (const { name } of choices) {
        expect(name.length).toBeLessThanOrEqual(100);
        expect(name).not.toMatch(/@everyone|@here|\p{Surrogate}|[\u202a-\u202e]/u);
      }
    }
  });
}
