import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { DateTime } from 'luxon';
import { dayzIdOf } from '../api/identifiers.ts';
import * as lines from './admin-log-lines.ts';
import type { Survivor, Weapon } from './admin-log-lines.ts';
import type { Session, SimulatedGameServer } from './game-server.ts';
import { seededRandom } from './random.ts';

export interface AdminLogOptions {
  /** The folder of the log, `DayZServer_x64.ADM`. */
  folder: string;
  /** IANA name of the log's time zone. */
  timezone: string;
  /** The same seed produces the same players and the same actions. */
  seed: number;
  /** Milliseconds between two actions. */
  intervalMs: number;
  /** Epoch ms. */
  now?: () => number;
}

export interface Kill {
  killer: string;
  victim: string;
  meters: number;
}

/** The admin log of a simulated game server. */
export interface SimulatedAdminLog {
  readonly file: string;
  /** Writes one action now. */
  step(): void;
  /** Lets one player shoot another from this distance; null with fewer than two alive. */
  kill(meters?: number): Kill | null;
  stop(): void;
}

const weapons: readonly Weapon[] = [
  { name: 'M4-A1', ammunition: 'Bullet_556x45', damage: 34.5, reach: 250 },
  { name: 'KA-74', ammunition: 'Bullet_545x39', damage: 31.25, reach: 200 },
  { name: 'Mosin 91/30', ammunition: 'Bullet_762x54', damage: 72.5, reach: 500 },
  { name: 'BK-18', ammunition: 'Bullet_762x39', damage: 45, reach: 120 },
  { name: 'Kitchen Knife', ammunition: 'MeleeKnife', damage: 18, reach: 0 },
];
const rifle = weapons[2] as Weapon;
const listEveryMs = 300_000;
const mapMeters = 12_000;
/** Above every id that Steam has issued. */
const firstSteamId = 76_561_202_200_000_000n;
const callsigns =
  'Alder Birk Corvin Dana Elm Ferro Gale Hollis Ivo Juno Kestrel Linden Moss Nadir Osk Petra Quill Rowan Sorrel Tamsin Ulla Vesna Wren Yarrow Zora'.split(
    ' ',
  );

/** How people make names of these. */
const styles: readonly ((callsign: string) => string)[] = [
  (callsign) => callsign,
  (callsign) => `${callsign.toLowerCase()}_77`,
  (callsign) => `[NW] ${callsign}`,
  (callsign) => `Old ${callsign}`,
  (callsign) => `${callsign} the Lost`,
];

/**
 * Writes the admin log of a simulated game server: joins and leaves in agreement with its query, a player list every
 * five minutes, and what players do to each other. Players who are on the server at the start joined when its query
 * says.
 */
export function writeAdminLog(server: SimulatedGameServer, options: AdminLogOptions): SimulatedAdminLog {
  const { folder, timezone, intervalMs, now = Date.now } = options;
  const file = join(folder, 'DayZServer_x64.ADM');
  const random = seededRandom(options.seed);
  const away = rosterOf(server.maxPlayers * 2, options.seed);
  const there = new Map<Session, Survivor>();
  let listedAt = now();

  const local = (at: number, format: string): string =>
    DateTime.fromMillis(at, { zone: timezone }).toFormat(format);
  const line = (at: number, text: string): string => `${local(at, 'HH:mm:ss')} | ${text}\n`;
  const write = (...texts: string[]): void =>
    appendFileSync(file, texts.map((text) => line(now(), text)).join(''));
  const any = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];

  function enter(session: Session): Survivor {
    const [survivor] = away.splice(Math.floor(random() * away.length), 1) as [Survivor];
    spawn(survivor);
    there.set(session, survivor);
    return survivor;
  }

  function spawn(survivor: Survivor): void {
    survivor.east = random() * mapMeters;
    survivor.north = random() * mapMeters;
    survivor.health = 100;
  }

  /** Places the killer at this distance from the victim, so that the positions in the log are right. */
  function place(killer: Survivor, victim: Survivor, meters: number): void {
    const direction = random() * 2 * Math.PI;
    killer.east = victim.east + Math.cos(direction) * meters;
    killer.north = victim.north + Math.sin(direction) * meters;
  }

  function pair(): [Survivor, Survivor] | null {
    const living = [...there.values()].filter(({ health }) => health > 0);
    const one = any(living);
    const other = any(living.filter((survivor) => survivor !== one));
    return one === undefined || other === undefined ? null : [one, other];
  }

  function kill(weapon: Weapon, wanted?: number): Kill | null {
    const [killer, victim] = pair() ?? [];
    if (killer === undefined || victim === undefined) return null;
    const meters = wanted ?? 1 + random() ** 2 * weapon.reach;
    place(killer, victim, meters);
    victim.health = 0;
    write(lines.hitByPlayer(victim, killer, weapon, meters), lines.killed(victim, killer, weapon, meters));
    return { killer: killer.name, victim: victim.name, meters };
  }

  function wound(): void {
    const [hitter, victim] = pair() ?? [];
    const weapon = any(weapons);
    if (hitter === undefined || victim === undefined || weapon === undefined) return;
    const meters = 1 + random() * weapon.reach;
    place(hitter, victim, meters);
    victim.health = Math.max(1, victim.health - weapon.damage);
    write(lines.hitByPlayer(victim, hitter, weapon, meters));
  }

  function meetInfected(): void {
    const survivor = any([...there.values()].filter(({ health }) => health > 0));
    if (survivor === undefined) return;
    survivor.health = Math.max(0, survivor.health - 7.5);
    write(survivor.health === 0 ? lines.bledOut(survivor) : lines.hitByInfected(survivor, 7.5));
  }

  function step(): void {
    for (const survivor of there.values()) {
      if (survivor.health > 0) {
        survivor.health = Math.min(100, survivor.health + 0.5);
        continue;
      }
      write(lines.respawning(survivor));
      spawn(survivor);
    }
    if (now() - listedAt >= listEveryMs) {
      listedAt = now();
      write(...lines.playerList([...there.values()]));
    }
    const deed = random();
    if (deed < 0.12) kill(any(weapons) ?? rifle);
    else if (deed < 0.3) wound();
    else if (deed < 0.7) meetInfected();
  }

  const began = Math.min(now(), ...server.sessions.map(({ joinedAt }) => joinedAt)) - 60_000;
  appendFileSync(
    file,
    lines.header(local(began, 'yyyy-MM-dd HH:mm:ss')) +
      server.sessions.map((session) => line(session.joinedAt, lines.connected(enter(session)))).join(''),
  );
  server.watch({
    joined: (session) => write(lines.connected(enter(session))),
    left(session) {
      const survivor = there.get(session);
      if (survivor === undefined) return;
      there.delete(session);
      away.push(survivor);
      write(lines.disconnected(survivor));
    },
  });

  const timer = setInterval(step, intervalMs);
  timer.unref();
  return { file, step, kill: (meters) => kill(rifle, meters), stop: () => clearInterval(timer) };
}

function rosterOf(count: number, seed: number): Survivor[] {
  return Array.from({ length: count }, (_, index) => {
    const callsign = callsigns[index % callsigns.length] as string;
    const style = styles[Math.floor(index / callsigns.length)] ?? ((name) => `${name} ${index}`);
    return {
      name: style(callsign),
      id: dayzIdOf(String(firstSteamId + BigInt(seed * 10_000 + index))),
      east: 0,
      north: 0,
      health: 100,
    };
  });
}
