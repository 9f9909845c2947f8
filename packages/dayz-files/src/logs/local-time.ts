export const dayMs = 86_400_000;
/**
 * A clock that steps back further than this has passed midnight. A smaller step is jitter between the game's threads,
 * which can also cross midnight backwards.
 */
export const jitterMs = 5 * 60_000;

/** No real clock shows this; later moments of such a run could have no valid date. */
const firstUnrealYear = 2200;

/** Whether a header's text, `2021-03-31 21:12:34`, is a real date and time. */
export function isLocalTime(header: string): boolean {
  const at = localOf(header);
  if (Number(header.slice(0, 4)) >= firstUnrealYear) return false;
  // A day that its month does not have would become a day of the next month.
  return Number.isFinite(at) && new Date(at).getUTCDate() === Number(header.slice(8, 10));
}

/** A local date and time, `2021-03-31 21:12:34`, as if it were UTC: epoch milliseconds. */
export const localOf = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`);

/** The midnight before a local time, both as if they were UTC. */
export const dayOf = (local: number): number => Math.floor(local / dayMs) * dayMs;

const colon = 0x3a;
const blank = 0x20;

/**
 * Milliseconds since midnight of the `HH:MM:SS` at an index of the text; -1 if there is none. The hour may be padded
 * with a space, as some logs have it.
 */
export function timeOfDayMs(text: string, at = 0): number {
  const h = text.charCodeAt(at) === blank ? digit(text, at + 1) : digits(text, at);
  const m = digits(text, at + 3);
  const s = digits(text, at + 6);
  if (h < 0 || m < 0 || s < 0 || h > 23 || m > 59 || s > 59) return -1;
  if (text.charCodeAt(at + 2) !== colon || text.charCodeAt(at + 5) !== colon) return -1;
  return ((h * 60 + m) * 60 + s) * 1000;
}

function digits(text: string, at: number): number {
  const tens = digit(text, at);
  const ones = digit(text, at + 1);
  return tens >= 0 && ones >= 0 ? tens * 10 + ones : -1;
}

function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - 0x30;
  return value >= 0 && value <= 9 ? value : -1;
}
