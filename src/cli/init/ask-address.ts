import { problemOf, readGameAddress } from './address.ts';
import type { Game } from '../../server/games/game.ts';
import type { Context } from './context.ts';
import { triedAddress } from './plan-server.ts';
import type { Prompts } from './prompts.ts';
import type { TriedAddress } from './query-port.ts';

/** Asks where players connect, until the host name resolves. Null: Enter alone. */
export async function askForGameAddress(
  context: Context,
  prompts: Prompts,
  game: Game,
  message: string,
  usualPort: number,
  queryPort: number | null,
): Promise<TriedAddress | null> {
  return await prompts.until(
    async () =>
      await prompts.text(message, {
        placeholder: '203.0.113.7:2302',
        check: (answer) => (answer === '' ? null : problemOf(() => readGameAddress(answer))),
      }),
    async (address) => await triedAddress(context, game, address, usualPort, queryPort),
  );
}
