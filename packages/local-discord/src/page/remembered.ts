/** Who views what in this tab. A reload goes on with it; another tab may act as somebody else. */
export interface Remembered {
  userId?: string;
  locale?: string;
  guildId?: string;
  channelId?: string;
}

const key = 'local-discord';

export function remembered(): Remembered {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Remembered;
  } catch {
    return {};
  }
}

export function remember(view: Required<Remembered>): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(view));
  } catch {
    // The browser keeps nothing for this page.
  }
}
