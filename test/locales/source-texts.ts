import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandDefinitions } from '../../src/commands/index.ts';

const root = new URL('../../src/', import.meta.url).pathname;

/** The whole source of the bot, of the page and of what is known of games as one text. */
export function sourceTexts(): string {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) =>
      /^(?:api|embeds|commands|bot|page|locales|compose|server\/games\/\w+\/facts)\/.*\.tsx?$/.test(file),
    )
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
}

interface Part {
  name: string;
  type?: number;
  options?: readonly Part[];
  choices?: readonly { value: string | number }[];
}

/** Names under which the texts of a command's definition are found. */
function keysOf(part: Part, path: string): string[] {
  const isGroup = part.type === 1 || part.type === 2;
  const own = isGroup ? [`${path}.name`, `${path}.description`] : [`option.${part.name}`, path];
  return [
    ...own,
    ...(part.choices ?? []).map((choice) => `choice.${part.name}.${choice.value}`),
    ...(part.options ?? []).flatMap((option) => keysOf(option, `${path}.${option.name}`)),
  ];
}

/**
 * Keys that no source names: neither whole (`'status.title'`) nor by a folder with the rest put in (`metric.${code}`),
 * whose rest then has to stand somewhere as a word.
 */
export function unusedKeys(keys: readonly string[], source: string): string[] {
  const byDefinition = new Set(
    commandDefinitions.flatMap((definition) =>
      keysOf({ ...(definition as Part), type: 1 }, `command.${definition.name}`),
    ),
  );
  const literals = new Set(
    [...source.matchAll(/['"`]([A-Za-z][\w]*(?:\.[\w-]+)+|[a-z]\w*)['"`]/g)].map((match) => match[1]!),
  );
  const templates = [...source.matchAll(/`([A-Za-z][\w.]*\.)\$\{[^`]*?\}([\w.]*)`/g)].map((match) => ({
    start: match[1]!,
    end: match[2]!,
  }));
  const words = new Set([...(source.match(/\w+/g) ?? []), ...(source.match(/\w+(?:-\w+)+/g) ?? [])]);
  return keys.filter((key) => {
    if (byDefinition.has(key) || literals.has(key)) return false;
    return !templates.some(({ start, end }) => {
      if (!key.startsWith(start) || !key.endsWith(end)) return false;
      return words.has(key.slice(start.length, key.length - end.length));
    });
  });
}
