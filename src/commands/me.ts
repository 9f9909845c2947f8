import type { Command } from './command.ts';
import { showLinked } from './lookup.ts';

/** `/me`: the card of the asker's own player. */
export const meCommand: Command = {
  definition: { name: 'me' },
  visibility: () => 'private',
  run: (context) => showLinked(context, context.asker.userId),
};
