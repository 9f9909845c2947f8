// Runs in a process of its own: a bot that keeps its values in a folder and asks its parent for leases, or that has both in
// a store on PostgreSQL. Arguments: the folder or URL, and Discord's address. It says `ready` when it is.
import { pino } from 'pino';
import { startBot } from '../../src/bot/bot.ts';
import { sinceBoot } from '../../src/process/clock.ts';
import { sameProject } from '../../src/bot/shown-project.ts';
import { fencedValues } from '../../src/compose/bot-host.ts';
import { leasesByName, type LeasesByName } from '../../src/process/leases-by-name.ts';
import { openWriter } from '../../src/server/store/engine/database.ts';
import { openValuesOf } from '../harness/small-values.ts';
import { isStoreUrl } from '../../src/server/store/engine/postgres/url.ts';
import { LeaseKeeper } from '../../src/server/store/cluster/leases/keeper.ts';
import { nameOfProcess } from '../../src/server/store/cluster/leases/process-name.ts';
import { contractClient } from '../commands/contract-client.ts';
import { token } from './discord-world.ts';

/** What the parent is asked, and answers. */
export type LeaseQuestion = { id: number; does: 'take' | 'release'; name: string };
export type LeaseAnswer = { id: number; taken: boolean };

const [place = '', apiUrl = ''] = process.argv.slice(2);
const waiting = new Map<number, (taken: boolean) => void>();
const names = new Set<string>();
let asked = 0;
process.on('message', ({ id, taken }: LeaseAnswer) => waiting.get(id)?.(taken));
const ask = (does: LeaseQuestion['does'], name: string): Promise<boolean> =>
  new Promise((resolve) => {
    asked += 1;
    waiting.set(asked, resolve);
    process.send?.({ id: asked, does, name } satisfies LeaseQuestion);
  });
const leasesOfParent: LeasesByName = {
  async take(name) {
    const taken = await ask('take', name);
    if (taken) names.add(name);
    return taken;
  },
  async release(name) {
    names.delete(name);
    await ask('release', name);
  },
  held: (name) => names.has(name),
  confirm: async (name) => names.has(name),
  fences: () => [],
  onLost: () => () => undefined,
};

const log = pino({ level: 'debug' });
const small = await openValuesOf(place);
const shared = isStoreUrl(place) ? (await openWriter(place, { busyTimeoutMs: 10_000 })).shared : undefined;
const kept =
  shared && new LeaseKeeper({ db: shared.leases, log, monotonic: sinceBoot, owner: nameOfProcess(['bot']) });
const leases = kept && leasesByName(kept);
const client = contractClient({}, Date.now);
const bot = startBot({
  token,
  apiUrl,
  projects: sameProject(() => client),
  config: { locale: 'en-US', guildIds: [], statusPosts: [], presence: false },
  keyv: small.of('bot'),
  leases: leases ?? leasesOfParent,
  fenced: leases && fencedValues(small, leases),
  log,
  timing: { takeEveryMs: 50 },
});
process.send?.(await bot.ready);
process.on(
  'SIGTERM',
  () =>
    void bot.stop().then(async () => {
      await kept?.close();
      process.exit();
    }),
);
