import type { Command, Reply } from '../../src/commands/command.ts';
import { readComponentId } from '../../src/commands/component-id.ts';
import { commandNamed } from '../../src/commands/index.ts';
import { context, type PartialContext } from './context.ts';

export interface Shown {
  kind: 'button' | 'menu' | 'link';
  /** Label of a button, placeholder of a menu. */
  label: string;
  /** Of a link: where it leads. */
  customId: string;
  disabled: boolean;
  /** What can be chosen in a menu, by value. */
  choices: readonly string[];
  /** What is chosen in it. */
  chosen: readonly string[];
}

/** Buttons and menus below an answer, in reading order. */
export function componentsOf(reply: Pick<Reply, 'components'>): Shown[] {
  return (reply.components ?? []).flatMap((row) =>
    row.components.map((component) => {
      const options = 'options' in component ? component.options : [];
      return {
        kind: 'options' in component ? 'menu' : 'url' in component ? 'link' : 'button',
        label: ('placeholder' in component ? component.placeholder : null) ?? labelOf(component),
        customId: 'custom_id' in component ? component.custom_id : 'url' in component ? component.url : '',
        disabled: component.disabled ?? false,
        choices: options.map((option) => option.value),
        chosen: options.filter((option) => option.default).map((option) => option.value),
      };
    }),
  );
}

function labelOf(component: object): string {
  return 'label' in component ? String(component.label) : '';
}

/** The component with that label. */
export function labelled(reply: Pick<Reply, 'components'>, label: string): Shown {
  const found = componentsOf(reply).find((component) => component.label === label);
  if (found === undefined)
    throw new Error(
      `no ${label} among ${componentsOf(reply)
        .map((one) => one.label)
        .join(', ')}`,
    );
  return found;
}

/** Uses a component as the bot does, whoever's it is; null: the command does not know it. */
export async function press(
  customId: string,
  values: readonly string[] = [],
  over: PartialContext = {},
): Promise<Reply | null> {
  const id = readComponentId(customId);
  if (typeof id === 'string') throw new Error(`${id}: ${customId}`);
  const command: Command | null = commandNamed(id.command);
  const { action, args, ownerId } = id;
  return (
    (await command?.components?.press({
      ...context(over),
      options: {},
      ownerId: over.ownerId ?? ownerId,
      pressed: true,
      messageId: '1100000000000000400',
      action,
      args,
      values,
    })) ?? null
  );
}
