import { createHash } from 'node:crypto';
import type { APIEmbed } from 'discord.js';

const relativeTime = /<t:(\d+):R>/g;

/**
 * Fingerprint of what embeds say, without their ages: relative times in the past (when something was checked) grow by
 * themselves on every screen, so that a quiet server causes no edit. Times ahead (the next restart) count.
 */
export function digestOf(embeds: readonly APIEmbed[], now: number): string {
  const text = JSON.stringify(embeds).replace(relativeTime, (whole, seconds: string) =>
    Number(seconds) * 1000 <= now ? '<age>' : whole,
  );
  return createHash('sha256').update(text).digest('base64url');
}
