import * as spec from 'discord-api-spec/zod';
import { embedBytes, scriptJson, type ComponentEmbed } from '../../../src/page/preview/component-embed.ts';

/** Discord's. */
const mostComponents = 40;

type Component = Record<string, unknown> & { type: number; components?: Component[]; accessory?: Component };

const allOf = (component: Component): Component[] => [
  component,
  ...[...(component.components ?? []), ...(component.accessory ? [component.accessory] : [])].flatMap(allOf),
];
const componentsOf = (embed: ComponentEmbed) => allOf(embed.component as unknown as Component);
export const textOf = (embed: ComponentEmbed | null) =>
  embed === null
    ? ''
    : componentsOf(embed)
        .flatMap(({ content }) => (content === undefined ? [] : [content as string]))
        .join('\n');
export const buttonsOf = (embed: ComponentEmbed) => componentsOf(embed).filter(({ type }) => type === 2);

/** Discord: Component Embeds. Its own schemas say the rest. */
export function violations(embed: ComponentEmbed): string[] {
  const { success, error } = spec.ContainerComponentForMessageRequestSchema.safeParse(embed.component);
  const all = componentsOf(embed);
  const bytes = Buffer.byteLength(scriptJson(embed));
  return [
    ...(success ? [] : [JSON.stringify(error.issues)]),
    ...(Object.keys(embed).join() === 'component' ? [] : ['keys']),
    ...(bytes <= embedBytes ? [] : [`${bytes} bytes`]),
    ...(all.length <= mostComponents ? [] : [`${all.length} components`]),
    // Containers do not nest; of what can be pressed there are links alone; nothing has an id.
    ...all.slice(1).flatMap(({ type }) => ([1, 2, 9, 10].includes(type) ? [] : [`type ${type}`])),
    ...all.flatMap((each) => ('id' in each || 'custom_id' in each ? ['an id'] : [])),
    ...buttonsOf(embed).flatMap(({ style, url }) => {
      return style === 5 && /^https?:/.test(String(url)) ? [] : [`button ${String(url)}`];
    }),
    ...all.flatMap(({ type, components }) => (type === 1 && components!.length > 5 ? ['buttons'] : [])),
  ];
}
