import type { Environment } from '../../config/environment.ts';
import { StoreError } from '../../server/store/engine/error.ts';
import { inspectPostgres, type PostgresState } from '../../server/store/engine/postgres/inspect.ts';
import { shownUrl } from '../../server/store/engine/postgres/url.ts';
import type { Finding } from '../check-config/finding.ts';
import { split } from './data-checks.ts';

const key = 'OUTPOST_STORE_URL';
/** Tokens and bans end by the clock of the machine that asks. */
const mostAheadMs = 5_000;

/** Whether the store on PostgreSQL can be used. */
export async function checkPostgres(
  { storeUrl }: Environment,
  inspect = inspectPostgres,
): Promise<Finding[]> {
  if (storeUrl === undefined) return [];
  const about = { key, tried: shownUrl(storeUrl) };
  try {
    const state = await inspect(storeUrl);
    return [{ ...about, ...stateOf(state) }, ...clockOf(about, state)];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [{ ...about, status: 'wrong', ...split(error.message) }];
  }
}

function stateOf({
  version,
  size,
  pending,
  isNew,
  forbidden,
}: PostgresState): Omit<Finding, 'key' | 'tried'> {
  const what = `PostgreSQL ${version}`;
  if (forbidden.length > 0) {
    return {
      status: 'wrong',
      found: `${what} answers, and its user may not write ${forbidden.slice(0, 3).join(', ')}`,
      next: 'let the user of the store URL own the database and its tables',
    };
  }
  if (isNew) return { status: 'good', found: `${what} answers; the first start creates the tables` };
  const update = pending.length > 0 ? '; the next start brings its format up to date' : '';
  return { status: 'good', found: `${what} answers, ${Math.ceil(size / 1024 ** 2)} MiB${update}` };
}

function clockOf(about: Pick<Finding, 'key' | 'tried'>, { clockAheadMs }: PostgresState): Finding[] {
  if (Math.abs(clockAheadMs) <= mostAheadMs) return [];
  const seconds = Math.round(Math.abs(clockAheadMs) / 1_000);
  return [
    {
      ...about,
      status: 'warning',
      found: `its clock is ${seconds} s ${clockAheadMs > 0 ? 'ahead of' : 'behind'} that of this machine`,
      next: 'let both machines set their clocks by NTP',
    },
  ];
}
