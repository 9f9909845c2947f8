import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { channelPaths, type Community } from './community.ts';
import type { LeaseWatch, Takeover } from './lease-watch.ts';
import type { Member, Processes } from './processes.ts';

/** `kill`: SIGKILL, and another process starts. `stop`: SIGSTOP for 30 seconds. */
export type Disturbance = 'kill' | 'stop';

/** `anywhere`: at a random moment. `sending`: as a message arrives at Discord. `writing`: inside an open transaction. */
export type Moment = 'anywhere' | 'sending' | 'writing';

export interface Disturbed {
  moment: Moment;
  takeover: Takeover;
}

const stoppedMs = 30_000;
const pollMs = 20;
/** Then a statement that waited for a lock has been executed. */
const writesWithinMs = 1_000;
/** Then a moment has not come, and the process is disturbed without it. */
const patienceMs = 8_000;
const writtenTables = ['log_file', 'server_state'];

export interface Disturber {
  /** Disturbs a process that holds something. */
  once(moment: Moment): Promise<void>;
  done(): readonly Disturbed[];
  /** How many transactions of stopped processes were open, and those that were committed late. */
  transactions(): { open: number; late: string[] };
  /** Disturbs nothing more. Resolves when every lease was taken over and no process is stopped. */
  settle(): Promise<void>;
}

export function createDisturber({
  how,
  community,
  processes,
  leases,
  client,
  random,
  onDone,
}: {
  how: Disturbance;
  community: Community;
  processes: Processes;
  leases: LeaseWatch;
  /** A connection for the locks alone. */
  client: Client;
  random: () => number;
  onDone: (disturbed: Disturbed) => void;
}): Disturber {
  const done: Disturbed[] = [];
  const working = new Set<Promise<unknown>>();
  const open: { name: string; xid: string }[] = [];
  const late: string[] = [];
  /** Called when the next message arrives. */
  let onMessage: (() => boolean) | null = null;

  /** Disturbs at once; what follows is not waited for. */
  function disturb(member: Member, moment: Moment): void {
    const held = leases.heldBy(processes.ownerOf(member) ?? '');
    member.isUp = false;
    member.disturbed += 1;
    if (how === 'kill') member.running.signal('SIGKILL');
    else member.running.signalAll('SIGSTOP');
    const since = performance.now();
    const taken = leases.takenFrom(held, since).then((takeover) => {
      const disturbed = { moment, takeover };
      done.push(disturbed);
      onDone(disturbed);
    });
    const goOn = async (): Promise<void> => {
      await sleep(since + stoppedMs - performance.now());
      member.running.signalAll('SIGCONT');
      member.isUp = true;
    };
    const work = Promise.all([taken, how === 'kill' ? processes.start() : goOn()]).finally(() =>
      working.delete(work),
    );
    working.add(work);
  }

  const holders = (): Member[] =>
    processes.up().filter((member) => leases.heldBy(processes.ownerOf(member) ?? '').length > 0);

  /** Where the process that sends messages can be spared: disturbs it. */
  function disturbSender(): boolean {
    const sender = processes.holderOf('bot');
    if (sender?.isUp !== true || processes.up().length < 3) return false;
    disturb(sender, 'sending');
    return true;
  }

  for (const afterwards of [true, false]) {
    community.discord.fail(
      ({ method, path }) => {
        if (method !== 'POST' || !channelPaths.includes(path) || random() < 0.5) return false;
        return onMessage?.() ?? false;
      },
      { cut: true, afterwards },
      Infinity,
    );
  }

  /** Waits for a message. False: none came. */
  async function sending(): Promise<boolean> {
    const sent = new Promise<boolean>((resolve) => {
      onMessage = () => {
        if (!disturbSender()) return false;
        resolve(true);
        onMessage = null;
        return true;
      };
    });
    const inTime = await Promise.race([sent, sleep(patienceMs, false)]);
    onMessage = null;
    return inTime;
  }

  /** Disturbs a process while a transaction of its own waits for a lock, which it then gets. False: none waited. */
  async function writing(): Promise<boolean> {
    const table = writtenTables[Math.floor(random() * writtenTables.length)] as string;
    let stopped: { name: string; pid: number } | null = null;
    await client.query('BEGIN');
    try {
      await client.query(`LOCK TABLE ${table} IN EXCLUSIVE MODE`);
      for (const end = performance.now() + patienceMs; performance.now() < end; await sleep(pollMs)) {
        // A transaction sees this view as it first was, but PgBouncer passes connections on.
        await client.query('SELECT pg_stat_clear_snapshot()');
        const { rows } = await client.query<{ name: string; pid: number }>(
          `SELECT application_name AS name, pid FROM pg_locks
           JOIN pg_stat_activity USING (pid) WHERE NOT granted AND relation = $1::regclass`,
          [table],
        );
        const [waiting] = rows;
        const member = processes.up().find(({ name }) => name === waiting?.name);
        if (waiting === undefined || member === undefined) continue;
        disturb(member, 'writing');
        if (how === 'stop') stopped = waiting;
        return true;
      }
      return false;
    } finally {
      await client.query('COMMIT');
      const xid = stopped === null ? null : await transactionOf(stopped);
      if (stopped !== null && xid !== null) open.push({ name: stopped.name, xid });
    }
  }

  /**
   * The transaction that a stopped process leaves open; null: its statement was one of its own, and is committed. Then
   * PgBouncer may have given the connection to another process.
   */
  async function transactionOf({ name, pid }: { name: string; pid: number }): Promise<string | null> {
    for (const end = performance.now() + writesWithinMs; performance.now() < end; await sleep(pollMs)) {
      const { rows } = await client.query<{ state: string; xid: string | null }>(
        'SELECT state, backend_xid::text AS xid FROM pg_stat_activity WHERE pid = $1 AND application_name = $2',
        [pid, name],
      );
      const [found] = rows;
      if (found === undefined || found.state === 'idle') return null;
      if (found.state.startsWith('idle in transaction')) return found.xid;
    }
    return null;
  }

  async function statusOf(xid: string): Promise<string | undefined> {
    const { rows } = await client.query<{ status: string }>('SELECT pg_xact_status($1::xid8) AS status', [
      xid,
    ]);
    return rows[0]?.status;
  }

  return {
    async once(moment) {
      if (moment === 'sending' && (await sending())) return;
      if (moment === 'writing' && (await writing())) return;
      const some = holders();
      const member = some[Math.floor(random() * some.length)];
      if (member !== undefined) disturb(member, 'anywhere');
    },
    done: () => done,
    transactions: () => ({ open: open.length, late }),
    async settle() {
      while (working.size > 0) await Promise.all(working);
      for (const { name, xid } of open) {
        const status = await statusOf(xid);
        if (status !== 'aborted') late.push(`${name}, transaction ${xid}: ${status}`);
      }
    },
  };
}
