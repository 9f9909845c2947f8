/** Parts of messages and commands, in Discord's own field names where they are sent as they are. */

export type Json = Record<string, unknown>;

/** An embed as it was sent, in Discord's own field names. */
export interface Embed {
  title?: string;
  description?: string;
  url?: string;
  color?: number;
  timestamp?: string;
  author?: { name: string; url?: string; icon_url?: string };
  footer?: { text: string; icon_url?: string };
  image?: { url: string };
  thumbnail?: { url: string };
  fields?: { name: string; value: string; inline?: boolean }[];
  [other: string]: unknown;
}

export interface Component {
  type: number;
  custom_id?: string;
  disabled?: boolean;
  label?: string;
  style?: number;
  url?: string;
  emoji?: { name?: string; id?: string };
  placeholder?: string;
  min_values?: number;
  max_values?: number;
  options?: {
    label: string;
    value: string;
    description?: string;
    default?: boolean;
    emoji?: { name?: string; id?: string };
  }[];
  components?: Component[];
  accessory?: Component;
  content?: string;
  [other: string]: unknown;
}

export interface Attachment {
  id: string;
  filename: string;
  description: string | null;
  contentType: string;
  size: number;
  url: string;
  width: number | null;
  height: number | null;
  /** Shown by an embed (`attachment://name`) and therefore left out of the message's own list. */
  embedded: boolean;
}

/** Whom a message names so that Discord would notify them. */
export interface Mentions {
  everyone: boolean;
  users: string[];
  roles: string[];
}

export interface CommandOption {
  type: number;
  name: string;
  description: string;
  required?: boolean;
  autocomplete?: boolean;
  choices?: { name: string; value: string | number; name_localizations?: Record<string, string> | null }[];
  options?: CommandOption[];
  min_value?: number;
  max_value?: number;
  min_length?: number;
  max_length?: number;
  name_localizations?: Record<string, string> | null;
  description_localizations?: Record<string, string> | null;
  [other: string]: unknown;
}
