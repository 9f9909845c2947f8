import { createHash } from 'node:crypto';
import type { REST } from '@discordjs/rest';
import { Routes, type APIEmbed, type APIMessage } from 'discord.js';
import type { Logger } from 'pino';
import type { Gateway } from '../../gateway/gateway.ts';
import type { ChannelMessage } from '../channel-message.ts';
import type { Sender } from '../sender.ts';

/** What a feed has posted, stored before and after each message. */
export interface FeedState {
  /** When the feed was set up, epoch milliseconds; left out: by an earlier version. */
  since?: number | undefined;
  /** Every death up to this id is posted or skipped. */
  through: number;
  /** The message that is being sent. */
  outgoing: Outgoing | null;
}

/** What is stored of a message before it is sent, so that it is sent once. */
export interface Attempts {
  /** Digests of what the attempts said, by which the message is found in the channel. */
  contents: readonly string[];
  /** When the first attempt with an unknown outcome began, epoch milliseconds. Null: Discord has not got it. */
  unknownSince: number | null;
}

/** A message of a feed that is about to be sent. */
export interface Outgoing extends Attempts {
  /** Left out where it names players and was read back: it is composed again. */
  embed?: APIEmbed | undefined;
  /** The ids of the deaths in it. */
  deaths: readonly number[];
  /** The revision of hidden and forgotten players with which it was composed. */
  revision: number;
  nonce: string;
  /** The feed has posted everything up to this id with it. */
  through: number;
}

/**
 * - `sentAs`: the message is in the channel; `isEarlier`: an earlier attempt may have sent it, with its text.
 * - `absent`: it is not, and Discord may have forgotten its nonce, so it is to be composed and sent anew.
 * - `leftOut`: Discord never takes it, nothing is left to say, or it is unknown whether it was sent.
 */
export type Outcome = { sentAs: string; isEarlier: boolean } | 'absent' | 'leftOut';

/** Discord remembers nonces for a few minutes. */
const nonceTrustMs = 60_000;
const pageSize = 100;
const mostPages = 5;
/** The clock of this machine and Discord's may differ by as much. */
const clockSlackMs = 10 * 60_000;
const discordEpoch = 1_420_070_400_000;

/** A digest of what the text of an embed says, to compare: Discord adds and normalizes other parts. */
export function contentOf({ title, description, footer, timestamp }: APIEmbed): string {
  const at = timestamp === undefined ? null : Date.parse(timestamp);
  const parts = [title?.trim() ?? '', description?.trim() ?? '', footer?.text.trim() ?? '', at];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

const sentAt = (messageId: string): number => Number(BigInt(messageId) >> 22n) + discordEpoch;

interface DeliveryOptions {
  rest: REST;
  gateway: Pick<Gateway, 'mayReadHistory' | 'ownId'>;
  now: () => number;
  log: Logger;
  signal: AbortSignal;
}

export interface Delivery<Stored extends Attempts> {
  channelId: string;
  /** For the log. */
  name: string;
  outgoing: Stored;
  nonce: string;
  /** The message as it is to be sent now, and what is stored of it; null: nothing is left to say. */
  compose: () => Promise<{ message: ChannelMessage; stored: Stored } | null>;
  /** Null: Discord has not got it. */
  save: (outgoing: Stored | null) => Promise<void>;
}

/**
 * Sends a message once, also where an answer of Discord is lost or the process ends in between.
 * @throws the client's errors, where it has to be tried again
 */
export async function deliver<Stored extends Attempts>(
  sender: Sender,
  options: DeliveryOptions,
  delivery: Delivery<Stored>,
): Promise<Outcome> {
  const { outgoing, nonce, compose, save } = delivery;
  const { unknownSince } = outgoing;
  const now = options.now();
  // Another attempt posts no second message while Discord remembers the nonce.
  const mayRepeat = unknownSince === null || (now >= unknownSince && now - unknownSince <= nonceTrustMs);
  if (!mayRepeat) return await findSent(options, delivery);
  await sender.turn('message');
  const composed = await compose();
  if (composed === null) return 'leftOut';
  await save({ ...composed.stored, unknownSince: unknownSince ?? options.now() });
  const notAccepted = () => save(unknownSince === null ? null : outgoing);
  const sentAs = await sender.deliver(composed.message, nonce, notAccepted);
  return sentAs === null ? 'leftOut' : { sentAs, isEarlier: unknownSince !== null };
}

/** Reads the channel's last messages to find out whether an earlier attempt succeeded, which is too long ago to be repeated. */
async function findSent(
  { rest, gateway, log, signal }: DeliveryOptions,
  { channelId, name, outgoing }: Pick<Delivery<Attempts>, 'channelId' | 'name' | 'outgoing'>,
): Promise<Outcome> {
  // Discord answers with an empty list where the permission is missing.
  if (!gateway.mayReadHistory(channelId)) {
    log.warn(
      `${name}: cannot check whether the last message arrived, so it is not sent again; give the bot Read Message History in the channel`,
    );
    return 'leftOut';
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
    if (found !== undefined) return { sentAs: found.id, isEarlier: true };
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
