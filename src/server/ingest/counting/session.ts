/**
 * Sessions of one player in one run, from the lines about that player: how long the player was connected, and how long
 * each life was. `step` is all the rules, `Sessions` puts the lines into the order of their times.
 *
 * | state     | the player                          | becomes                                                            |
 * | --------- | ----------------------------------- | ------------------------------------------------------------------ |
 * | `away`    | is not connected                    | `on` by a connect                                                  |
 * | `on`      | is connected, time counts           | `left` by a disconnect, unless that is an older session's; in that |
 * |           |                                     | case `missing` by a list without the player                        |
 * | `left`    | has disconnected, as far as known   | `on` by a connect, or without a gap by a later line or list that   |
 * |           |                                     | shows the player; `away` by `is connecting` or a list without them |
 * | `missing` | has left at that disconnect, if no  | the same; `left` by a disconnect                                   |
 * |           | other one comes                     |                                                                    |
 *
 * The game writes `has been disconnected` when a connection times out, which may be after its player has come back. So a
 * login while `on` replaces the session, and the disconnect that follows within two minutes belongs to the replaced one.
 * A connect is a login, but games since 2026 write one at each respawn, too: with the new character's position, and
 * without the `is connecting` that comes before a login. Where no such line came, a respawn is known by the death before
 * it. Where this is wrong, the next player list shows it.
 */
export interface Session {
  state: 'away' | 'on' | 'left' | 'missing';
  /** The latest connect. */
  connectedAt: number;
  /** `left`, `missing`: when. `on`: a disconnect that was taken for an older session's, until the player is shown. */
  disconnectedAt: number | null;
  /** The logins that replaced sessions whose disconnects are missing. */
  replacedAt: readonly number[];
  /** Whether `is connecting` came, and no connect since. */
  isConnecting: boolean;
  /** Whether the game writes `is connecting` before logins. */
  announcesLogins: boolean;
  /** Whether the player has died since the latest connect, so that the next one may be a respawn. */
  hasDied: boolean;
  /** Up to when connected time is counted. Sessions that overlap count once. */
  countedUntil: number;
  playMs: number;
  /** Connected time before the first death; null: no death yet. */
  headMs: number | null;
  /** Longest connected time between two deaths. */
  bestMs: number;
  /** Connected time of the current life. */
  lifeMs: number;
}

const noSession: Session = {
  state: 'away',
  connectedAt: 0,
  disconnectedAt: null,
  replacedAt: [],
  isConnecting: false,
  announcesLogins: false,
  hasDied: false,
  countedUntil: Number.MIN_SAFE_INTEGER,
  playMs: 0,
  headMs: null,
  bestMs: 0,
  lifeMs: 0,
};

/**
 * What a line says about a player's session. `entered`: has connected and has a character; `listed` and `unlisted`: a
 * player list with and without the player; `shown`: any other line that names the player.
 */
interface SessionMark {
  at: number;
  kind:
    | 'connecting'
    | 'connected'
    | 'entered'
    | 'disconnected'
    | 'died'
    | 'respawn'
    | 'shown'
    | 'listed'
    | 'unlisted';
}

/** A line may be written this long after it happened, and after lines of times up to this much later. */
const mostLateMs = 2 * 60_000;
/** No player logs in more often within two minutes, but a log may claim it. */
const mostReplaced = 10;
/** A player may load for this long after connecting, and is in no list. */
export const longestLoadMs = 5 * 60_000;

/** The session after one more mark, which is not earlier than those before. */
function step(before: Session, { kind, at }: SessionMark): Session {
  switch (kind) {
    case 'connecting':
      return {
        ...(before.state === 'on' ? before : ended(before)),
        isConnecting: true,
        announcesLogins: true,
      };
    case 'connected':
      return connected(before, at, true);
    case 'entered': {
      const mayBeRespawn = before.announcesLogins || before.hasDied;
      return connected(before, at, before.isConnecting || !mayBeRespawn);
    }
    case 'disconnected':
      return disconnected(before, at);
    case 'died':
      return died(shown(before, at, mostLateMs), at);
    case 'respawn':
      return { ...shown(before, at, mostLateMs), hasDied: true };
    case 'shown':
      return shown(before, at, mostLateMs);
    case 'listed':
      return shown(before, at, 0);
    case 'unlisted':
      return unlisted(before, at);
  }
}

/** The session with connected time counted up to this moment, if nothing follows until then. */
function counted(before: Session, until: number): Session {
  if (before.state === 'away') return before;
  const to = before.state === 'on' ? until : Math.min(until, before.disconnectedAt ?? until);
  const ms = Math.max(0, to - before.countedUntil);
  return {
    ...before,
    playMs: before.playMs + ms,
    lifeMs: before.lifeMs + ms,
    countedUntil: before.countedUntil + ms,
  };
}

