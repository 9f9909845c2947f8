import type { Observer } from './access-log.ts';
import { createHistogram, type Histogram } from './histogram.ts';

/** Counts requests and writes metrics in Prometheus' text exposition format 0.0.4. */
export interface Metrics {
  observe: Observer;
  /** A gauge that is read on request: name, help, value. */
  gauge(name: string, help: string, read: () => number): void;
  /** A histogram of the values that the result is called with. @param bounds of its buckets */
  histogram(name: string, help: string, bounds: readonly number[]): Histogram['observe'];
  /** The same as `gauge` for several metrics at once, with labels. A metric that cannot be read is left out. */
  collect(read: () => Promise<Family[]>): void;
  text(): Promise<string>;
}

/** One metric of several things, distinguished by labels. */
export interface Family {
  name: string;
  help: string;
  /** A null value is unknown and left out. */
  samples: { labels: Readonly<Record<string, string>>; value: number | null }[];
}

/** Upper bounds in seconds: a cached answer takes tenths of a millisecond, a live query up to ten seconds. */
const durationBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Series {
  operation: string;
  statuses: Map<number, number>;
  durations: Histogram;
}

export function createMetrics(): Metrics {
  const series = new Map<string, Series>();
  const gauges: { name: string; help: string; read: () => number }[] = [];
  const histograms: { name: string; help: string; values: Histogram }[] = [];
  const collectors: (() => Promise<Family[]>)[] = [];

  return {
    observe({ operation = 'none', status, ms }) {
      let one = series.get(operation);
      if (one === undefined) {
        one = { operation, statuses: new Map(), durations: createHistogram(durationBounds) };
        series.set(operation, one);
      }
      one.durations.observe(ms / 1000);
      one.statuses.set(status, (one.statuses.get(status) ?? 0) + 1);
    },
    gauge: (name, help, read) => void gauges.push({ name, help, read }),
    histogram(name, help, bounds) {
      const values = createHistogram(bounds);
      histograms.push({ name, help, values });
      return values.observe;
    },
    collect: (read) => void collectors.push(read),
    async text() {
      const families = await Promise.all(collectors.map((read) => read().catch(() => [])));
      const all = [...series.values()];
      const lines = [
        '# HELP outpost_http_requests_total Requests answered.',
        '# TYPE outpost_http_requests_total counter',
        ...all.flatMap(({ operation, statuses }) =>
          [...statuses].map(
            ([status, count]) =>
              `outpost_http_requests_total{operation="${operation}",status="${status}"} ${count}`,
          ),
        ),
        '# HELP outpost_http_request_duration_seconds From a request to the end of its answer.',
        '# TYPE outpost_http_request_duration_seconds histogram',
        ...all.flatMap(({ operation, durations }) =>
          durations.lines('outpost_http_request_duration_seconds', `operation="${operation}",`),
        ),
        '# HELP process_cpu_seconds_total User and system CPU time.',
        '# TYPE process_cpu_seconds_total counter',
        `process_cpu_seconds_total ${cpuSeconds()}`,
        '# HELP process_resident_memory_bytes Resident memory.',
        '# TYPE process_resident_memory_bytes gauge',
        `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
        ...histograms.flatMap(({ name, help, values }) => [
          `# HELP ${name} ${help}`,
          `# TYPE ${name} histogram`,
          ...values.lines(name, ''),
        ]),
        ...gauges.flatMap(({ name, help, read }) => [
          `# HELP ${name} ${help}`,
          `# TYPE ${name} gauge`,
          `${name} ${read()}`,
        ]),
        ...families.flat().flatMap(familyLines),
      ];
      return `${lines.join('\n')}\n`;
    },
  };
}

function familyLines({ name, help, samples }: Family): string[] {
  const lines = samples.flatMap(({ labels, value }) => {
    if (value === null) return [];
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
    return [`${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`];
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...lines];
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}
