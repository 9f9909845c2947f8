import { dayz } from './dayz/facts/index.ts';
import type { GameFacts } from './facts.ts';

/**
 * The games of which Outpost knows more than how to query them; the others have live status only. The first is the game
 * of a server of which nothing says another. `games/index.ts` loads the code, for those who read a game's files.
 */
export const gameRows = [{ ...dayz, code: () => import('./dayz/index.ts') }] as const;

/** What is known of each game without its code. */
export const gameTable: readonly GameFacts[] = gameRows;

/** A format of the games' ban files, as in the config. */
type GameBanFormat = (typeof gameRows)[number]['banFiles'][number]['format'];

export const gameBanFiles = gameRows.flatMap(
  ({ banFiles }): readonly { format: GameBanFormat; file: string }[] => banFiles,
);

export const usualGameType = gameRows[0].type;

export const factsOf = (type: unknown): GameFacts | null =>
  gameTable.find((game) => game.type === type) ?? null;

/** What the games say, each once, with "or". */
export function ofAllGames(textOf: (game: GameFacts) => string | undefined): string {
  const texts = gameTable.map(textOf).filter((text) => text !== undefined);
  return [...new Set(texts)].join(' or ');
}

export const gameNames = ofAllGames(({ name }) => name);

export const configFiles = ofAllGames(({ words }) => words.configFile);
