import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { DateTime } from 'luxon';
import { dayzIdOf } from '../api/identifiers.ts';
import * as lines from './admin-log-lines.ts';
import type { Survivor, Weapon } from './admin-log-lines.ts';
import type { Session, SimulatedGameServer } from './game-server.ts';
import { seededRandom } from './random.ts';

interface AdminLogOptions {
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

interface Kill {
  killer: string;
  victim: string;
  meters: number;
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
export class SimulatedAdminLog {
  readonly file: string;
  readonly #timezone: string;
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #away: Survivor[];
  readonly #there = new Map<Session, Survivor>();
  readonly #timer: NodeJS.Timeout;
  #kept: Survivor | undefined;
  #next: Survivor | undefined;
  #listedAt: number;

  constructor(server: SimulatedGameServer, options: AdminLogOptions) {
    const { folder, timezone, seed, intervalMs, now = Date.now } = options;
    this.file = join(folder, 'DayZServer_x64.ADM');
    this.#timezone = timezone;
    this.#now = now;
    this.#random = seededRandom(seed);
    this.#away = rosterOf(server.maxPlayers * 2, seed);
    this.#listedAt = now();
    const began = Math.min(now(), ...server.sessions.map(({ joinedAt }) => joinedAt)) - 60_000;
    const joins = server.sessions.map((session) =>
      this.#line(session.joinedAt, lines.connected(this.#enter(session))),
    );
    appendFileSync(this.file, lines.header(this.#local(began, 'yyyy-MM-dd HH:mm:ss')) + joins.join(''));
    server.watch({
      joined: (session) => this.#write(lines.connected(this.#enter(session))),
      left: (session) => this.#leave(session),
    });
    this.#timer = setInterval(() => this.step(), intervalMs).unref();
  }

  /** Writes one action now. */
  step(): void {
    for (const survivor of this.#there.values()) {
      if (survivor.health > 0) {
        survivor.health = Math.min(100, survivor.health + 0.5);
        continue;
      }
      this.#write(lines.respawning(survivor));
      this.#spawn(survivor);
    }
    if (this.#now() - this.#listedAt >= listEveryMs) {
      this.#listedAt = this.#now();
      this.#write(...lines.playerList([...this.#there.values()]));
    }
    const deed = this.#random();
    if (deed < 0.12) this.#shoot(this.#any(weapons) ?? rifle);
    else if (deed < 0.3) this.#wound();
    else if (deed < 0.7) this.#meetInfected();
  }

  /** Lets one player shoot another from this distance; null with fewer than two alive. */
  kill(meters?: number): Kill | null {
    return this.#shoot(rifle, meters);
  }

  /** The players on the server, longest connected first. */
  get present(): readonly Survivor[] {
    return [...this.#there.values()];
  }

  /** Lets a player make a gesture, if still there. @param gesture as the game names it: `EmoteSalute` */
  perform(survivor: Survivor, gesture: string): void {
    if (this.present.includes(survivor)) this.#write(lines.performed(survivor, gesture));
  }

  /** Keeps a player away until `letIn`. @returns the name */
  keepAway(): string {
    this.#kept = this.#away.pop();
    return this.#kept?.name ?? '';
  }

  /** The player who was kept away is the next to join. */
  letIn(): void {
    this.#next = this.#kept;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #local(at: number, format: string): string {
    return DateTime.fromMillis(at, { zone: this.#timezone }).toFormat(format);
  }

  #line(at: number, text: string): string {
    return `${this.#local(at, 'HH:mm:ss')} | ${text}\n`;
  }

  #write(...texts: string[]): void {
    appendFileSync(this.file, texts.map((text) => this.#line(this.#now(), text)).join(''));
  }

  #any<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#random() * list.length)];
  }

  #enter(session: Session): Survivor {
    const survivor = this.#next ?? this.#drawn();
    this.#next = undefined;
    this.#spawn(survivor);
    this.#there.set(session, survivor);
    return survivor;
  }

  #drawn(): Survivor {
    const [survivor] = this.#away.splice(Math.floor(this.#random() * this.#away.length), 1) as [Survivor];
    return survivor;
  }

  #leave(session: Session): void {
    const survivor = this.#there.get(session);
    if (survivor === undefined) return;
    this.#there.delete(session);
    this.#away.push(survivor);
    this.#write(lines.disconnected(survivor));
  }

  #spawn(survivor: Survivor): void {
    survivor.east = this.#random() * mapMeters;
    survivor.north = this.#random() * mapMeters;
    survivor.health = 100;
  }

  /** Places the killer at this distance from the victim, so that the positions in the log are right. */
  #place(killer: Survivor, victim: Survivor, meters: number): void {
    const direction = this.#random() * 2 * Math.PI;
    killer.east = victim.east + Math.cos(direction) * meters;
    killer.north = victim.north + Math.sin(direction) * meters;
  }

  #living(): Survivor[] {
    return [...this.#there.values()].filter(({ health }) => health > 0);
  }

  #pair(): [Survivor, Survivor] | [] {
    const living = this.#living();
    const one = this.#any(living);
    const other = this.#any(living.filter((survivor) => survivor !== one));
    return one === undefined || other === undefined ? [] : [one, other];
  }

  #shoot(weapon: Weapon, wanted?: number): Kill | null {
    const [killer, victim] = this.#pair();
    if (killer === undefined || victim === undefined) return null;
    const meters = wanted ?? 1 + this.#random() ** 2 * weapon.reach;
    this.#place(killer, victim, meters);
    victim.health = 0;
    this.#write(
      lines.hitByPlayer(victim, killer, weapon, meters),
      lines.killed(victim, killer, weapon, meters),
    );
    return { killer: killer.name, victim: victim.name, meters };
  }

  #wound(): void {
    const [hitter, victim] = this.#pair();
    const weapon = this.#any(weapons);
    if (hitter === undefined || victim === undefined || weapon === undefined) return;
    const meters = 1 + this.#random() * weapon.reach;
    this.#place(hitter, victim, meters);
    victim.health = Math.max(1, victim.health - weapon.damage);
    this.#write(lines.hitByPlayer(victim, hitter, weapon, meters));
  }

  #meetInfected(): void {
    const survivor = this.#any(this.#living());
    if (survivor === undefined) return;
    survivor.health = Math.max(0, survivor.health - 7.5);
    this.#write(survivor.health === 0 ? lines.bledOut(survivor) : lines.hitByInfected(survivor, 7.5));
  }
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