function connected(before: Session, at: number, isLogin: boolean): Session {
  const atConnect = { connectedAt: at, disconnectedAt: null, isConnecting: false, hasDied: false };
  if (before.state === 'on') {
    const replacedAt = isLogin ? [...before.replacedAt, at].slice(-mostReplaced) : before.replacedAt;
    return { ...before, ...atConnect, replacedAt };
  }
  const left = ended(before);
  return { ...left, ...atConnect, state: 'on', countedUntil: Math.max(left.countedUntil, at) };
}

function disconnected(before: Session, at: number): Session {
  if (before.state === 'away' || before.state === 'left') return before;
  const [replaced, ...replacedAt] = before.replacedAt.filter((login) => at - login <= mostLateMs);
  const isOlder = before.state === 'on' && replaced !== undefined;
  return { ...before, state: isOlder ? 'on' : 'left', disconnectedAt: at, replacedAt };
}

function died(before: Session, at: number): Session {
  const now = counted(before, at);
  return {
    ...now,
    hasDied: true,
    headMs: now.headMs ?? now.lifeMs,
    bestMs: now.headMs === null ? now.bestMs : Math.max(now.bestMs, now.lifeMs),
    lifeMs: 0,
  };
}

/** @param lateMs how long after a disconnect such a line may still be written of one who has left */
function shown(before: Session, at: number, lateMs: number): Session {
  const { state, disconnectedAt } = before;
  if (state === 'away' || disconnectedAt === null || at - disconnectedAt <= lateMs) return before;
  return { ...before, state: 'on', disconnectedAt: null };
}

function unlisted(before: Session, at: number): Session {
  const { state, connectedAt, disconnectedAt } = before;
  if (disconnectedAt === null || at - connectedAt <= longestLoadMs) return before;
  return state === 'on' ? { ...before, state: 'missing' } : ended(before);
}

/** The player has left at the latest disconnect. */
function ended(before: Session): Session {
  if (before.state === 'away' || before.disconnectedAt === null) return before;
  const left = counted({ ...before, state: 'left' }, before.disconnectedAt);
  return { ...left, state: 'away', disconnectedAt: null, replacedAt: [] };
}

/** No player does more within two minutes, but a log may claim it. */
const mostRecent = 50;

/** The sessions of one player in one run, from marks that may come late. */
export class Sessions {
  /** After all marks that no late line can precede. */
  #settled = noSession;
  /** The later ones, by their times. */
  #recent: readonly SessionMark[] = [];
  /** After all marks: lines and reports ask for it more often than it changes. */
  #current = noSession;

  get current(): Session {
    return this.#current;
  }

  /** Whether a disconnect may turn out to be an older session's, or the other way round. */
  get isInDoubt(): boolean {
    return this.#settled.disconnectedAt !== null || this.#recent.some(({ kind }) => kind === 'disconnected');
  }

  /** The current session if nothing follows until this moment. */
  until(at: number): Session {
    return counted(this.#current, at);
  }

  /** Adds a mark by its time. One that is too early to be a late line was written after the clock was set back: it comes last. */
  mark(kind: SessionMark['kind'], at: number): void {
    const mark = { kind, at };
    const latest = this.#recent.at(-1)?.at ?? at;
    if (latest - at > mostLateMs) {
      this.#settled = this.#current;
      this.#recent = [mark];
      this.#current = step(this.#settled, mark);
      return;
    }
    const after = this.#recent.findLastIndex((one) => one.at <= at) + 1;
    const marks = this.#recent.toSpliced(after, 0, mark);
    const settledBefore = Math.max(latest, at) - mostLateMs;
    const firstRecent = marks.findIndex((one) => one.at >= settledBefore);
    const settledCount = Math.max(firstRecent, marks.length - mostRecent);
    this.#settled = marks.slice(0, settledCount).reduce(step, this.#settled);
    this.#recent = marks.slice(settledCount);
    const isLate = at < latest;
    this.#current = isLate ? this.#recent.reduce(step, this.#settled) : step(this.#current, mark);
  }

  /** A line shows that the player was on. */
  show(at: number): void {
    if (this.isInDoubt) this.mark('shown', at);
  }

  /**
   * A log without a header names the player first without a connect: the player has left at its first line, unless a list or a
   * later line shows the player, who then was on since.
   */
  startBefore(since: number): void {
    // A list at that moment shows the player.
    this.#settle({ ...noSession, state: 'left', disconnectedAt: since - 1, countedUntil: since });
  }

  /** Closes the session, because the run ends. */
  end(at: number): void {
    this.#settle({ ...this.until(at), state: 'away', disconnectedAt: null });
  }

  #settle(session: Session): void {
    this.#settled = session;
    this.#recent = [];
    this.#current = session;
  }
}
