import {
  ButtonStyle,
  ComponentType,
  type APIButtonComponent,
  type APISelectMenuOption,
  type APIStringSelectComponent,
} from 'discord.js';
import { plain } from '../embeds/text.ts';
import type { Language, TextKey } from '../locales/language.ts';
import type { Candidate } from './choices.ts';
import type { Row } from './command.ts';

/** Discord's limit for the options of a menu. */
export const mostMenuOptions = 25;

export interface ButtonLook {
  label: TextKey;
  emoji?: string;
  disabled?: boolean;
  /** Default: secondary. */
  style?: ButtonStyle.Secondary | ButtonStyle.Success | ButtonStyle.Danger;
}

export function button(
  language: Language,
  { label, emoji, disabled = false, style = ButtonStyle.Secondary }: ButtonLook,
  customId: string,
): APIButtonComponent {
  return {
    type: ComponentType.Button,
    style,
    label: language.t(label),
    custom_id: customId,
    ...(emoji !== undefined && { emoji: { name: emoji } }),
    ...(disabled && { disabled }),
  };
}

/** A link button that opens the game; nothing where no address leads there. `label`: default "Join" */
export function joinButton(
  language: Language,
  url: string | null,
  label = language.t('button.join'),
): APIButtonComponent[] {
  if (url === null) return [];
  return [{ type: ComponentType.Button, style: ButtonStyle.Link, label, url, emoji: { name: '🎮' } }];
}

/** A row of the buttons that there are; no row if there are none. */
export function buttonRow(
  ...parts: readonly (APIButtonComponent | readonly APIButtonComponent[] | null | false)[]
): Row[] {
  const buttons = parts.flatMap((part) => part || []);
  return buttons.length === 0 ? [] : [{ type: ComponentType.ActionRow, components: buttons }];
}

/** The first 25 of these for a menu. @param current the id of the one that is chosen now */
export function menuOptions(candidates: readonly Candidate[], current?: string): APISelectMenuOption[] {
  return candidates.slice(0, mostMenuOptions).map(({ id, name, hint = '', emoji }) => ({
    label: plain(name, 100) || id,
    value: id,
    ...(hint !== '' && { description: plain(hint, 100) }),
    ...(id === current && { default: true }),
    ...(emoji !== undefined && { emoji: { name: emoji } }),
  }));
}

export function menuRow(menu: Omit<APIStringSelectComponent, 'type'>): Row[] {
  return [{ type: ComponentType.ActionRow, components: [{ type: ComponentType.StringSelect, ...menu }] }];
}
