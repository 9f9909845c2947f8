import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DateTime } from 'luxon';
import * as lines from './admin-log-lines.ts';
import type { Survivor } from './admin-log-lines.ts';
import { placeKiller, settle, weapons } from './players.ts';
import { seededRandom } from './random.ts';

interface PastLogs {
  /** Where the logs are written. */
  folder: string;
  /** IANA name of their time zone. */
  timezone: string;
  map: string;
  /** Where most die, by name. */
  towns: readonly string[];
  players: readonly Survivor[];
  maxPlayers: number;
  /** The same seed produces the same weeks. */
  seed: number;
  /** When the last run ends, epoch milliseconds. */
  until: number;
}

interface Session {
  player: Survivor;
  /** Of two who meet, the one with more shoots first. */
  skill: number;
  from: number;
  to: number;
}

const minute = 60_000;
const hour = 60 * minute;
const days = 21;
const runHours = 6;
const usualHours = 1.2;
/** The shares of sessions that end with a death by another player, and by something else. */
const [killed, died] = [0.5, 0.2];

/** Writes the admin logs of a simulated server's past three weeks, one file a run: who came and left, killed and died. */
export function writePastLogs(options: PastLogs): void {
  const { folder, timezone, seed, until } = options;
  const random = seededRandom(seed);
  const first = DateTime.fromMillis(until, { zone: timezone }).startOf('day').minus({ days });
  for (let run = 0; ; run += 1) {
    const start = first.plus({ hours: run * runHours });
    const from = start.toMillis();
    if (from + hour > until) return;
    const to = Math.min(from + runHours * hour - minute, until);
    const clock = (at: number): string => new Date(at + start.offset * minute).toISOString().slice(11, 19);
    const entries = entriesOf(options, from, to, random).toSorted(([one], [other]) => one - other);
    const text = entries.map(([at, line]) => `${clock(at)} | ${line}\n`).join('');
    const name = `DayZServer_x64_${start.toFormat('yyyy_MM_dd_HHmmss')}000.ADM`;
    writeFileSync(join(folder, name), lines.header(start.toFormat('yyyy-MM-dd HH:mm:ss')) + text);
  }
}

type Entry = [at: number, line: string];

function entriesOf(options: PastLogs, from: number, to: number, random: () => number): Entry[] {
  const sessions = sessionsOf(options, from, to, random);
  return sessions.flatMap((session): Entry[] => {
    const { player } = session;
    const fate = random();
    const at = session.from + (0.2 + 0.7 * random()) * (session.to - session.from);
    const death = fate < killed ? kill(options, session, at, sessions, random) : [];
    if (fate >= killed && fate < killed + died) {
      settle(player, options.map, options.towns, random);
      death.push([at, random() < 0.7 ? lines.bledOut(player) : lines.committedSuicide(player)]);
    }
    return [[session.from, lines.connected(player)], ...death, [session.to, lines.disconnected(player)]];
  });
}

/** Everybody plays at most once in a run. Evenings are full, the first of the players come most often, the last are new. */
function sessionsOf(
  { players, maxPlayers, until }: PastLogs,
  from: number,
  to: number,
  random: () => number,
): Session[] {
  const evening = 0.5 + 0.4 * Math.cos((((from + to) / 2 / hour - 19) / 24) * 2 * Math.PI);
  const count = (evening * maxPlayers * 0.45 * (to - from)) / (usualHours * hour);
  const known = players.length * (1 - (0.35 * (until - from)) / (days * 24 * hour));
  const there = new Map<Survivor, Session>();
  for (let tries = 0; tries < count; tries += 1) {
    const index = Math.floor(random() ** 1.6 * known);
    const player = players[index]!;
    const start = from + minute + random() * (to - from - 20 * minute);
    const end = Math.min(start + (0.2 + 2 * random()) * usualHours * hour, to - 1000);
    // The places of good shots in the list have nothing to do with how often they come.
    const skill = ((index * 7919) % 97) / 97;
    if (!there.has(player)) there.set(player, { player, skill, from: start, to: end });
  }
  return [...there.values()];
}

function kill(
  { map, towns }: PastLogs,
  { player: victim }: Session,
  at: number,
  sessions: readonly Session[],
  random: () => number,
): Entry[] {
  const others = sessions.filter(({ player, from, to }) => player !== victim && from < at && at < to);
  const met = [0, 1, 2, 3].flatMap(() => others[Math.floor(random() * others.length)] ?? []);
  const [best] = met.toSorted((one, other) => other.skill - one.skill);
  if (best === undefined) return [];
  const weapon = weapons[Math.floor(random() ** 1.3 * weapons.length)]!;
  const meters = 1 + random() ** 3 * weapon.reach;
  settle(victim, map, towns, random);
  placeKiller(best.player, victim, meters, random);
  const dead = { ...victim, health: 0 };
  return [
    [at, lines.hitByPlayer(dead, best.player, weapon, meters)],
    [at, lines.killed(dead, best.player, weapon, meters)],
    [at + 15_000, lines.respawning(victim)],
  ];
}
