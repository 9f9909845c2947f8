import { seededRandom } from '../../../../../src/demo/random.ts';
import { gestures } from '../../../../../src/server/games/dayz/facts/gestures.ts';

/* What members and others do while members prove their players, as lines of admin logs. */

export const pool = Object.keys(gestures);

export type Random = () => number;
export const pick = <T>(rnd: Random, from: readonly T[]): T => from[Math.floor(rnd() * from.length)] as T;

/** The ids of a PC, an Xbox and a PlayStation. */
function idOf(rnd: Random, platform: number): string {
  const text = (length: number, from: string) => Array.from({ length }, () => pick(rnd, [...from])).join('');
  return platform === 1
    ? text(40, 'ABCDEF0123456789')
    : `${text(43, 'abcdefghijkmnopqrstuvwxyzABCDEFGHIJK0123456789-_')}=`;
}

export function draw(rnd: Random): string[] {
  const left = [...pool];
  return [0, 1, 2, 3, 4, 5].map(() => left.splice(Math.floor(rnd() * left.length), 1)[0] as string);
}

/** A line of the log, and when the game wrote it. */
export interface Line {
  at: number;
  text: string;
}

export interface Person {
  name: string;
  id: string;
}

/** Gestures of a player, one after the other from a moment on. */
export function perform(rnd: Random, { name, id }: Person, made: readonly string[], from: number): Line[] {
  let at = from;
  return made.map((gesture) => {
    at += 2_000 + Math.floor(rnd() * 20) * 1_000;
    const held = rnd() < 0.2 ? ' with R12' : '';
    const place = `pos=<${(rnd() * 9_000).toFixed(1)}, ${(rnd() * 9_000).toFixed(1)}, 10.0>`;
    return { at, text: `Player "${name}" (id=${id} ${place}) performed ${gesture}${held}` };
  });
}

/** The right gestures, perhaps after wrong ones, and perhaps again. */
export function honest(rnd: Random, wanted: readonly string[]): string[] {
  const wrong = rnd() < 0.4 ? wanted.toReversed() : [];
  const made = wanted.slice(0, Math.floor(rnd() * wanted.length));
  const mistake = rnd() < 0.4 ? [...made, pick(rnd, ['EmoteSitA', ...pool])] : [];
  return [...wrong, ...mistake, ...wanted, ...(rnd() < 0.3 ? wanted : [])];
}

export const mischief = ['none', 'copies', 'is first', 'makes all', 'guesses'] as const;

export function disturb(
  rnd: Random,
  how: (typeof mischief)[number],
  other: Person,
  victim: Line[],
  wanted: readonly string[],
) {
  const [first] = victim;
  const from = first?.at ?? 0;
  if (how === 'copies') return perform(rnd, other, wanted, from + 1_000);
  if (how === 'is first') return perform(rnd, other, wanted, from - 70_000);
  if (how === 'makes all') return perform(rnd, other, [...pool, ...pool, ...pool], from - 120_000);
  return how === 'guesses'
    ? perform(
        rnd,
        other,
        Array.from({ length: 40 }, () => pick(rnd, pool)),
        from - 90_000,
      )
    : [];
}

/** Two members' players, one of the same name as the first, and another one, on a PC, an Xbox or a PlayStation. */
export function peopleOn(platform: number): [aksel: Person, berit: Person, namesake: Person, carl: Person] {
  const rnd = seededRandom(platform);
  const person = (name: string): Person => ({ name, id: idOf(rnd, platform) });
  return [person('Aksel'), person('Berit'), person('Aksel'), person('Carl')];
}
