import { afterEach, describe, expect, it } from 'vitest';
import { dayzIdOf } from '../../src/api/identifiers.ts';
import { createWeekBefore } from '../../src/community/recaps.ts';
import { type Config, type ConfigInput, configSchema } from '../../src/config/schema.ts';
import { recapAlt, recapEmbed, type RecapFigure } from '../../src/embeds/recap.ts';
import { languageOf } from '../../src/locales/language.ts';
import { addBan, liftBan } from '../../src/server/ingest/bans/by-hand.ts';
import { addSamples } from '../../src/server/store/repositories/projects/history.ts';
import { forgetPlayer } from '../../src/server/store/repositories/rights/forget-player.ts';
import { setHidden } from '../../src/server/store/repositories/rights/hide-player.ts';
import { importLogs } from '../harness/logs.ts';
import { northwood, steamIds } from '../harness/northwood.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { temporaryFiles } from '../server/ingest/fixture.ts';
import { storedFrom } from './stored.ts';

const minute = 60_000;
const hour = 60 * minute;
const [ann, bob, cid] = [steamIds.ann, steamIds.bob, steamIds.cid].map((id) => dayzIdOf(id)) as [
  string,
  string,
  string,
];
const killed = (time: string, victim: string, killer: string, weapon = 'M4-A1', meters = 100) =>
  `${time} | Player "${named(victim)}" (DEAD) (id=${victim} pos=<1, 2, 3>) killed by Player "${named(killer)}" (id=${killer} pos=<1, 2, 3>) with ${weapon} from ${meters} meters `;
const named = (id: string): string => (id === ann ? 'Ann' : id === bob ? 'Bob' : 'Cid');
const plays = (id: string, from: string, to: string): string[] => [
  `${from} | Player "${named(id)}"(id=${id}) is connected`,
  `${to} | Player "${named(id)}"(id=${id}) has been disconnected`,
];
const run = (start: string, ...lines: string[]): string =>
  [`AdminLog started on ${start}`, ...lines.toSorted(), ''].join('\n');

/** A Monday at ten in Berlin: the week before is that of 16 to 22 February 2026. */
const monday = Date.parse('2026-02-23T09:00:00Z');
const week = [Date.parse('2026-02-15T23:00:00Z'), Date.parse('2026-02-22T23:00:00Z')];

let service: TestService;
afterEach(async () => await service.close());

async function start(
  logs: Readonly<Record<string, readonly string[]>>,
  changes: Partial<ConfigInput['projects'][number]> = {},
) {
  const input = northwood(changes);
  service = await startTestService(input);
  for (const [serverId, runs] of Object.entries(logs)) {
    const files = temporaryFiles({ 'x.ADM': runs.join('') });
    expect((await importLogs(service.db, { serverId, files })).failures).toEqual([]);
  }
  const config: Config = configSchema.parse(input);
  const weekBefore = createWeekBefore(storedFrom(() => config, service.db));
  const read = async (at = monday, servers?: string[]) => await weekBefore(at, servers);
  return {
    read,
    /** The figures by kind, with the names of players. */
    async figures(at?: number, servers?: string[]) {
      const found = await read(at, servers);
      if (found === null) return null;
      const { recap, names } = found;
      return Object.fromEntries(
        recap.figures.map(({ kind, players, ...figure }: RecapFigure) => {
          return [kind, { ...figure, ...(players && { players: players.map((id) => names.get(id)) }) }];
        }),
      );
    },
  };
}

const usual = [
  run('2026-01-05 at 12:00:00', ...plays(bob, '12:00:01', '12:30:00')),
  run(
    '2026-02-10 at 12:00:00',
    ...plays(bob, '12:00:01', '13:00:01'),
    killed('12:10:00', cid, bob, 'Mosin 91/30', 400),
  ),
  run(
    '2026-02-18 at 12:00:00',
    ...plays(ann, '12:00:01', '14:00:01'),
    killed('12:10:00', bob, ann, 'M4-A1', 20),
    killed('12:20:00', cid, ann, 'SVD', 812.4),
    killed('12:30:00', bob, ann, 'M4-A1', 10),
    killed('12:40:00', ann, bob, 'Mosin 91/30', 300),
  ),
];

