import { metricCodes, metrics } from '../src/api/metrics.ts';
import { operations, type Operation } from '../src/api/operations.ts';

/** The tables of `docs/api.md` that `npm run openapi` writes, by the comment before each. The first row is the head. */
export const guideTables: Readonly<Record<string, readonly (readonly string[])[]>> = {
  operations: [
    ['method', 'path', 'scope', 'plan'],
    ...Object.values(operations).map(({ method, path, scope, plan }: Operation) => [
      method,
      `\`${path}\``,
      scope ?? '',
      plan ?? '',
    ]),
  ],
  metrics: [
    ['metric', '`stats`', 'unit', 'from', 'meaning'],
    ...metricCodes.map((code) => {
      const { stat, unit, sources, description } = metrics[code];
      return [`\`${code}\``, `\`${stat}\``, unit, sources.join(', '), description];
    }),
  ],
};

/** A page with its tables as they are now. */
export function withTables(page: string): string {
  return Object.entries(guideTables).reduce((text, [name, [head = [], ...rows]]) => {
    const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
    const present = new RegExp(`(?<=<!-- ${name}: [^\\n]*-->\\n\\n)(?:\\|[^\\n]*\\n)*`);
    return text.replace(present, `${lines.join('\n')}\n`);
  }, page);
}
