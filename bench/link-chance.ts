/*
 * How often players who know nothing of `/link` complete the gestures of a waiting member by chance:
 * npx tsx bench/link-chance.ts [players]. Each makes 20 gestures in a row.
 */
import { drawGestures } from '../src/community/gesture-draw.ts';
import { gestures } from '../src/server/games/dayz/facts/gestures.ts';
import {
  afterGesture,
  type GestureProgress,
} from '../src/server/store/repositories/links/gesture-progress.ts';

const players = Number(process.argv[2] ?? 1_000_000);
const gesturesEach = 20;
/** New gestures are drawn for all who wait after so many players. */
const playersEach = 100;

const pool = Object.keys(gestures);
const pick = (from: readonly string[]): string => from[Math.floor(Math.random() * from.length)] as string;

/** As counted in a log of two days, those that cannot be asked for included. */
const counted = { EmoteSitA: 54, EmoteSuicide: 13, EmoteGreeting: 5, EmoteDance: 5, EmoteTauntElbow: 4 };
const others = ['EmoteClap', 'EmoteClap', 'EmotePoint', 'EmotePoint', 'EmoteSurrender', 'EmoteSurrender'];
const popular = [
  ...Object.entries(counted).flatMap(([gesture, times]) => Array.from({ length: times }, () => gesture)),
  ...others,
  ...pool,
];
const popularOfPool = popular.filter((gesture) => Object.hasOwn(gestures, gesture));

function inTurn(): string[] {
  const left = [...pool];
  return Array.from(
    { length: gesturesEach },
    () => left.splice(Math.floor(Math.random() * left.length), 1)[0] as string,
  );
}
const fromList = (list: readonly string[]) => () => Array.from({ length: gesturesEach }, () => pick(list));
const habits = {
  'any, equally often': fromList(pool),
  'popular ones more often': fromList(popular),
  'popular ones that can be asked for': fromList(popularOfPool),
  'each once, the best way to guess': inTurn,
};

for (const [habit, gesturesOf] of Object.entries(habits)) {
  for (const waiting of [1, 20, 60, 200]) {
    let completed = 0;
    let wanted: string[][] = [];
    for (let player = 0; player < players; player += 1) {
      if (player % playersEach === 0)
        wanted = Array.from({ length: waiting }, (_, index) => drawGestures(pool, index + 1));
      const made = gesturesOf();
      const isComplete = wanted.some((sequence) => {
        // Nothing changes before the first gesture of the sequence.
        let at = made.indexOf(sequence[0] as string);
        if (at < 0) return false;
        let progress: GestureProgress | undefined;
        for (; at < made.length; at += 1)
          progress = afterGesture(progress, sequence, { gesture: made[at] as string, at: at * 5_000 });
        return progress?.seen === sequence.length;
      });
      if (isComplete) completed += 1;
    }
    const of = `${players.toLocaleString('en')} players`;
    console.log(`${habit}: ${waiting} waiting, ${completed} of ${of} complete a sequence`);
  }
}
