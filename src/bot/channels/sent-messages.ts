import { createHash } from 'node:crypto';
import type { REST } from '@discordjs/rest';
import { Routes, type APIEmbed, type APIMessage } from 'discord.js';
import type { Gateway } from '../gateway/gateway.ts';

/** What is stored of a message before it is sent, so that it is sent once. No names of players are part of it. */
export interface Attempts {
  /** Digests of what the attempts said, by which the message is found in the channel. */
  contents: readonly string[];
  /** When the first attempt with an unknown outcome began, epoch milliseconds. Null: Discord has not got it. */
  unknownSince: number | null;
}

/** Discord remembers nonces for a few minutes. */
const nonceTrustMs = 60_000;
const pageSize = 100;
const mostPages = 5;
/** The clock of this machine and Discord's may differ by as much. */
const clockSlackMs = 10 * 60_000;
const discordEpoch = 1_420_070_400_000;

/** Whether another attempt posts no second message, since Discord remembers the nonce of the first one. */
export function isNonceKnown(since: number, now: number): boolean {
  return now >= since && now - since <= nonceTrustMs;
}

/** A digest of what the text of an embed says, to compare: Discord adds and normalizes other parts. */
export function contentOf({ title, description, footer, timestamp }: APIEmbed): string {
  const at = timestamp === undefined ? null : Date.parse(timestamp);
  const parts = [title?.trim() ?? '', description?.trim() ?? '', footer?.text.trim() ?? '', at];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

const sentAt = (messageId: string): number => Number(BigInt(messageId) >> 22n) + discordEpoch;

/**
 * Reads the channel's last messages to find out whether an earlier attempt succeeded, which is too long ago to be repeated.
 * @returns `hidden`: the bot may not read them
 */
export async function findSent(
  channelId: string,
  { contents, unknownSince }: Attempts,
  { rest, gateway, signal }: { rest: REST; gateway: Gateway; signal: AbortSignal },
): Promise<{ id: string } | 'absent' | 'hidden'> {
  // Discord answers with an empty list where the permission is missing.
  if (!gateway.mayReadHistory(channelId)) return 'hidden';
  const authorId = gateway.ownId();
  const since = (unknownSince ?? 0) - clockSlackMs;
  let before: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const query = new URLSearchParams({ limit: String(pageSize), ...(before !== undefined && { before }) });
    const messages = (await rest.get(Routes.channelMessages(channelId), { query, signal })) as APIMessage[];
    const own = messages.filter(({ id, author }) => author.id === authorId && sentAt(id) >= since);
    const found = own.find(({ embeds }) => embeds.some((embed) => contents.includes(contentOf(embed))));
    if (found !== undefined) return found;
    before = messages.at(-1)?.id;
    if (messages.length < pageSize || before === undefined || sentAt(before) < since) break;
  }
  return 'absent';
}
