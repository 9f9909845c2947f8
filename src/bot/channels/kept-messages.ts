import type { APIEmbed } from 'discord.js';
import type { Keyv } from 'keyv';
import type { Language } from '../../locales/language.ts';
import type { BotProject } from '../shown-project.ts';
import { changeAlone, type ChangeValue } from './placement-store.ts';

/** A message that everyone in its channel sees, and that names players. */
export interface KeptMessage {
  guildId: string;
  channelId: string;
  messageId: string;
  /** The language of the message. */
  locale: string;
}

/** One kind of messages that name players. */
export interface MessageKind<Message extends KeptMessage> {
  /** For log lines: `player card`. */
  name: string;
  /** For log lines: `could not remove player cards; the bot tries again`. */
  failed: string;
  /** For log lines: `a message shows the card of`. */
  what: string;
  /** Whether the message names somebody whom its readers may not see any more. */
  isGone: (message: Message, project: BotProject) => Promise<boolean>;
  /** What stands in its place. */
  goneEmbed: (language: Language) => APIEmbed;
}

/** The latest ones of all guilds, under one key: there are a few a day. */
const mostKept = 500;

/** Where players are named, so that the names can be removed. */
export class KeptMessages<Message extends KeptMessage> {
  readonly #key: string;
  readonly #keyv: Keyv;
  readonly #changeValue: ChangeValue;

  /** @param keyv throws on failure */
  constructor(key: string, keyv: Keyv) {
    this.#key = key;
    this.#keyv = keyv;
    this.#changeValue = changeAlone(keyv);
  }

  /** @throws when the store cannot be read */
  async list(): Promise<readonly Message[]> {
    return ((await this.#keyv.get(this.#key)) as readonly Message[] | undefined) ?? [];
  }

  /** @throws when the store cannot be written */
  async add(message: Message): Promise<void> {
    await this.#change((before) => [...without(before, message.messageId), message].slice(-mostKept));
  }

  /** @throws when the store cannot be written */
  async remove(messageId: string): Promise<void> {
    await this.#change((before) => without(before, messageId));
  }

  async #change(next: (before: readonly Message[]) => readonly Message[]): Promise<void> {
    await this.#changeValue<readonly Message[]>(this.#key, (before = []) => next(before));
  }
}

function without<Message extends KeptMessage>(messages: readonly Message[], messageId: string): Message[] {
  return messages.filter((message) => message.messageId !== messageId);
}
