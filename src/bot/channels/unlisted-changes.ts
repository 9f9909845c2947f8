import type { UnlistedPlayers } from '../../commands/ports/ports.ts';

/** Pause between two checks, which are cheap. */
const askEveryMs = 500;
/** For so long the bot's client may serve answers from before the change. */
export const cachedMs = 3_200;

/**
 * Calls `onChange` after players were hidden, shown or forgotten: at once, and again when no earlier answer is cached any
 * more. Returns a function that stops it.
 */
export function onUnlistedChange(unlisted: UnlistedPlayers | undefined, onChange: () => void): () => void {
  if (unlisted === undefined) return () => undefined;
  let known = unlisted.revision();
  let again: NodeJS.Timeout | undefined;
  const timer = setInterval(() => {
    const revision = unlisted.revision();
    if (revision === known) return;
    known = revision;
    onChange();
    clearTimeout(again);
    again = setTimeout(onChange, cachedMs);
  }, askEveryMs);
  return () => {
    clearInterval(timer);
    clearTimeout(again);
  };
}
