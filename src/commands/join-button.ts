import { ButtonStyle, ComponentType, type APIButtonComponent } from 'discord.js';
import type { Language } from '../locales/language.ts';

/** A link button that opens the game; nothing where no address leads there. `label`: default "Join" */
export function joinButton(
  language: Language,
  url: string | null,
  label = language.t('button.join'),
): APIButtonComponent[] {
  if (url === null) return [];
  return [{ type: ComponentType.Button, style: ButtonStyle.Link, label, url, emoji: { name: '🎮' } }];
}
