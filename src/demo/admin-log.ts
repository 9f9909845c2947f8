import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { DateTime } from 'luxon';
import * as lines from './admin-log-lines.ts';
import type { Survivor, Weapon } from './admin-log-lines.ts';
import type { Session, SimulatedGameServer } from './game-server.ts';
import { placeKiller, settle, weapons } from './players.ts';
import { seededRandom } from './random.ts';

interface AdminLogOptions {
  /** The folder of the log, `DayZServer_x64.ADM`. */
  folder: string;
  /** IANA name of the log's time zone. */
  timezone: string;
  /** Where players are, by name of the map and of its towns. */
  map: string;
  towns: readonly string[];
  /** Those who may come: twice as many as the server has slots. */
  players: readonly Survivor[];
  /** The same seed produces the same actions. */
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

const rifle = weapons[4];
const listEveryMs = 300_000;
/** Shots are shorter than those of the past weeks, so that the records of the leaderboards stay. */
const reachNow = 0.45;

/**
 * Writes the admin log of a simulated game server: joins and leaves in agreement with its query, a player list every
 * five minutes, and what players do to each other. Players who are on the server at the start joined when its query
 * says.
 */
export class SimulatedAdminLog {
  readonly file: string;
  readonly #options: AdminLogOptions;
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #away: Survivor[];
  readonly #there = new Map<Session, Survivor>();
  readonly #timer: NodeJS.Timeout;
  #kept: Survivor | undefined;
  #next: Survivor | undefined;
  #listedAt: number;

  constructor(server: SimulatedGameServer, options: AdminLogOptions) {
    const { folder, players, seed, intervalMs, now = Date.now } = options;
    this.file = join(folder, 'DayZServer_x64.ADM');
    this.#options = options;
    this.#now = now;
    this.#random = seededRandom(seed);
    this.#away = players.map((player) => ({ ...player }));
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
    if (deed < 0.3) this.#shoot(this.#any<Weapon>(weapons)!, { kills: deed < 0.12 });
    else if (deed < 0.7) this.#meetInfected();
  }

  /** Lets one player shoot another from this distance; null with fewer than two alive. */
  kill(meters?: number): Kill | null {
    return this.#shoot(rifle, { kills: true, meters });
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
    return DateTime.fromMillis(at, { zone: this.#options.timezone }).toFormat(format);
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
    const drawn = (): Survivor => this.#away.splice(Math.floor(this.#random() * this.#away.length), 1)[0]!;
    const survivor = this.#next ?? drawn();
    this.#next = undefined;
    this.#spawn(survivor);
    this.#there.set(session, survivor);
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
    settle(survivor, this.#options.map, this.#options.towns, this.#random);
    survivor.health = 100;
  }

  #living(): Survivor[] {
    return this.present.filter(({ health }) => health > 0);
  }

  #pair(): [Survivor, Survivor] | [] {
    const living = this.#living();
    const one = this.#any(living);
    const other = this.#any(living.filter((survivor) => survivor !== one));
    return one === undefined || other === undefined ? [] : [one, other];
  }

  #shoot(weapon: Weapon, shot: { kills: boolean; meters?: number | undefined }): Kill | null {
    const [killer, victim] = this.#pair();
    if (killer === undefined || victim === undefined) return null;
    const meters = shot.meters ?? 1 + this.#random() ** 2 * weapon.reach * reachNow;
    placeKiller(killer, victim, meters, this.#random);
    victim.health = shot.kills ? 0 : Math.max(1, victim.health - weapon.damage);
    this.#write(lines.hitByPlayer(victim, killer, weapon, meters));
    if (shot.kills) this.#write(lines.killed(victim, killer, weapon, meters));
    return { killer: killer.name, victim: victim.name, meters };
  }

  #meetInfected(): void {
    const survivor = this.#any(this.#living());
    if (survivor === undefined) return;
    survivor.health = Math.max(0, survivor.health - 7.5);
    this.#write(survivor.health === 0 ? lines.bledOut(survivor) : lines.hitByInfected(survivor, 7.5));
  }
}