describe('a recap of the last week', () => {
  it('leaves out who is banned for good, and has the player again when the ban is lifted', async () => {
    const { figures } = await start({ 'northwood-1': usual });
    const ban = { listId: 'northwood-bans', player: { kind: 'dayzId', value: ann } } as const;
    await addBan(service.db, { ...ban, category: 'CHEATING', reason: 'aimbot', expiresAt: null });
    expect(await figures()).toMatchObject({
      kills: { value: 1, players: ['Bob'] },
      shot: { value: 300, players: ['Bob'] },
    });
    await liftBan(service.db, ban);
    expect(await figures()).toMatchObject({
      kills: { value: 3, players: ['Ann'] },
      shot: { value: 812.4, players: ['Ann'] },
    });
  });

  it('says what was first, beside the week before', async () => {
    const { figures, read } = await start({ 'northwood-1': usual });
    await addSamples(service.db, 'northwood-1', [
      { sampledAt: week[0]! - hour, players: 30, maxPlayers: 60 },
      { sampledAt: week[0]! + hour, players: 20, maxPlayers: 60 },
      { sampledAt: week[1]! - minute, players: 25, maxPlayers: 60 },
      { sampledAt: week[1]!, players: 50, maxPlayers: 60 },
    ]);
    await addSamples(service.db, 'northwood-2', [
      { sampledAt: week[0]! + hour, players: 10, maxPlayers: 60 },
      { sampledAt: week[1]! - minute, players: null, maxPlayers: null },
    ]);
    expect(await figures()).toEqual({
      kills: { value: 3, before: 1, players: ['Ann'], others: 0 },
      shot: { value: 812.4, before: 400, players: ['Ann'], others: 0, weapon: 'SVD' },
      played: { value: 7200, before: 3600, players: ['Ann'], others: 0 },
      weapon: { value: 2, before: 1, weapon: 'M4-A1' },
      peak: { value: 30, before: 30, at: week[0]! + hour },
      newcomers: { value: 1, before: 1 },
    });
    const found = (await read())!;
    expect([found.recap.from, found.recap.until]).toEqual(week);
    const language = languageOf('de');
    expect(recapEmbed(language, found).title).toContain('16.–22. Februar');
    expect(recapAlt(language, found)).toContain('Weitester Schuss: Ann, 812,4 m, SVD (Vorwoche: 400 m)');
  });

  it('counts the servers of the post alone, and names them', async () => {
    const { figures, read } = await start({
      'northwood-1': usual,
      'northwood-2': [run('2026-02-19 at 12:00:00', killed('12:10:00', ann, cid, 'Sawed-off', 5))],
    });
    expect(await figures(monday, ['northwood-2'])).toEqual({
      kills: { value: 1, before: null, players: ['Cid'], others: 0 },
      shot: { value: 5, before: null, players: ['Cid'], others: 0, weapon: 'Sawed-off' },
      weapon: { value: 1, before: null, weapon: 'Sawed-off' },
    });
    expect((await read(monday, ['northwood-2']))?.recap.servers).toEqual(['Northwood | Livonia']);
    expect((await read())?.recap.servers).toEqual([]);
  });

  it('names all who are first', async () => {
    const lines = [killed('12:10:00', cid, ann), killed('12:20:00', cid, bob)];
    const { figures } = await start({ 'northwood-1': [run('2026-02-18 at 12:00:00', ...lines)] });
    const all = await figures();
    expect(all?.['kills']).toEqual({ value: 1, before: null, players: ['Ann', 'Bob'], others: 0 });
    expect(all?.['shot']).toMatchObject({ value: 100, players: ['Ann', 'Bob'] });
  });

  it('is nothing without any data, and compares an empty week with the one before', async () => {
    const { figures } = await start({ 'northwood-1': [usual[1]!] });
    expect(await figures()).toMatchObject({ kills: { value: null, before: 1 }, played: { value: null } });
    expect(await figures(monday + 14 * 24 * hour)).toBeNull();
  });

  it('has no newcomers in the first week of logs, in which everybody would be one', async () => {
    const { figures } = await start({ 'northwood-1': usual.slice(2) });
    expect(Object.keys((await figures()) ?? {})).toEqual(['kills', 'shot', 'played', 'weapon']);
  });

  it('begins and ends at local midnight, also when the clocks change', async () => {
    // Berlin: clocks go forward on 29 March 2026.
    const { read, figures } = await start({
      'northwood-1': [
        run('2026-03-22 at 23:59:00', killed('23:59:30', bob, ann)),
        run('2026-03-23 at 00:00:30', killed('00:01:00', ann, bob)),
        run('2026-03-29 at 23:50:00', killed('23:59:59', ann, bob)),
        run('2026-03-30 at 00:00:30', killed('00:01:00', bob, ann)),
      ],
    });
    const at = Date.parse('2026-03-30T08:00:00Z');
    const { recap } = (await read(at))!;
    expect(recap.until - recap.from).toBe((7 * 24 - 1) * hour);
    expect((await figures(at))?.['kills']).toMatchObject({ value: 2, before: 1, players: ['Bob'] });
    // Sunday evening belongs to the week that has not ended.
    expect((await read(at - 12 * hour))?.recap.until).toBe(recap.from);
  });

  it('leaves out who is hidden or forgotten', async () => {
    const { read, figures } = await start({ 'northwood-1': usual });
    expect([...(await read())!.names.values()]).toContain('Ann');
    const who = { identity: { steamId64: steamIds.ann } };
    await setHidden(service.db, who, true);
    expect((await figures())?.['kills']).toMatchObject({ value: 1, players: ['Bob'] });
    await setHidden(service.db, who, false);
    expect([...(await read())!.names.values()]).toContain('Ann');
    await forgetPlayer(service.db, who);
    expect((await figures())?.['kills']).toMatchObject({ value: 1, players: ['Bob'] });
  });

  it('is none of a suspended project', async () => {
    const { read } = await start({ 'northwood-1': usual }, { suspended: true });
    expect(await read()).toBeNull();
  });
});
