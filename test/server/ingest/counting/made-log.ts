import { createHash } from 'node:crypto';
import { seededRandom } from '../../../../src/demo/random.ts';

/** How a log is written: up to 1.25, 1.26 to 1.28, and 2026, when connects are written once the player is in the game. */
export type Age = 1.25 | 1.28 | 2026;

const listEveryS = 300;
const daySeconds = 86_400;

/** Who is on while a log is made. */
interface Visit {
  name: string;
  id: string;
  /** When the player is in the game and so in the lists; seconds. */
  inGameAt: number;
}

/**
 * Makes an admin log from its grammar: hours of players who come, load, act, die, respawn and leave, with a list of those
 * in the game every five minutes, failed logins, crashes without disconnects, restarts and lines that are lost. Loading
 * times are like those of real logs: mostly about 40 s, seldom two minutes.
 */
export function makeLog(seed: number, { age, hours = 6 }: { age: Age; hours?: number }): string {
  const random = seededRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const people = Array.from({ length: 80 }, (_, index) => ({
    name: pick(['Survivor', `Survivor (${index})`, `[N] "${index}"`, `Кот ${index} `, `|X| (id=${index})`]),
    id: createHash('sha256').update(`${seed} ${index}`).digest('base64url').padEnd(44, '='),
  }));
  const lines: string[] = [];
  const on = new Map<string, Visit>();
  /** Runs begin in the evening: most logs go through midnight. */
  let now = 72_000 + Math.floor(random() * 10_000);
  let listedAt = now;

  const clock = (): string => new Date((now % daySeconds) * 1000).toISOString().slice(11, 19);
  const write = (text: string): void => {
    lines.push(`${clock()} | ${text}`);
  };
  const at = (): string => `${(random() * 15_000).toFixed(1)}, ${(random() * 15_000).toFixed(1)}, 5.0`;
  const prefix = ({ name, id }: Visit): string => `Player "${name}" (id=${id} pos=<${at()}>)`;
  const start = (): void => {
    const day = new Date((Date.UTC(2026, 2, 1) / 1000 + now) * 1000).toISOString();
    lines.push('', '*'.repeat(78), `AdminLog started on ${day.slice(0, 10)} at ${clock()}`);
    on.clear();
    listedAt = now;
  };
  const connect = (): void => {
    const person = pick(people);
    if (on.has(person.id)) return;
    const loads = random() < 0.04 ? 45 + random() * 75 : 35 + random() * 4;
    if (age === 1.25) write(`Player "${person.name}" is connected (id=${person.id})`);
    else if (age === 1.28) write(`Player "${person.name}"(id=${person.id}) is connected`);
    else write(`Player "${person.name}" (id=${person.id}) is connecting`);
    on.set(person.id, { ...person, inGameAt: now + Math.ceil(loads) });
  };
  const disconnect = (visit: Visit): void => {
    if (random() < 0.1) write(`${prefix(visit)} is disconnecting while being unconscious`);
    write(`Player "${visit.name}"(id=${visit.id}) has been disconnected`);
    on.delete(visit.id);
  };
  const act = (visit: Visit): void => {
    const deed = random();
    if (deed < 0.2) write(`${prefix(visit)} placed Fireplace`);
    else if (deed < 0.5)
      write(`${prefix(visit)}[HP: 90] hit by Infected into Torso(2) for 5 damage (MeleeZombie)`);
    else if (deed < 0.6) write(`Chat("${visit.name}"(id=${visit.id})): ##### PlayerList log: 3 players`);
    else if (deed < 0.7) {
      write(
        `${prefix(visit).replace('" (id=', '" (DEAD) (id=')} died. Stats> Water: 1 Energy: 2 Bleed sources: 0`,
      );
      write(`${prefix(visit)} is choosing to respawn`);
      if (age === 2026) write(`${prefix(visit)} is connected`);
    }
  };
  const list = (): void => {
    listedAt = now;
    const inGame = [...on.values()].filter(({ inGameAt }) => inGameAt <= now);
    // The game lists nobody when nobody is there.
    if (inGame.length === 0) return;
    write(`##### PlayerList log: ${inGame.length} players`);
    for (const visit of inGame) write(prefix(visit));
    write('#####');
  };

  start();
  for (const until = now + hours * 3600; now < until; now += 1) {
    for (const visit of on.values()) {
      if (age === 2026 && visit.inGameAt === now) write(`${prefix(visit)} is connected`);
    }
    const chance = random();
    const inGame = [...on.values()].filter(({ inGameAt }) => inGameAt < now);
    if (chance < 0.02) connect();
    else if (chance < 0.02 + inGame.length * 0.0004) disconnect(pick(inGame));
    else if (chance < 0.1 && inGame.length > 0) act(pick(inGame));
    else if (chance < 0.101) write('Player "Unknown"(id=Unknown) has been disconnected');
    else if (chance > 0.999_85 || (on.size > 50 && chance > 0.999)) {
      // A crash writes nothing; an orderly restart says that everybody leaves.
      if (random() < 0.5) for (const visit of inGame) disconnect(visit);
      now += 90;
      start();
    }
    if (now - listedAt >= listEveryS) list();
  }
  return `${lines.join('\n')}\n`;
}
