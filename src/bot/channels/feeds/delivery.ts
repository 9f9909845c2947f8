import { createHash } from 'node:crypto';
import type { REST } from '@discordjs/rest';
import { Routes, type APIEmbed, type APIMessage } from 'discord.js';
import type { Logger } from 'pino';
import type { Gateway } from '../../gateway/gateway.ts';

/** What a feed has posted, stored before and after each message. */
export interface FeedState {
  /** When the feed was set up, epoch milliseconds; left out: by an earlier version. */
  since?: number | undefined;
  /** Every death up to this id is posted or skipped. */
  through: number;
  /** The message that is being sent. */
  outgoing: Outgoing | null;
}

/** A message of a feed that is about to be sent. It is stored before the first attempt. */
export interface Outgoing {
  /** Left out where it names players and was read back: it is composed again. */
  embed?: APIEmbed | undefined;
  /** Digests of what the attempts said, by which the message is found in the channel. */
  contents: readonly string[];
  /** The ids of the deaths in it. */
  deaths: readonly number[];
  /** The revision of hidden and forgotten players with which it was composed. */
  revision: number;
  nonce: string;
  /** The feed has posted everything up to this id with it. */
  through: number;
  /** When the first attempt with an unknown outcome began, epoch milliseconds. Null: Discord has not got it. */
  unknownSince: number | null;
}

/**
 * - `sentAs`: the message is in the channel.
 * - `absent`: it is not, and Discord may have forgotten its nonce.
 * - `unverifiable`: the bot may not read the channel's messages, so it is unknown.
 */
export type Verdict = { sentAs: string } | 'absent' | 'unverifiable';

/** Discord remembers nonces for a few minutes. */
const nonceTrustMs = 60_000;
const pageSize = 100;
const mostPages = 5;
/** The clock of this machine and Discord's may differ by as much. */
const clockSlackMs = 10 * 60_000;
const discordEpoch = 1_420_070_400_000;

/** Whether the message can be sent again without posting it twice. */
export function mayRetry({ unknownSince }: Pick<Outgoing, 'unknownSince'>, now: number): boolean {
  return unknownSince === null || (now >= unknownSince && now - unknownSince <= nonceTrustMs);
}

/** A digest of what the text of an embed says, to compare: Discord adds and normalizes other parts. */
export function contentOf({ title, description, footer, timestamp }: APIEmbed): string {
  const at = timestamp === undefined ? null : Date.parse(timestamp);
  const parts = [title?.trim() ?? '', description?.trim() ?? '', footer?.text.trim() ?? '', at];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

const sentAt = (messageId: string): number => Number(BigInt(messageId) >> 22n) + discordEpoch;

export interface ReadingOptions {
  rest: REST;
  gateway: Pick<Gateway, 'mayReadHistory' | 'ownId'>;
  log: Logger;
  signal: AbortSignal;
}

/**
 * Reads the channel's last messages to find out whether an earlier attempt succeeded, which may be too long ago to be repeated.
 * @param name for the log
 * @throws the client's errors
 */
export async function findSent(
  { rest, gateway, log, signal }: ReadingOptions,
  { channelId, name }: { channelId: string; name: string },
  outgoing: Pick<Outgoing, 'unknownSince' | 'contents'>,
): Promise<Verdict> {
  // Discord answers with an empty list where the permission is missing.
  if (!gateway.mayReadHistory(channelId)) {
    log.warn(
      `${name}: cannot check whether the last message arrived, so it is not sent again; give the bot Read Message History in the channel`,
    );
    return 'unverifiable';
  }
  const authorId = gateway.ownId();
  const since = (outgoing.unknownSince ?? 0) - clockSlackMs;
  let before: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const query = new URLSearchParams({ limit: String(pageSize), ...(before !== undefined && { before }) });
    const messages = (await rest.get(Routes.channelMessages(channelId), { query, signal })) as APIMessage[];
    const own = messages.filter(({ author }) => author.id === authorId);
    const found = own.find(({ embeds }) =>
      embeds.some((embed) => outgoing.contents.includes(contentOf(embed))),
    );
    if (found !== undefined) return { sentAs: found.id };
    before = messages.at(-1)?.id;
    if (messages.length < pageSize || before === undefined || sentAt(before) < since) break;
  }
  return 'absent';
}

/** What is stored of an outgoing message: names stay in the store of players. */
export function withoutNames({ embed, ...outgoing }: Outgoing): Outgoing {
  return outgoing.deaths.length === 0 ? { embed, ...outgoing } : outgoing;
}

/** An outgoing message that an earlier version stored has its text alone. */
export function completed(
  outgoing: Pick<Outgoing, 'nonce' | 'through' | 'unknownSince'> & Partial<Outgoing>,
): Outgoing {
  const { embed } = outgoing;
  const contents = embed === undefined ? [] : [contentOf(embed)];
  return { contents, deaths: [], revision: 0, ...outgoing };
}
