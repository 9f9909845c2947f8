import type { SeenPlayer } from './events.ts';
import type { LineResult } from './admin-log-line.ts';

/** A list whose last line has not been read yet. */
interface OpenList {
  /** The size in its first line. */
  size: number;
  /** Lines of players so far, and those that could be parsed. */
  entries: number;
  players: SeenPlayer[];
}

const mark = '#####';
const firstLine = /^##### PlayerList log: ([0-9]{1,3}) players?$/;
const entryStart = 'Player ';
const entryEnd = '>)';

/**
 * Collects the lists of everybody in the game, which an admin log contains every five minutes: `##### PlayerList log:
 * 2 players`, a line with the position of each, `#####`. A list that lacks lines, because the log was cut, is
 * ignored.
 */
export class PlayerLists {
  #open: OpenList | null = null;

  /**
   * Reads each line of a log: `text` from `from` to `to`, and what `readAdminLogLine` made of it.
   * @returns the players of the list that this line completes; null: it completes none
   */
  read(text: string, from: number, to: number, result: LineResult): SeenPlayer[] | null {
    if (result === 'nothing' && text.startsWith(mark, from)) {
      return this.#readMark(text.slice(from, to).trimEnd());
    }
    if (this.#open !== null && text.startsWith(entryStart, from)) {
      this.#readEntry(this.#open, text.slice(from, to).trimEnd(), result);
    }
    return null;
  }

  #readMark(line: string): SeenPlayer[] | null {
    const list = this.#open;
    const size = firstLine.exec(line)?.[1];
    this.#open = size === undefined ? null : { size: Number(size), entries: 0, players: [] };
    return line === mark && list !== null && list.entries === list.size ? list.players : null;
  }

  #readEntry(list: OpenList, line: string, result: LineResult): void {
    if (!line.endsWith(entryEnd)) return;
    list.entries += 1;
    // A player without an id is on the list but unidentified.
    if (typeof result === 'object' && result.kind === 'seen') list.players.push(result.player);
    if (list.entries > list.size) this.#open = null;
  }
}
