import { dayz } from './dayz/facts/index.ts';
import type { GameFacts } from './facts.ts';

/**
 * The games of which Outpost knows more than how to query them; the others have live status only. The first is the game
 * of a server of which nothing says another. `games/index.ts` loads the code, for those who read a game's files.
 */
const rows = [{ ...dayz, code: async () => await import('./dayz/index.ts') }] as const;

export const gameTable: readonly (GameFacts & Pick<(typeof rows)[number], 'code'>)[] = rows;

/** A format of the games' ban files, as in the config. */
type GameBanFormat = (typeof rows)[number]['banFiles'][number]['format'];

export const gameBanFiles = rows.flatMap(
  ({ banFiles }): readonly { format: GameBanFormat; file: string }[] => banFiles,
);

export const usualGameType = rows[0].type;

export const factsOf = (type: unknown): GameFacts | null =>
  gameTable.find((game) => game.type === type) ?? null;

/** What the games say, each once, with "or". */
export function ofAllGames(textOf: (game: GameFacts) => string | undefined): string {
  const texts = gameTable.map(textOf).filter((text) => text !== undefined);
  return [...new Set(texts)].join(' or ');
}
