import {
  ComponentType,
  type APIButtonComponent,
  type APIComponentInContainer,
  type APIContainerComponent,
  type APIEmbed,
} from 'discord-api-types/v10';
import { escaped } from './text.ts';

/**
 * A message has at most 40 components. Ten such rows are 30; the container, title and notes, two menus and two buttons are 10
 * more. A third button leaves room for nine.
 */
export const mostRowButtons = 10;

/** An embed as components, with a button beside each of its first lines. Null: the line has none. */
export function withRowButtons(
  { author, title, description = '', footer, color }: APIEmbed,
  buttons: readonly (APIButtonComponent | null)[],
): APIContainerComponent {
  const text = (...lines: readonly string[]) => ({
    type: ComponentType.TextDisplay as const,
    content: lines.join('\n'),
  });
  const lines = description.split('\n');
  const rows = lines.slice(0, buttons.length).map((whole, index): APIComponentInContainer => {
    // No narrow screen breaks a figure off the name before it.
    const line = whole.replaceAll(' · ', '\u00a0·\u00a0');
    const accessory = buttons[index] ?? null;
    return accessory === null
      ? text(line)
      : { type: ComponentType.Section, components: [text(line)], accessory };
  });
  const name = escaped(author?.name ?? '');
  const head = [
    ...(name === '' ? [] : [author?.url === undefined ? `-# ${name}` : `-# [${name}](${author.url})`]),
    ...(title === undefined ? [] : [`### ${title}`]),
  ];
  const rest = [...lines.slice(buttons.length), ...(footer === undefined ? [] : [`-# ${footer.text}`])];
  const notes = rest.join('\n').trim();
  return {
    type: ComponentType.Container,
    ...(color !== undefined && { accent_color: color }),
    components: [
      ...(head.length === 0 ? [] : [text(...head)]),
      ...rows,
      ...(notes === '' ? [] : [text(notes)]),
    ],
  };
}
