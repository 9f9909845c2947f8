import { appendFileSync, renameSync } from 'node:fs';
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
  /** Those who may come, the most frequent first: more than the server has slots. */
  players: readonly Survivor[];
  /** The same seed produces the same actions. */
  seed: number;
  /** Milliseconds between two actions. */
  intervalMs: number;
  /** Epoch ms. */
  now: () => number;
}

const rifle = weapons[4];
const listEveryMs = 300_000;
/** Shots are shorter than in the past weeks, so that the records of the leaderboards stay. */
const reachNow = 0.45;

/**
 * Writes the admin log of a simulated game server: joins and leaves in agreement with its query, a player list every
 * five minutes, and what players do to each other. It begins while nobody is on the server.
 */
export class SimulatedAdminLog {
  readonly file: string;
  readonly #options: AdminLogOptions;
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #players: Survivor[];
  readonly #there = new Map<Session, Survivor>();
  readonly #timer: NodeJS.Timeout;
  #kept: Survivor | undefined;
  #next: Survivor | undefined;
  #startedAt = 0;
  #listedAt: number;

  constructor(server: SimulatedGameServer, options: AdminLogOptions) {
    const { folder, players, seed, intervalMs, now } = options;
    this.file = join(folder, 'DayZServer_x64.ADM');
    this.#options = options;
    this.#now = now;
    this.#random = seededRandom(seed);
    this.#players = players.map((player) => ({ ...player }));
    this.#listedAt = now();
    this.#begin();
    server.watch({
      joined: (session) => this.#enter(session),
      left: (session) => this.#leave(session),
    });
    this.#timer = setInterval(() => this.step(), intervalMs).unref();
  }

  /** @param isPast without the lists, which would be most of the log */
  step(isPast = false): void {
    for (const survivor of this.#there.values()) {
      if (survivor.health > 0) {
        survivor.health = Math.min(100, survivor.health + 0.5);
        continue;
      }
      this.#write(lines.respawning(survivor));
      this.#spawn(survivor);
    }
    if (!isPast && this.#now() - this.#listedAt >= listEveryMs) {
      this.#listedAt = this.#now();
      this.#write(...lines.playerList([...this.#there.values()]));
    }
    const deed = this.#random();
    if (deed < 0.3) this.#shootAnyhow(deed < 0.12, isPast ? 1 : reachNow);
    else if (deed < 0.7) this.#meetInfected();
  }

  /** Lets one player shoot another from this distance; null with fewer than two alive. */
  kill(meters = 100) {
    return this.#shoot(rifle, true, meters);
  }

  /** Begins a new file, as a game server does when it restarts. The name of the old one says when it began. */
  restart(): void {
    const began = this.#local(this.#startedAt, 'yyyy_MM_dd_HHmmss');
    renameSync(this.file, join(this.#options.folder, `DayZServer_x64_${began}000.ADM`));
    this.#begin();
  }

  /** Another player who may come. */
  welcome(player: Survivor): void {
    this.#players.push({ ...player });
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
    this.#kept = this.#away().pop();
    return this.#kept?.name ?? '';
  }

  /** The player who was kept away is the next to join. */
  letIn(): void {
    this.#next = this.#kept;
    this.#kept = undefined;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #begin(): void {
    this.#startedAt = this.#now();
    appendFileSync(this.file, lines.header(this.#local(this.#startedAt, 'yyyy-MM-dd HH:mm:ss')));
  }

  #local(at: number, format: string): string {
    return DateTime.fromMillis(at, { zone: this.#options.timezone }).toFormat(format);
  }

  #write(...texts: string[]): void {
    const time = this.#local(this.#now(), 'HH:mm:ss');
    appendFileSync(this.file, texts.map((text) => `${time} | ${text}\n`).join(''));
  }

  #any<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#random() * list.length)];
  }

  #enter(session: Session): void {
    const away = this.#away();
    const survivor = this.#next ?? away[Math.floor(this.#random() ** 1.6 * away.length)]!;
    this.#next = undefined;
    this.#spawn(survivor);
    this.#there.set(session, survivor);
    this.#write(lines.connected(survivor));
  }

  #leave(session: Session): void {
    const survivor = this.#there.get(session);
    if (survivor === undefined) return;
    this.#there.delete(session);
    this.#write(lines.disconnected(survivor));
  }

  #spawn(survivor: Survivor): void {
    settle(survivor, this.#options.map, this.#options.towns, this.#random);
    survivor.health = 100;
  }

  #away(): Survivor[] {
    const there = new Set(this.#there.values());
    return this.#players.filter((player) => !there.has(player) && player !== this.#kept);
  }

  #living(): Survivor[] {
    return this.present.filter(({ health }) => health > 0);
  }

  /** Of a few who meet, the best shot, and somebody else. */
  #pair(): { killer: Survivor | undefined; victim: Survivor | undefined } {
    const living = this.#living();
    // Good shots are not those who come most often.
    const skill = (survivor: Survivor): number => (this.#players.indexOf(survivor) * 7919) % 97;
    const met = [0, 1, 2].flatMap(() => this.#any(living) ?? []);
    const [killer] = met.toSorted((one, other) => skill(other) - skill(one));
    return { killer, victim: this.#any(living.filter((survivor) => survivor !== killer)) };
  }

  #shootAnyhow(kills: boolean, reach: number): void {
    const weapon: Weapon = weapons[Math.floor(this.#random() ** 1.3 * weapons.length)]!;
    this.#shoot(weapon, kills, 1 + this.#random() ** 2 * weapon.reach * reach);
  }

  #shoot(weapon: Weapon, kills: boolean, meters: number) {
    const { killer, victim } = this.#pair();
    if (killer === undefined || victim === undefined) return null;
    placeKiller(killer, victim, meters, this.#random);
    victim.health = kills ? 0 : Math.max(1, victim.health - weapon.damage);
    this.#write(lines.hitByPlayer(victim, killer, weapon, meters));
    if (kills) this.#write(lines.killed(victim, killer, weapon, meters));
    return { killer: killer.name, victim: victim.name, meters };
  }

  #meetInfected(): void {
    const survivor = this.#any(this.#living());
    if (survivor === undefined) return;
    survivor.health = this.#random() < 0.1 ? 0 : Math.max(1, survivor.health - 7.5);
    this.#write(survivor.health === 0 ? lines.bledOut(survivor) : lines.hitByInfected(survivor, 7.5));
  }
}
