import { createHash } from 'node:crypto';
import { RateLimitError, type REST } from '@discordjs/rest';
import { Routes, type APIEmbed, type APIMessage } from 'discord.js';
import { noMentions } from '../../answers/acknowledgement.ts';
import { discordCode, httpStatus } from '../../discord-error.ts';

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

/** What the error of an attempt says about the message. `notNow`: it was not accepted, and may be later. */
export type AttemptFailure = 'notNow' | 'refused' | 'unknown';

/** Discord remembers nonces for a few minutes. */
const nonceTrustMs = 60_000;
/** How long one attempt may take. With the trust in nonces, it stays well below what Discord remembers. */
const attemptMs = 20_000;
const pageSize = 100;
const mostPages = 5;
/** The clock of this machine and Discord's may differ by as much. */
const clockSlackMs = 10 * 60_000;
const discordEpoch = 1_420_070_400_000;

/** The nonce of a message: the same for the same feed and deaths. Discord takes at most 25 characters. */
export function nonceOf(feedKey: string, from: number, through: number): string {
  return createHash('sha256').update(`${feedKey} ${from} ${through}`).digest('hex').slice(0, 24);
}

/** Whether the message can be sent again without posting it twice. */
export function mayRetry({ unknownSince }: Outgoing, now: number): boolean {
  return unknownSince === null || (now >= unknownSince && now - unknownSince <= nonceTrustMs);
}

/**
 * Sends the message. A repeated attempt posts no second one while Discord remembers the nonce.
 * @returns the message's id @throws the client's errors
 */
export async function send(
  rest: REST,
  channelId: string,
  { embed, nonce }: Pick<Outgoing, 'nonce'> & { embed: APIEmbed },
  signal: AbortSignal,
): Promise<string> {
  const body = { embeds: [embed], allowed_mentions: noMentions, nonce, enforce_nonce: true };
  const message = await attempt(signal, (own) =>
    rest.post(Routes.channelMessages(channelId), { body, signal: own }),
  );
  return (message as APIMessage).id;
}

/** One request to Discord, with a time limit. @throws the client's errors */
export async function attempt(
  signal: AbortSignal,
  request: (signal: AbortSignal) => Promise<unknown>,
): Promise<unknown> {
  const own = new AbortController();
  const abort = () => own.abort(signal.reason);
  const timer = setTimeout(abort, attemptMs);
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    return await request(own.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

export function failureOf(error: unknown): AttemptFailure {
  const status = httpStatus(error);
  // Discord answers 401 for a moment when a token is reset, and then closes the gateway.
  if (error instanceof RateLimitError || status === 429 || status === 401) return 'notNow';
  // Only a response with Discord's own body says that the message was not accepted.
  const isAnswer = status !== null && status >= 400 && status < 500;
  return isAnswer && discordCode(error) !== null ? 'refused' : 'unknown';
}

/** A digest of what the text of an embed says, to compare: Discord adds and normalizes other parts. */
export function contentOf({ title, description, footer, timestamp }: APIEmbed): string {
  const at = timestamp === undefined ? null : Date.parse(timestamp);
  const parts = [title?.trim() ?? '', description?.trim() ?? '', footer?.text.trim() ?? '', at];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

const sentAt = (messageId: string): number => Number(BigInt(messageId) >> 22n) + discordEpoch;

/**
 * Reads the channel's last messages to find out whether an earlier attempt succeeded.
 * @throws the client's errors
 */
export async function verify(
  rest: REST,
  channelId: string,
  outgoing: Outgoing,
  { authorId, mayRead, signal }: { authorId: string | null; mayRead: boolean; signal: AbortSignal },
): Promise<Verdict> {
  // Discord answers with an empty list where the permission is missing.
  if (!mayRead) return 'unverifiable';
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
