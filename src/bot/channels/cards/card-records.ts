import type { Keyv } from 'keyv';
import { changeAlone, type ChangeValue } from '../placement-store.ts';

/** A message that everyone sees, with a player's card. */
export interface CardMessage {
  guildId: string;
  channelId: string;
  messageId: string;
  /** The player, as in `Reply`. */
  cardOf: string;
  /** The language of the message. */
  locale: string;
}

const key = 'cards';
/** The latest ones of all guilds, under one key: members make a few a day. */
const mostKept = 500;

/** Where cards are shown to everyone, so that they can be removed. Other processes may change it, too. */
export class CardRecords {
  readonly #keyv: Keyv;
  readonly #changeValue: ChangeValue;

  /** @param keyv throws on failure */
  constructor(keyv: Keyv, changeValue: ChangeValue = changeAlone(keyv)) {
    this.#keyv = keyv;
    this.#changeValue = changeValue;
  }

  /** @throws when the store cannot be read */
  async list(): Promise<readonly CardMessage[]> {
    return ((await this.#keyv.get(key)) as readonly CardMessage[] | undefined) ?? [];
  }

  /** @throws when the store cannot be written */
  async add(message: CardMessage): Promise<void> {
    await this.#change((before) => [...without(before, message.messageId), message].slice(-mostKept));
  }

  /** @throws when the store cannot be written */
  async remove(messageId: string): Promise<void> {
    await this.#change((before) => without(before, messageId));
  }

  async #change(next: (before: readonly CardMessage[]) => readonly CardMessage[]): Promise<void> {
    await this.#changeValue<readonly CardMessage[]>(key, (before = []) => next(before));
  }
}

function without(messages: readonly CardMessage[], messageId: string): CardMessage[] {
  return messages.filter((message) => message.messageId !== messageId);
}
