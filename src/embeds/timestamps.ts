/*
 * Discord renders these in the viewer's language and time zone, and updates relative ones by itself. Times are epoch
 * milliseconds or RFC 3339.
 */

function seconds(time: number | string): number {
  return Math.floor((typeof time === 'number' ? time : Date.parse(time)) / 1000);
}

/** "5 minutes ago", "in 2 hours". */
export function relative(time: number | string): string {
  return `<t:${seconds(time)}:R>`;
}

/** "31 January 2026 12:00". */
export function dateAndTime(time: number | string): string {
  return `<t:${seconds(time)}:f>`;
}

/** "31 January 2026". */
export function date(time: number | string): string {
  return `<t:${seconds(time)}:D>`;
}

/** "12:00". */
export function clock(time: number | string): string {
  return `<t:${seconds(time)}:t>`;
}

/**
 * "in 4 hours (12:00)"; a day or more ahead with its date. Discord rounds relative times to whole hours, which alone would be
 * too little of a restart.
 */
export function upcoming(at: number, now: number): string {
  return `${relative(at)} (${at - now < 86_400_000 ? clock(at) : dateAndTime(at)})`;
}
