import { stringify } from 'yaml';
import { z } from 'zod';
import { channelLists } from '../src/config/schema/channel-jobs.ts';
import { jsonSchemaOf } from '../src/config/schema.ts';

/** The parts of a JSON Schema that the example shows. */
interface Shape {
  type?: string;
  default?: unknown;
  description?: string;
  enum?: unknown[];
  examples?: unknown[];
  items?: Shape;
  properties?: Record<string, Shape>;
}

/** Puts the lists of channel jobs, as their schema has them now, before `roles` of the example config. */
export function withChannelLists(example: string): string {
  const names = Object.keys(channelLists).join('|');
  const others = example.replaceAll(new RegExp(`^  (?:${names}):.*\n(?:    .*\n)*`, 'gm'), '');
  const lists = Object.entries(channelLists).flatMap(([name, list]) => linesOf(name, schemaOf(list), '  '));
  return others.replace(/^  roles:/m, [...lists, '  roles:'].join('\n'));
}

const schemaOf = (schema: z.ZodType): Shape => {
  const { default: _, ...shape } = jsonSchemaOf(schema) as Shape;
  return shape;
};

function linesOf(key: string, shape: Shape, indent: string): string[] {
  const { properties = shape.items?.properties } = shape;
  if (properties === undefined) return [`${indent}${key}: ${valueOf(shape)}${commentOf(shape)}`];
  const { channelId, locale, ...options } = properties;
  const all = Object.entries({ ...(channelId && { channelId }), ...options, ...(locale && { locale }) });
  const inner = all.flatMap(([name, each]) => linesOf(name, each, `${indent}  `));
  if (shape.type !== 'array') return [`${indent}${key}:${commentOf(shape)}`, ...inner];
  const [first = '', ...others] = inner;
  const entry = [`${indent}  - ${first.trimStart()}`, ...others.map((line) => `  ${line}`)];
  return [`${indent}${key}:${commentOf(shape)}`, ...entry];
}

const yamlOf = (value: unknown): string => stringify(value, { singleQuote: true }).trim();

function valueOf({ examples, default: usual, enum: values = [] }: Shape): string {
  const value = examples?.[0] ?? usual ?? values[0];
  return Array.isArray(value) ? `[${value.map(yamlOf).join(', ')}]` : yamlOf(value);
}

function commentOf({ examples, default: usual, enum: values, description }: Shape): string {
  const ofDefault = examples === undefined ? 'default' : `default ${JSON.stringify(usual)}`;
  const parts = [usual === undefined ? null : ofDefault, values?.join(' | '), description];
  const comment = parts.filter((part) => part != null).join('; ');
  return comment === '' ? '' : ` # ${comment}`;
}
