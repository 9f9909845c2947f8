import { createHash } from 'node:crypto';
import type { APIEmbed } from 'discord.js';

const relativeTime = /<t:(\d+):R>/g;

/**
 * A hash of the embeds that ignores relative times in the past: Discord updates these on screen by itself, so they need no
 * edit. Times in the future, such as the next restart, count.
 */
export function digestOf(embeds: readonly APIEmbed[], now: number): string {
  const text = JSON.stringify(embeds).replace(relativeTime, (whole, seconds: string) =>
    Number(seconds) * 1000 <= now ? '<age>' : whole,
  );
  return createHash('sha256').update(text).digest('base64url');
}
