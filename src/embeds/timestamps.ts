/*
 * Discord renders these in the viewer's language and time zone, and updates relative ones by itself. Times are epoch
 * milliseconds or RFC 3339.
 */

const timestamp =
  (style: 'R' | 'f' | 'D' | 't') =>
  (time: number | string): string =>
    `<t:${Math.floor(new Date(time).getTime() / 1000)}:${style}>`;

/** "5 minutes ago", "in 2 hours". */
export const relative = timestamp('R');
/** "31 January 2026 12:00". */
export const dateAndTime = timestamp('f');
/** "31 January 2026". */
export const date = timestamp('D');
/** "12:00". */
export const clock = timestamp('t');

/**
 * "in 4 hours (12:00)"; a day or more ahead with its date. Discord rounds relative times to whole hours, which alone would be
 * too little of a restart.
 */
export function upcoming(at: number, now: number): string {
  return `${relative(at)} (${at - now < 86_400_000 ? clock(at) : dateAndTime(at)})`;
}
