import { CommandFailure } from '../output.ts';
import { problemOf, readGameAddress } from './address.ts';
import type { Game } from '../../server/games/game.ts';
import type { Context } from './context.ts';
import { triedAddress, type Tried } from './plan-server.ts';

/** Asks where players connect, until the host name resolves. Null: Enter alone. */
export async function askForGameAddress(
  context: Context,
  game: Game,
  message: string,
  usualPort: number,
  queryPort: number | null,
): Promise<Tried | null> {
  const { prompts, warn } = context;
  if (prompts === null) throw new Error('expected a terminal');
  for (;;) {
    const text = await prompts.text(message, {
      placeholder: '203.0.113.7:2302',
      check: (answer) => (answer === '' ? null : problemOf(() => readGameAddress(answer))),
    });
    if (text === '') return null;
    try {
      return await triedAddress(context, game, text, usualPort, queryPort);
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      warn(error.message);
    }
  }
}
