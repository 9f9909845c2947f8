import type { Popup } from './popup.ts';
import type { Choice, GuildView } from './protocol.ts';

/** Where and as whom something is typed. */
export interface Scene {
  guild: GuildView | undefined;
  channelId: string;
  /** Display names by user id. */
  users: Record<string, string>;
  botName: string;
  userId: string;
  locale: string;
}

/** Values by option name. */
export type OptionValues = Record<string, Choice['value']>;

export interface FormContext {
  box: HTMLElement;
  popup: Popup;
  showHint: (text: string, isError?: boolean) => void;
  scene: () => Scene;
}
