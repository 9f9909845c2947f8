import type { Observer } from '../access-log.ts';

/** Counts requests and writes metrics in Prometheus' text exposition format 0.0.4. */
export interface Metrics {
  observe: Observer;
  /** A gauge that is read on request: name, help, value. */
  gauge(name: string, help: string, read: () => number): void;
  /** A histogram of the values that the result is called with. @param bounds of its buckets, ascending */
  histogram(name: string, help: string, bounds: readonly number[]): (value: number) => void;
  /** Several metrics that are read at once on request. What cannot be read is left out. */
  collect(read: () => Promise<Family[]>): void;
  text(): Promise<string>;
}

type Labels = Readonly<Record<string, string>>;

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

/** Counts values in buckets. */
class Histogram {
  readonly #bounds: readonly number[];
  /** One more than bounds: greater values have a bucket of their own. */
  readonly #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.#bounds.length && value > (this.#bounds[bucket] as number)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1;
    this.#sum += value;
  }

  samples(labels: Labels): Family['samples'] {
    let total = 0;
    const buckets = this.#counts.map((count, index) => {
      total += count;
      const le = String(this.#bounds[index] ?? '+Inf');
      return { suffix: '_bucket', labels: { ...labels, le }, value: total };
    });
    return [
      ...buckets,
      { suffix: '_sum', labels, value: this.#sum },
      { suffix: '_count', labels, value: total },
    ];
  }
}

/** The requests for one operation. */
interface Requests {
  statuses: Map<number, number>;
  durations: Histogram;
}

export function createMetrics(): Metrics {
  const requests = new Map<string, Requests>();
  const collectors: (() => Promise<Family[]>)[] = [
    async () => requestFamilies(requests),
    async () => processFamilies(),
  ];
  return {
    observe({ operation = 'none', status, ms }) {
      let own = requests.get(operation);
      if (own === undefined) {
        own = { statuses: new Map(), durations: new Histogram(durationBounds) };
        requests.set(operation, own);
      }
      own.durations.observe(ms / 1000);
      own.statuses.set(status, (own.statuses.get(status) ?? 0) + 1);
    },
    gauge(name, help, read) {
      collectors.push(async () => [{ name, help, samples: [{ labels: {}, value: read() }] }]);
    },
    histogram(name, help, bounds) {
      const values = new Histogram(bounds);
      collectors.push(async () => [{ name, help, type: 'histogram', samples: values.samples({}) }]);
      return (value) => values.observe(value);
    },
    collect: (read) => void collectors.push(read),
    async text() {
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
      samples: [...requests].flatMap(([operation, { durations }]) => durations.samples({ operation })),
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
