/** A player in the game, as in an admin log. */
export interface Survivor {
  name: string;
  /** `id=` of the log, see `dayzIdOf`. */
  id: string;
  /** Metres from the map's south-west corner, to the east and north. */
  east: number;
  north: number;
  /** 0: dead. */
  health: number;
}

/** A weapon: its name and ammunition in the log, and its range. */
export interface Weapon {
  name: string;
  ammunition: string;
  damage: number;
  /** Range in metres; 0 for melee. */
  reach: number;
}

const altitude = 120.5;

/** The header of each run of an admin log. @param local `2026-03-01 20:00:45` */
export function header(local: string): string {
  const [date, time] = local.split(' ');
  return `\n\n${'*'.repeat(78)}\nAdminLog started on ${date} at ${time}\n`;
}

// These are the texts of DayZ 1.26 to 1.28; some of them end with a space in the game too.
export const connected = (who: Survivor): string => `Player "${who.name}"(id=${who.id}) is connected`;
export const disconnected = (who: Survivor): string =>
  `Player "${who.name}"(id=${who.id}) has been disconnected`;
export const respawning = (who: Survivor): string => `${prefix(who)} is choosing to respawn`;
export const performed = (who: Survivor, gesture: string): string => `${prefix(who)} performed ${gesture}`;
export const bledOut = (who: Survivor): string => `${prefix(who)} bled out`;

export function hitByPlayer(who: Survivor, by: Survivor, weapon: Weapon, meters: number): string {
  const { name, ammunition, damage } = weapon;
  return `${wound(who)} hit by ${prefix(by)} into Torso(24) for ${damage} damage (${ammunition}) with ${name}${from(weapon, meters)}`;
}

export function hitByInfected(who: Survivor, damage: number): string {
  return `${wound(who)} hit by Infected into LeftArm(18) for ${damage} damage (MeleeZombie)`;
}

export function killed(who: Survivor, by: Survivor, weapon: Weapon, meters: number): string {
  return `${prefix(who)} killed by ${prefix(by)} with ${weapon.name}${from(weapon, meters)}`;
}

/** The lines of the list that the game writes every five minutes. */
export function playerList(all: readonly Survivor[]): string[] {
  return [`##### PlayerList log: ${all.length} players`, ...all.map(prefix), '#####'];
}

function prefix({ name, id, east, north, health }: Survivor): string {
  const dead = health === 0 ? ' (DEAD)' : '';
  return `Player "${name}"${dead} (id=${id} pos=<${east.toFixed(1)}, ${north.toFixed(1)}, ${altitude}>)`;
}

const wound = (who: Survivor): string => `${prefix(who)}[HP: ${Number(who.health.toFixed(4))}]`;

const from = ({ reach }: Weapon, meters: number): string =>
  reach === 0 ? '' : ` from ${Number(meters.toFixed(4))} meters `;
