import type { AccessEntry } from '../access-log.ts';

export type Labels = Readonly<Record<string, string>>;

/** One metric, of one thing or of several that labels distinguish. */
export interface Family {
  name: string;
  help: string;
  /** Default: a gauge. */
  type?: 'counter' | 'gauge' | 'histogram';
  /** A null value is unknown and left out. A histogram has samples with a suffix, such as `_bucket`. */
  samples: { suffix?: string; labels: Labels; value: number | null }[];
}

/** Upper bounds in seconds: a cached answer takes tenths of a millisecond, a live query up to ten seconds. */
const durationBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

class Requests {
  readonly statuses = new Map<number, number>();
  /** By bucket, of which the last is for greater durations than all bounds. */
  readonly #counts = Array<number>(durationBounds.length + 1).fill(0);
  #seconds = 0;

  observe(status: number, seconds: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    let bucket = 0;
    while (bucket < durationBounds.length && seconds > (durationBounds[bucket] as number)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1;
    this.#seconds += seconds;
  }

  durations(labels: Labels): Family['samples'] {
    let total = 0;
    const buckets = this.#counts.map((count, index) => {
      total += count;
      const le = String(durationBounds[index] ?? '+Inf');
      return { suffix: '_bucket', labels: { ...labels, le }, value: total };
    });
    return [
      ...buckets,
      { suffix: '_sum', labels, value: this.#seconds },
      { suffix: '_count', labels, value: total },
    ];
  }
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Counts requests and writes metrics in Prometheus' text exposition format 0.0.4. */
export function createMetrics() {
  const requests = new Map<string, Requests>();
  const collectors: (() => Promise<Family[]>)[] = [
    async () => requestFamilies(requests),
    async () => processFamilies(),
  ];
  return {
    observe({ operation = 'none', status, ms }: AccessEntry): void {
      const own = requests.get(operation) ?? new Requests();
      requests.set(operation, own);
      own.observe(status, ms / 1000);
    },
    /** A gauge that is read on request. */
    gauge(name: string, help: string, read: () => number): void {
      collectors.push(async () => [{ name, help, samples: [{ labels: {}, value: read() }] }]);
    },
    /** Several metrics that are read at once on request. What cannot be read is left out. */
    collect: (read: () => Promise<Family[]>): void => void collectors.push(read),
    async text(): Promise<string> {
      const families = await Promise.all(collectors.map((read) => read().catch(() => [])));
      return `${families.flat().flatMap(linesOf).join('\n')}\n`;
    },
  };
}

function requestFamilies(requests: ReadonlyMap<string, Requests>): Family[] {
  return [
    {
      name: 'outpost_http_requests_total',
      help: 'Requests answered.',
      type: 'counter',
      samples: [...requests].flatMap(([operation, { statuses }]) =>
        Array.from(statuses, ([status, value]) => ({ labels: { operation, status: String(status) }, value })),
      ),
    },
    {
      name: 'outpost_http_request_duration_seconds',
      help: 'From a request to the end of its answer.',
      type: 'histogram',
      samples: [...requests].flatMap(([operation, own]) => own.durations({ operation })),
    },
  ];
}

function processFamilies(): Family[] {
  const { user, system } = process.cpuUsage();
  return [
    {
      name: 'process_cpu_seconds_total',
      help: 'User and system CPU time.',
      type: 'counter',
      samples: [{ labels: {}, value: (user + system) / 1_000_000 }],
    },
    {
      name: 'process_resident_memory_bytes',
      help: 'Resident memory.',
      samples: [{ labels: {}, value: process.memoryUsage.rss() }],
    },
  ];
}

function linesOf({ name, help, type = 'gauge', samples }: Family): string[] {
  const lines = samples.flatMap(({ suffix = '', labels, value }) => {
    if (value === null) return [];
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
    return [`${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`];
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
