import { metricCodes, metrics } from '../src/api/metrics.ts';

/** The table of all metrics in `docs/api.md`, which `npm run openapi` writes. */
export const metricRows: readonly (readonly string[])[] = [
  ['metric', '`stats`', 'unit', 'from', 'meaning'],
  ...metricCodes.map((code) => {
    const { stat, unit, sources, description } = metrics[code];
    return [`\`${code}\``, `\`${stat}\``, unit, sources.join(', '), description];
  }),
];

/** A page with its table of metrics as it is now. */
export function withMetrics(page: string): string {
  const [head = [], ...rows] = metricRows;
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return page.replace(/(?<=<!-- metrics: [^\n]*-->\n\n)(?:\|[^\n]*\n)*/, `${lines.join('\n')}\n`);
}
