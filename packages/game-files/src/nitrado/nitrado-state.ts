import type { Clock } from '../clock.ts';
import { gameServer, type GameServerDetails } from './answers.ts';
import type { NitradoApi, NitradoApiOptions } from './api.ts';
import type { RequestBudget } from './request-budget.ts';

/** How a game server is, as its host says. Null: not known, as while it is offline. */
export interface ServerState {
  status: 'ONLINE' | 'OFFLINE' | 'UNKNOWN';
  map: string | null;
  players: number | null;
  maxPlayers: number | null;
  /** Epoch milliseconds. */
  checkedAt: number;
}

/** While Nitrado does not answer, its latest answer holds for so long. */
const heldMs = 5 * 60_000;
/** Whether a game server answers queries itself changes when its owner installs another game. */
const askAgainMs = 60 * 60_000;

/** The state of one game server at Nitrado, asked for as often as the limits of the token allow. */
export class NitradoState {
  readonly #api: NitradoApi;
  readonly #budget: RequestBudget;
  readonly #clock: Clock;
  /** As the budget counts it. */
  readonly #source: string;
  /** The latest request, and when it was sent, by the monotonic clock. */
  #asked: { at: number; state: Promise<ServerState | null> } | null = null;
  #known: { at: number; state: ServerState } | null = null;
  #answersItself = false;

  constructor(api: NitradoApi, { budget, clock, serviceId }: NitradoApiOptions) {
    this.#api = api;
    this.#budget = budget;
    this.#clock = clock;
    this.#source = `${serviceId} state`;
    budget.add(this.#source);
  }

  /** Null: the game server answers queries itself. @throws FileError */
  async read(): Promise<ServerState | null> {
    const now = this.#clock.monotonic();
    const everyMs = this.#answersItself ? askAgainMs : this.#budget.pollEveryMs;
    if (this.#asked === null || now - this.#asked.at >= everyMs) {
      this.#asked = { at: now, state: this.#ask() };
    }
    try {
      return await this.#asked.state;
    } catch (error) {
      if (this.#answersItself) return null;
      if (this.#known !== null && now - this.#known.at <= heldMs) return this.#known.state;
      throw error;
    }
  }

  /** It takes no part of the requests any more. */
  close(): void {
    this.#budget.remove(this.#source);
  }

  async #ask(): Promise<ServerState | null> {
    const { gameserver } = await this.#api.get('', [], gameServer);
    const state = stateOf(gameserver, this.#clock.now());
    this.#known = state && { at: this.#clock.monotonic(), state };
    this.#answersItself = state === null;
    this.#budget[this.#answersItself ? 'remove' : 'add'](this.#source);
    return state;
  }
}

/** In which no player can join. Nitrado's clients know these besides `started`. */
const downStatuses = new Set([
  'stopped',
  'stopping',
  'starting',
  'restarting',
  'updating',
  'suspended',
  'guardian_locked',
  'gs_installation',
  'backup_creation',
  'backup_restore',
]);

/** Null: the server is on a PC, and answers queries itself. Those on consoles have no FTP, as their folder says. */
export function stateOf(details: GameServerDetails, checkedAt: number): ServerState | null {
  const { status, query, settings, slots, game_specific: own } = details;
  if (!own.path.includes('/noftp/')) return null;
  if (status !== 'started') {
    const isDown = downStatuses.has(status ?? '');
    return { status: isDown ? 'OFFLINE' : 'UNKNOWN', map: null, players: null, maxPlayers: null, checkedAt };
  }
  return {
    status: 'ONLINE',
    map: query?.map?.trim() || settings?.config.mission?.split('.').at(-1)?.trim() || null,
    players: query?.player_current ?? null,
    maxPlayers: query?.player_max ?? slots ?? null,
    checkedAt,
  };
}
