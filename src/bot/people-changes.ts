import type { People } from '../commands/ports.ts';

/** How often to ask; it costs nothing. */
const askEveryMs = 500;
/** What the bot's client may still have cached of the time before. */
const cachedMs = 3_200;

/**
 * Calls `onChange` after players were hidden, shown or forgotten: at once, and again when nothing from before is cached any
 * more. @returns how to stop
 */
export function onPeopleChange(people: People | undefined, onChange: () => void): () => void {
  if (people === undefined) return () => undefined;
  let known = people.revision();
  let again: NodeJS.Timeout | undefined;
  const timer = setInterval(() => {
    const revision = people.revision();
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
